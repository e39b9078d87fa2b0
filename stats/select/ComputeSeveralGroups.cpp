// Procedures for several groups, several conditions and several factors.
#include "stats/procedures/anova/Friedman.h"
#include "stats/procedures/anova/OneWay.h"
#include "stats/procedures/anova/Repeated.h"
#include "stats/procedures/posthoc/Adjust.h"
#include "stats/procedures/resampling/Permutation.h"
#include "stats/select/Designs.h"

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

/// Rearranging very many values only repeats what F says there.
constexpr size_t mostRearranged = 5000;

TestResult permuted(const std::vector<std::vector<double>> &groups, double level) {
  size_t n = 0;
  for (const auto &group : groups)
    n += group.size();
  if (n <= mostRearranged)
    return permutationGroups(groups, {.level = level});
  TestResult result;
  result.refused("not run: there are more than 5000 values, for which F tests say the same");
  return result;
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
  noteIncomplete(c.result, *matched);
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

Computed factorial(const ComputeSetting &setting, const Contrast *) {
  if (std::string reason = notCategorical(setting.situation); !reason.empty())
    return refused(reason);
  FactorialDesign design = factorialDesignOf(setting);
  design.covariates.clear();
  return done(factorialAnova(design));
}

Computed covariance(const ComputeSetting &setting, const Contrast *) {
  if (std::string reason = notCategorical(setting.situation); !reason.empty())
    return refused(reason);
  if (setting.situation.hypothesis.given.empty())
    return refused("there are no covariates");
  Computed c = done(ancova(factorialDesignOf(setting)));
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

/// All terms decide together: those between participants with their p, those within with Greenhouse
/// and Geisser's.
void decideByStrata(Computed &c) {
  std::vector<std::pair<std::string, std::optional<PValue>>> terms;
  const ResultTable *table = c.result.table("analysis of variance");
  bool correctedAny = false;
  for (const ResultRow &row : table ? table->rows : std::vector<ResultRow>()) {
    std::optional<PValue> corrected = termP(c.result, "Greenhouse-Geisser", row.name);
    correctedAny |= corrected.has_value();
    if (corrected || row.p.undirected)
      terms.emplace_back(row.name, corrected ? corrected : row.p.undirected);
  }
  decideByTerms(c, terms);
  if (c.p && correctedAny)
    c.result.notes.push_back(
        "terms within participants count with Greenhouse and Geisser's correction");
}

/// Any number of factors within participants, and perhaps between them.
Computed repeated(const ComputeSetting &setting, const Contrast *) {
  Matched matched;
  Result<RepeatedDesign> design = repeatedDesignOf(setting, matched);
  if (!design)
    return refused(design.error().what);
  Computed c = done(mixedAnova(*design));
  noteIncomplete(c.result, matched);
  decideByStrata(c);
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
       [](const Setting &s, const Contrast *) { return oneWay(s, brunnerDetteMunk); }},
      {"permutation_f", [](const Setting &s, const Contrast *) { return oneWay(s, permuted); }},
      {"friedman", [](const Setting &s, const Contrast *) { return conditions(s, friedman); }},
      {"rm_one_way_anova",
       [](const Setting &s, const Contrast *) { return conditions(s, repeatedAnova); }},
      {"rm_one_way_anova_corrected", corrected},
      {"factorial_anova", factorial},
      {"mixed_anova", repeated},
      {"rm_factorial_anova", repeated},
      {"ancova", covariance},
  };
  return list;
}

} // namespace imbrex::stats
