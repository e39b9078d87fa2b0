// After a procedure for several groups: the planned comparisons, or all pairs.
#include "stats/procedures/posthoc/ComparisonsOfMeans.h"
#include "stats/procedures/posthoc/ComparisonsOfRanks.h"
#include "stats/select/Compute.h"

#include <cmath>
#include <limits>

namespace imbrex::stats {

std::string_view pairwiseComputation(std::string_view computation) {
  if (computation == "f_test" || computation == "welch_anova")
    return "welchs_t";
  if (computation == "kruskall_wallis" || computation == "brunner_dette_munk")
    return "brunner_munzel";
  if (computation == "permutation_f")
    return "permutation_test";
  if (computation.starts_with("rm_one_way_anova"))
    return "paired_students_t";
  return computation == "friedman" ? "wilcoxon_signed_rank" : "";
}

namespace {

TestResult planned(std::string_view test, const std::vector<Contrast> &contrasts,
                   const ComputeSetting &setting) {
  TestResult result;
  result.id = "planned_comparisons";
  ResultTable table{"planned comparisons", {}};
  std::vector<double> raw;
  for (const Contrast &contrast : contrasts) {
    Computed c = compute(test, setting, &contrast);
    ResultRow row;
    row.name = contrast.text;
    raw.push_back(c.p ? c.p->value : std::numeric_limits<double>::quiet_NaN());
    row.numbers.push_back({"raw p", raw.back()});
    row.estimate = c.result.estimate;
    row.effects = c.result.effects;
    result.name = "Planned comparisons by " + c.result.name;
    table.rows.push_back(std::move(row));
  }
  std::vector<double> adjusted = adjustPValues(raw, Adjustment::Holm);
  for (size_t i = 0; i < adjusted.size(); ++i)
    if (!std::isnan(adjusted[i]))
      table.rows[i].p.undirected = PValue::of(adjusted[i]);
  result.tables.push_back(std::move(table));
  result.method = "p adjusted by Holm for " + std::to_string(contrasts.size()) + " comparisons";
  return result;
}

NamedGroups groupsFor(const ComputeSetting &setting) {
  const Situation &s = setting.situation;
  return {s.groups(s.ordered[0], s.ordered[1]), s.variable(s.ordered[0]).categories};
}

std::optional<NamedGroups> conditionsFor(const ComputeSetting &setting) {
  const Situation &s = setting.situation;
  Result<Matched> matched = s.matched(s.ordered[0], s.ordered[1]);
  if (!matched)
    return std::nullopt;
  NamedGroups groups{{}, s.variable(s.ordered[0]).categories};
  groups.values.resize(groups.names.size());
  for (const auto &subject : matched->values)
    for (size_t j = 0; j < groups.values.size(); ++j)
      groups.values[j].push_back(subject[j]);
  return groups;
}

std::optional<TestResult> allPairs(std::string_view computation, const ComputeSetting &setting) {
  if (computation == "f_test")
    return tukeyHsd(groupsFor(setting), setting.level);
  if (computation == "welch_anova")
    return gamesHowell(groupsFor(setting), setting.level);
  if (computation == "kruskall_wallis" || computation == "brunner_dette_munk")
    return dunn(groupsFor(setting), Adjustment::Holm, setting.level);
  std::optional<NamedGroups> conditions = conditionsFor(setting);
  if (conditions && computation.starts_with("rm_one_way_anova"))
    return pairwisePairedT(*conditions, Adjustment::Holm, setting.level);
  if (conditions && computation == "friedman")
    return conoverBlocks(*conditions, Adjustment::Holm, setting.level);
  return std::nullopt;
}

} // namespace

std::optional<TestResult> followUp(std::string_view computation, const ComputeSetting &setting) {
  std::string_view test = pairwiseComputation(computation);
  const Situation &s = setting.situation;
  if (test.empty() || s.ordered.size() != 2 || s.variable(s.ordered[0]).categories.size() < 3)
    return std::nullopt;
  std::vector<Contrast> contrasts = contrastsOf(s, s.variable(s.ordered[0]));
  return contrasts.empty() ? allPairs(computation, setting) : planned(test, contrasts, setting);
}

} // namespace imbrex::stats
