// Dunn's, Conover's and Nemenyi's comparisons after Kruskal-Wallis.
#include "stats/procedures/posthoc/ComparisonsOfRanks.h"

#include "stats/numeric/StudentizedRange.h"
#include "stats/procedures/Tails.h"
#include "stats/procedures/groups/RankTests.h"
#include "stats/procedures/posthoc/RankSums.h"

#include <cmath>
#include <numbers>

namespace imbrex::stats {
namespace {

std::vector<EffectSize> rankEffects(const NamedGroups &groups, size_t i, size_t j, double level) {
  RankOptions options;
  options.exact = ExactRule::Never; // only the effect is wanted
  options.level = level;
  return mannWhitney(groups.values[i], groups.values[j], options).effects;
}

/// Accepts the groups and ranks them; nothing when the result has its answer already.
std::optional<RankSums> prepare(TestResult &result, const NamedGroups &groups) {
  if (!acceptComparisons(result, groups, 1))
    return std::nullopt;
  RankSums ranks = ranksOverall(groups.values);
  if (ranks.variance() <= 0) {
    result.undefined("all values are equal");
    return std::nullopt;
  }
  result.statistics = {{"H", ranks.statistic()}};
  return ranks;
}

double spread(const RankSums &ranks, size_t i, size_t j) {
  return std::sqrt(ranks.variance() * (1 / ranks.counts[i] + 1 / ranks.counts[j]));
}

Estimate difference(const RankSums &ranks, size_t i, size_t j) {
  return {"difference of mean ranks", ranks.meanRank(i) - ranks.meanRank(j), {}};
}

} // namespace

TestResult dunn(const NamedGroups &groups, Adjustment adjustment, double level) {
  TestResult result{.id = "dunn", .name = "Dunn's test"};
  result.method = "normal approximation with correction for ties";
  auto ranks = prepare(result, groups);
  if (!ranks)
    return result;
  compareAll(result, groups, adjustment, [&](ResultRow &row, size_t i, size_t j) {
    row.estimate = difference(*ranks, i, j);
    double z = row.estimate->value / spread(*ranks, i, j);
    row.numbers = {{"z", z}, {"raw p", normalTails(z).undirected->value}};
    row.effects = rankEffects(groups, i, j, level);
  });
  return result;
}

TestResult conover(const NamedGroups &groups, Adjustment adjustment, double level) {
  TestResult result{.id = "conover", .name = "Conover's test"};
  result.method = "t distribution on ranks";
  auto ranks = prepare(result, groups);
  if (!ranks)
    return result;
  double n = ranks->total, df = n - static_cast<double>(groups.values.size());
  if (df < 1)
    return result.refused("there are no more values than groups");
  // What is left of the ranks' variance after the groups explain H of N - 1.
  double rest = std::sqrt(std::max(0.0, (n - 1 - ranks->statistic()) / df));
  compareAll(result, groups, adjustment, [&](ResultRow &row, size_t i, size_t j) {
    row.estimate = difference(*ranks, i, j);
    double t = row.estimate->value / (spread(*ranks, i, j) * rest);
    double raw = std::isnan(t) ? t : studentTails(t, df).undirected->value;
    row.numbers = {{"t", t}, {"df", df}, {"raw p", raw}};
    row.effects = rankEffects(groups, i, j, level);
  });
  return result;
}

TestResult nemenyi(const NamedGroups &groups, double level) {
  TestResult result{.id = "nemenyi", .name = "Nemenyi's test"};
  result.method = "studentised range of mean ranks, corrected for ties";
  auto ranks = prepare(result, groups);
  if (!ranks)
    return result;
  StudentizedRange range{static_cast<double>(groups.values.size()), HUGE_VAL};
  compareAll(result, groups, [&](ResultRow &row, size_t i, size_t j) {
    row.estimate = difference(*ranks, i, j);
    double q = std::abs(row.estimate->value) / spread(*ranks, i, j) * std::numbers::sqrt2;
    row.numbers = {{"q", q}, {"raw p", std::nan("")}};
    row.p.undirected = PValue::of(range.sf(q));
    row.effects = rankEffects(groups, i, j, level);
  });
  return result;
}

} // namespace imbrex::stats
