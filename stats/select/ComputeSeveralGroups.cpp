// Procedures for several groups, several conditions and several factors.
#include "stats/procedures/anova/Friedman.h"
#include "stats/procedures/anova/OneWay.h"
#include "stats/procedures/anova/Repeated.h"
#include "stats/procedures/posthoc/Adjust.h"
#include "stats/select/Compute.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace imbrex::stats {
namespace {

Computed refused(std::string reason) {
  Computed c;
  c.result.refused(std::move(reason));
  return c;
}

Computed done(TestResult result, std::vector<std::string> groups = {}) {
  Computed c;
  c.result = std::move(result);
  c.groups = std::move(groups);
  return c;
}

bool oneFactor(const Situation &s) {
  return s.ordered.size() == 2 && s.variable(s.ordered[0]).categorical();
}

template <class Test> Computed oneWay(const ComputeSetting &setting, Test test) {
  const Situation &s = setting.situation;
  if (!oneFactor(s))
    return refused("it needs one variable with categories and one to compare");
  return done(test(s.groups(s.ordered[0], s.ordered[1]), setting.level),
              s.variable(s.ordered[0]).categories);
}

/// conditions[j][subject]
template <class Test> Computed conditions(const ComputeSetting &setting, Test test) {
  const Situation &s = setting.situation;
  if (!oneFactor(s))
    return refused("it needs one variable with categories and one to compare");
  Result<Matched> matched = s.matched(s.ordered[0], s.ordered[1]);
  if (!matched)
    return refused(matched.error().what);
  std::vector<std::vector<double>> list(s.variable(s.ordered[0]).categories.size());
  for (const auto &subject : matched->values)
    for (size_t j = 0; j < list.size(); ++j)
      list[j].push_back(subject[j]);
  Computed c = done(test(list, setting.level), s.variable(s.ordered[0]).categories);
  if (matched->incomplete)
    c.result.notes.push_back(std::to_string(matched->incomplete) +
                             " participants were left out because a condition is missing");
  for (ResultTable &table : c.result.tables)
    for (ResultRow &row : table.rows)
      if (row.name == "condition")
        row.name = s.ordered[0];
  return c;
}

/// The hypothesis is about these terms together: it holds when one of them does, so that the least
/// p counts, adjusted by Holm.
void decideByTerms(Computed &c,
                   const std::vector<std::pair<std::string, std::optional<PValue>>> &terms) {
  std::vector<double> raw;
  for (const auto &[name, p] : terms)
    raw.push_back(p ? p->value : std::numeric_limits<double>::quiet_NaN());
  std::vector<double> adjusted = adjustPValues(raw, Adjustment::Holm);
  std::string least;
  for (size_t i = 0; i < adjusted.size(); ++i)
    if (!std::isnan(adjusted[i]) && (least.empty() || adjusted[i] < c.p->value)) {
      c.p = adjusted.size() == 1 ? *terms[i].second : PValue::of(adjusted[i]);
      least = terms[i].first;
    }
  if (terms.size() > 1 && !least.empty())
    c.result.notes.push_back("p decides over " + std::to_string(terms.size()) +
                             " terms together, adjusted by Holm; the least is that of " + least);
}

std::optional<PValue> termP(const TestResult &result, const char *table, const std::string &term) {
  const ResultTable *t = result.table(table);
  const ResultRow *row = t ? t->row(term) : nullptr;
  return row ? row->p.undirected : std::nullopt;
}

Factor factorOf(const Situation &s, const std::string &name) {
  std::vector<int> codes = s.codes(name);
  return {name, s.variable(name).categories, {codes.begin(), codes.end()}};
}

std::string notCategorical(const Situation &s) {
  if (s.explanatory.empty() || s.explained.size() != 1)
    return "it needs explanatory variables and one explained variable";
  for (const std::string &x : s.explanatory)
    if (s.variable(x).continuous())
      return "'" + x + "' has no categories";
  return "";
}

FactorialDesign designOf(const ComputeSetting &setting) {
  const Situation &s = setting.situation;
  FactorialDesign design;
  for (const std::string &x : s.explanatory)
    design.factors.push_back(factorOf(s, x));
  for (const std::string &z : s.hypothesis.given)
    design.covariates.push_back({z, s.values(z)});
  design.outcome = s.values(s.explained[0]);
  design.sums = setting.conventions.sumsOfSquares;
  design.level = setting.level;
  return design;
}

Computed factorial(const ComputeSetting &setting, const Contrast *) {
  if (std::string reason = notCategorical(setting.situation); !reason.empty())
    return refused(reason);
  FactorialDesign design = designOf(setting);
  design.covariates.clear();
  return done(factorialAnova(design));
}

Computed covariance(const ComputeSetting &setting, const Contrast *) {
  if (std::string reason = notCategorical(setting.situation); !reason.empty())
    return refused(reason);
  if (setting.situation.hypothesis.given.empty())
    return refused("there are no covariates");
  Computed c = done(ancova(designOf(setting)));
  // The hypothesis is about the factors, not about the covariates.
  std::vector<std::pair<std::string, std::optional<PValue>>> terms;
  if (const ResultTable *table = c.result.table("analysis of variance"))
    for (const ResultRow &row : table->rows) {
      const auto &given = setting.situation.hypothesis.given;
      if (row.p.undirected && std::find(given.begin(), given.end(), row.name) == given.end())
        terms.emplace_back(row.name, row.p.undirected);
    }
  decideByTerms(c, terms);
  return c;
}

Computed mixed(const ComputeSetting &setting, const Contrast *) {
  const Situation &s = setting.situation;
  std::vector<std::string> within, between;
  for (const std::string &x : s.explanatory)
    (s.within(x) ? within : between).push_back(x);
  if (within.size() != 1 || between.size() != 1 || s.explained.size() != 1 || !s.key())
    return refused("it needs one factor within subjects, one between them, and a key");
  Result<Matched> matched = s.matched(within[0], s.explained[0]);
  if (!matched)
    return refused(matched.error().what);
  std::map<std::string, int32_t> group;
  for (size_t row = 0; row < s.table->rows; ++row)
    if (!s.key()->isMissing(row))
      group[s.key()->categories[static_cast<size_t>(s.key()->codes[row])]] =
          s.column(between[0])->codes[row];
  RepeatedDesign design;
  design.level = setting.level;
  design.within = {{within[0], s.variable(within[0]).categories}};
  Factor factor{between[0], s.variable(between[0]).categories, {}};
  for (size_t i = 0; i < matched->subjects.size(); ++i)
    if (int32_t code = group[matched->subjects[i]]; code >= 0) {
      factor.codes.push_back(code);
      design.subjects.push_back(matched->values[i]);
    }
  design.between = {std::move(factor)};
  Computed c = done(mixedAnova(design));
  std::string both = between[0] + ":" + within[0];
  decideByTerms(c, {{between[0], termP(c.result, "analysis of variance", between[0])},
                    {within[0], termP(c.result, "Greenhouse-Geisser", within[0])},
                    {both, termP(c.result, "Greenhouse-Geisser", both)}});
  if (c.p)
    c.result.notes.push_back(
        "terms within participants count with Greenhouse and Geisser's correction");
  return c;
}

/// The corrected p-value stands in the place of the uncorrected one.
Computed corrected(const ComputeSetting &setting, const Contrast *) {
  Computed c = conditions(setting, repeatedAnova);
  const ResultTable *table = c.result.table("Greenhouse-Geisser");
  if (table && !table->rows.empty() && table->rows[0].p.undirected) {
    const ResultRow &row = table->rows[0];
    c.p = row.p.undirected;
    c.result.p = row.p;
    for (size_t i = 0; i < c.result.df.size() && i < 2; ++i)
      if (double df = row.number(i == 0 ? "df" : "error df"); df == df)
        c.result.df[i].value = df;
    c.result.method += (c.result.method.empty() ? "" : "; ") + std::string("Greenhouse-Geisser");
  }
  return c;
}

} // namespace

const std::vector<NamedComputation> &severalGroupComputations() {
  using Setting = ComputeSetting;
  static const std::vector<NamedComputation> list = {
      {"f_test", [](const Setting &s, const Contrast *) { return oneWay(s, oneWayF); }},
      {"welch_anova", [](const Setting &s, const Contrast *) { return oneWay(s, welchAnova); }},
      {"kruskall_wallis",
       [](const Setting &s, const Contrast *) { return oneWay(s, kruskalWallis); }},
      {"brunner_dette_munk",
       [](const Setting &s, const Contrast *) {
         return oneWay(s, [](const std::vector<std::vector<double>> &groups, double) {
           return brunnerDetteMunk(groups);
         });
       }},
      {"friedman", [](const Setting &s, const Contrast *) { return conditions(s, friedman); }},
      {"rm_one_way_anova",
       [](const Setting &s, const Contrast *) { return conditions(s, repeatedAnova); }},
      {"rm_one_way_anova_corrected", corrected},
      {"factorial_anova", factorial},
      {"mixed_anova", mixed},
      {"ancova", covariance},
  };
  return list;
}

} // namespace imbrex::stats
