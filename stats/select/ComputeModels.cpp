// Linear and logistic regression of a linear hypothesis.
#include "stats/procedures/regression/Regression.h"
#include "stats/select/Compute.h"

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

/// A single term with a sign is tested in that direction: by its coefficient.
void aim(Computed &c, const Situation &s) {
  const auto &terms = s.hypothesis.terms;
  if (terms.size() != 1 || terms[0].trend == Trend::Either || !c.result.defined())
    return;
  const ResultTable *table = c.result.table("coefficients");
  const ResultRow *row = table ? table->row(terms[0].variable) : nullptr;
  if (!row)
    return;
  c.alternative = terms[0].trend == Trend::Positive ? Alternative::Greater : Alternative::Less;
  c.prediction = terms[0].trend == Trend::Positive ? "positive" : "negative";
  c.p = c.alternative == Alternative::Greater ? row->p.greater : row->p.less;
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
