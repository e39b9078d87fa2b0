// Conover's and Nemenyi's comparisons after Friedman's test.
#include "stats/procedures/posthoc/ComparisonsOfRanks.h"

#include "stats/numeric/StudentizedRange.h"
#include "stats/procedures/Tails.h"
#include "stats/procedures/groups/RankTests.h"
#include "stats/procedures/posthoc/RankSums.h"

#include <cmath>
#include <numbers>

namespace imbrex::stats {
namespace {

std::optional<RankSums> prepare(TestResult &result, const NamedGroups &conditions) {
  if (!acceptComparisons(result, conditions, 2))
    return std::nullopt;
  for (const std::vector<double> &condition : conditions.values)
    if (condition.size() != conditions.values[0].size()) {
      result.refused("each block needs all conditions");
      return std::nullopt;
    }
  return ranksInBlocks(conditions.values);
}

std::vector<EffectSize> pairedEffects(const NamedGroups &c, size_t i, size_t j, double level) {
  RankOptions options;
  options.exact = ExactRule::Never; // only the effect is wanted
  options.level = level;
  return wilcoxonSignedRank(c.values[i], c.values[j], options).effects;
}

Estimate difference(const RankSums &ranks, size_t i, size_t j) {
  return {"difference of mean ranks", ranks.meanRank(i) - ranks.meanRank(j), {}};
}

} // namespace

TestResult conoverBlocks(const NamedGroups &conditions, Adjustment adjustment, double level) {
  TestResult result{.id = "conover_blocks", .name = "Conover's test for blocks"};
  result.method = "t distribution on ranks within blocks";
  auto ranks = prepare(result, conditions);
  if (!ranks)
    return result;
  double b = ranks->counts[0], k = static_cast<double>(conditions.values.size());
  double df = (b - 1) * (k - 1), sums = 0;
  for (double sum : ranks->sums)
    sums += sum * sum;
  // Conover's 2 (b A - sum R^2) / df, A the sum of squared ranks.
  double error = std::sqrt(std::max(0.0, 2 * (b * ranks->squares - sums) / df));
  compareAll(result, conditions, adjustment, [&](ResultRow &row, size_t i, size_t j) {
    row.estimate = difference(*ranks, i, j);
    double t = (ranks->sums[i] - ranks->sums[j]) / error;
    double raw = std::isnan(t) ? t : studentTails(t, df).undirected->value;
    row.numbers = {{"t", t}, {"df", df}, {"raw p", raw}};
    row.effects = pairedEffects(conditions, i, j, level);
  });
  return result;
}

TestResult nemenyiBlocks(const NamedGroups &conditions, double level) {
  TestResult result{.id = "nemenyi_blocks", .name = "Nemenyi's test for blocks"};
  result.method = "studentised range of mean ranks within blocks";
  auto ranks = prepare(result, conditions);
  if (!ranks)
    return result;
  double b = ranks->counts[0], k = static_cast<double>(conditions.values.size());
  StudentizedRange range{k, HUGE_VAL};
  double error = std::sqrt(k * (k + 1) / (6 * b));
  compareAll(result, conditions, [&](ResultRow &row, size_t i, size_t j) {
    row.estimate = difference(*ranks, i, j);
    double q = std::abs(row.estimate->value) / error * std::numbers::sqrt2;
    row.numbers = {{"q", q}, {"raw p", std::nan("")}};
    row.p.undirected = PValue::of(range.sf(q));
    row.effects = pairedEffects(conditions, i, j, level);
  });
  return result;
}

} // namespace imbrex::stats
