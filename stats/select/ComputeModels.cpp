// Linear and logistic regression of a linear hypothesis.
#include "stats/procedures/posthoc/Adjust.h"
#include "stats/procedures/regression/Regression.h"
#include "stats/select/Compute.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace imbrex::stats {
namespace {

Computed refused(std::string reason) {
  Computed c;
  c.result.refused(std::move(reason));
  return c;
}

/// The explanatory variables, then the covariates; categories enter by their rank.
std::vector<Predictor> predictorsOf(const Situation &s) {
  std::vector<Predictor> predictors;
  for (const auto *names : {&s.hypothesis.variables, &s.hypothesis.given})
    for (const std::string &name : *names)
      predictors.push_back({name, s.values(name)});
  return predictors;
}

/// The coefficient's t or z in the place of the model's F or chi-square, so that statistic and p
/// belong together.
void headline(TestResult &result, const ResultRow &row) {
  for (const char *name : {"t", "z"})
    if (double value = row.number(name); !std::isnan(value)) {
      double error = result.freedom(1);
      result.statistics.insert(result.statistics.begin(), {name, value});
      result.df.clear();
      if (std::string_view(name) == "t" && !std::isnan(error))
        result.df.push_back({"df", error});
      result.p = row.p;
      result.notes.push_back("statistic and p are those of the coefficient of " + row.name);
      return;
    }
}

std::optional<PValue> predictedP(const ResultRow *row, Trend trend) {
  return !row                       ? std::nullopt
         : trend == Trend::Positive ? row->p.greater
         : trend == Trend::Negative ? row->p.less
                                    : row->p.undirected;
}

/// Of several terms with signs each must hold: the largest p counts, adjusted by Holm. The others
/// only stand beside them.
void aimAtSigns(Computed &c, const std::vector<LinearTerm> &terms, const ResultTable &table) {
  std::vector<double> raw;
  for (const LinearTerm &term : terms)
    if (term.trend != Trend::Either)
      if (auto p = predictedP(table.row(term.variable), term.trend))
        raw.push_back(p->value);
  double largest = 0;
  for (double p : adjustPValues(raw, Adjustment::Holm))
    largest = std::max(largest, p);
  c.p = PValue::of(largest);
  c.result.notes.push_back("each coefficient with a sign must have it: p is the largest of " +
                           std::to_string(raw.size()) + " one-sided ones, adjusted by Holm");
}

/// A single term is tested by its coefficient, in the direction of its sign; so is each of several
/// beside covariates, and the least p counts, adjusted by Holm. Several terms without signs and
/// covariates are tested together.
void aim(Computed &c, const Situation &s) {
  const auto &terms = s.hypothesis.terms;
  const ResultTable *table = c.result.table("coefficients");
  if (!c.result.defined() || !table)
    return;
  bool predicted = std::any_of(terms.begin(), terms.end(),
                               [](const LinearTerm &t) { return t.trend != Trend::Either; });
  if (terms.size() > 1 && predicted)
    return aimAtSigns(c, terms, *table);
  if (terms.size() > 1 && s.hypothesis.given.empty())
    return;
  std::vector<double> raw;
  for (const LinearTerm &term : terms) {
    std::optional<PValue> p = predictedP(table->row(term.variable), term.trend);
    raw.push_back(p ? p->value : std::numeric_limits<double>::quiet_NaN());
    if (terms.size() == 1)
      c.p = p;
  }
  if (terms.size() == 1) {
    c.alternative = terms[0].trend == Trend::Positive   ? Alternative::Greater
                    : terms[0].trend == Trend::Negative ? Alternative::Less
                                                        : Alternative::TwoSided;
    if (const ResultRow *row = table->row(terms[0].variable))
      headline(c.result, *row);
    return;
  }
  for (double p : adjustPValues(raw, Adjustment::Holm))
    if (!std::isnan(p) && (!c.p || p < c.p->value))
      c.p = PValue::of(p);
  c.result.notes.push_back("p is the least of the coefficients, adjusted by Holm");
}

Computed linear(const ComputeSetting &setting, const Contrast *) {
  const Situation &s = setting.situation;
  if (s.hypothesis.form != HypothesisForm::Linear)
    return refused("the hypothesis is not linear");
  Computed c;
  c.result = linearRegression(predictorsOf(s), s.values(s.hypothesis.outcome),
                              {Intercept::Include, setting.level})
                 .result;
  aim(c, s);
  return c;
}

Computed logistic(const ComputeSetting &setting, const Contrast *) {
  const Situation &s = setting.situation;
  if (s.hypothesis.form != HypothesisForm::Linear)
    return refused("the hypothesis is not linear");
  const Variable &y = s.variable(s.hypothesis.outcome);
  if (y.categories.size() != 2)
    return refused("'" + y.name + "' does not have two categories");
  std::vector<double> outcome;
  for (int code : s.codes(y.name))
    outcome.push_back(code);
  Computed c;
  c.result = logisticRegression(predictorsOf(s), outcome, setting.level).result;
  c.result.notes.push_back("the outcome is '" + y.categories[1] + "' against '" + y.categories[0] +
                           "'");
  aim(c, s);
  return c;
}

} // namespace

const std::vector<NamedComputation> &modelComputations() {
  static const std::vector<NamedComputation> list = {{"linear_regression", linear},
                                                     {"logistic_regression", logistic}};
  return list;
}

} // namespace imbrex::stats
