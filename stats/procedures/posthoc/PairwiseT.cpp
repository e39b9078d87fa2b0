#include "stats/procedures/posthoc/PairStatistics.h"

#include "stats/numeric/Distributions.h"
#include "stats/procedures/Tails.h"
#include "stats/procedures/groups/TTests.h"

#include <cmath>

namespace imbrex::stats {
namespace {

/// Takes over what a t-test of two groups says.
void takeOver(ResultRow &row, const TestResult &test) {
  row.estimate = test.estimate;
  row.effects = test.effects;
  double raw = test.p.undirected && test.defined() ? test.p.undirected->value : std::nan("");
  row.numbers = {{"t", test.statistic("t")}, {"df", test.freedom()}, {"raw p", raw}};
}

} // namespace

TestResult pairwiseT(const NamedGroups &groups, Adjustment adjustment, Deviation deviation,
                     double level) {
  TestResult result{.id = "pairwise_t", .name = "Pairwise t-tests"};
  bool pooled = deviation == Deviation::Pooled;
  result.method = pooled ? "standard deviation pooled over all groups" : "Welch's t-tests";
  if (!acceptComparisons(result, groups, pooled ? 1 : 2))
    return result;
  GroupMoments moments(groups.values);
  double df = moments.freedom();
  if (pooled && df < 1)
    return result.refused("there are no more values than groups");
  compareAll(result, groups, adjustment, [&](ResultRow &row, size_t i, size_t j) {
    LocationOptions options{.level = level};
    if (!pooled)
      return takeOver(row, welchsT(groups.values[i], groups.values[j], options));
    double difference = moments.difference(i, j), error = moments.pooledError(i, j);
    double t = difference / error, half = StudentT{df}.quantileUpper((1 - level) / 2) * error;
    double raw = studentTails(t, df).undirected->value;
    row.numbers = {{"t", t}, {"df", df}, {"raw p", std::isnan(t) ? t : raw}};
    row.estimate = moments.estimate(i, j, half, level, "t, pooled");
    row.effects = pairEffects(groups.values[i], groups.values[j], level);
  });
  return result;
}

TestResult pairwisePairedT(const NamedGroups &conditions, Adjustment adjustment, double level) {
  TestResult result{.id = "pairwise_paired_t", .name = "Pairwise paired t-tests"};
  result.method = "paired t-tests";
  if (!acceptComparisons(result, conditions, 2))
    return result;
  for (const std::vector<double> &condition : conditions.values)
    if (condition.size() != conditions.values[0].size())
      return result.refused("each subject needs all conditions");
  compareAll(result, conditions, adjustment, [&](ResultRow &row, size_t i, size_t j) {
    takeOver(row, pairedT(conditions.values[i], conditions.values[j], {.level = level}));
  });
  return result;
}

} // namespace imbrex::stats
