#include "stats/select/Designs.h"

#include "stats/procedures/posthoc/RepeatedComparisons.h"

#include <algorithm>

namespace imbrex::stats {
namespace {

Factor factorOf(const Situation &s, const std::string &name) {
  std::vector<int> codes = s.codes(name);
  return {name, s.variable(name).categories, {codes.begin(), codes.end()}};
}

/// Matched participants and their groups; those of unknown group are left out. The reason when
/// there are none.
std::string takeSubjects(RepeatedDesign &design, const Situation &s, const Matched &matched,
                         const std::vector<std::string> &between) {
  std::vector<std::vector<int32_t>> codes;
  for (const std::string &name : between) {
    Result<std::vector<int32_t>> list = categoryOfSubjects(matched, *s.column(name));
    if (!list)
      return list.error().what;
    codes.push_back(list.take());
    design.between.push_back({name, s.variable(name).categories, {}});
  }
  for (size_t i = 0; i < matched.subjects.size(); ++i) {
    if (std::any_of(codes.begin(), codes.end(), [&](const auto &list) { return list[i] < 0; }))
      continue;
    for (size_t f = 0; f < codes.size(); ++f)
      design.between[f].codes.push_back(codes[f][i]);
    design.subjects.push_back(matched.values[i]);
  }
  return "";
}

} // namespace

std::string notCategorical(const Situation &s) {
  if (s.explanatory.empty() || s.explained.size() != 1)
    return "it needs explanatory variables and one explained variable";
  for (const std::string &x : s.explanatory)
    if (s.variable(x).continuous())
      return "'" + x + "' has no categories";
  return "";
}

FactorialDesign factorialDesignOf(const ComputeSetting &setting) {
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

Result<RepeatedDesign> repeatedDesignOf(const ComputeSetting &setting, Matched &matched) {
  const Situation &s = setting.situation;
  if (std::string reason = notCategorical(s); !reason.empty())
    return badInput(1255, reason);
  std::vector<std::string> within = s.withinFactors();
  if (within.empty())
    return badInput(1255, "no factor is within subjects");
  Result<Matched> found = s.matched(within, s.explained[0]);
  if (!found)
    return found.takeError();
  matched = found.take();
  RepeatedDesign design;
  design.level = setting.level;
  for (const std::string &name : within)
    design.within.push_back({name, s.variable(name).categories});
  if (std::string reason = takeSubjects(design, s, matched, s.betweenFactors()); !reason.empty())
    return badInput(1255, reason);
  return design;
}

Result<ParticipantsMeans> participantsMeans(const ComputeSetting &setting,
                                            const Contrast &contrast) {
  const Situation &s = setting.situation;
  Matched matched;
  Result<RepeatedDesign> design = repeatedDesignOf(setting, matched);
  if (!design)
    return design.takeError();
  const std::string &factor = s.hypothesis.compared;
  const std::vector<std::string> &categories = s.variable(factor).categories;
  LevelPairs levels = levelPairs(*design, factor, ComparisonScope::Marginal);
  auto [low, high] = std::minmax(contrast.first, contrast.second);
  std::string name = categories[low] + " - " + categories[high];
  for (ComparedLevels &pair : levels.pairs) {
    if (pair.name != name)
      continue;
    if (contrast.first > contrast.second)
      std::swap(pair.first, pair.second);
    for (double &value : pair.second)
      value *= contrast.factor;
    return ParticipantsMeans{levels.paired, std::move(pair.first), std::move(pair.second)};
  }
  return badInput(1255, "the design has no factor '" + factor + "'");
}

} // namespace imbrex::stats
