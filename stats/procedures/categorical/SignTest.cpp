#include "stats/procedures/categorical/SignTest.h"

#include "stats/numeric/Distributions.h"
#include "stats/procedures/Tails.h"
#include "stats/procedures/categorical/Binomial.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace imbrex::stats {
namespace {

/// [x_(k), x_(n+1-k)] with the largest k whose level is at least the one asked for, or the whole
/// range.
Interval medianInterval(const std::vector<double> &sorted, double level) {
  auto n = static_cast<int64_t>(sorted.size());
  Binomial half{n, 0.5};
  int64_t k = 1;
  while (k + 1 <= n / 2 && 1 - 2 * half.cdf(k) >= level)
    ++k;
  double achieved = 1 - 2 * half.cdf(k - 1);
  return {sorted[static_cast<size_t>(k - 1)], sorted[static_cast<size_t>(n - k)], level,
          std::max(0.0, achieved), "order statistics"};
}

} // namespace

TestResult signTest(std::span<const double> differences, double level) {
  TestResult result{.id = "sign", .name = "Sign test"};
  result.method = "exact binomial";
  if (!acceptPairs(result, differences, differences, 1))
    return result;
  auto positive =
      std::count_if(differences.begin(), differences.end(), [](double d) { return d > 0; });
  auto negative =
      std::count_if(differences.begin(), differences.end(), [](double d) { return d < 0; });
  auto used = positive + negative, zeros = static_cast<int64_t>(differences.size()) - used;
  result.n.push_back({"differences other than 0", static_cast<double>(used)});
  result.statistics = {{"positive differences", static_cast<double>(positive)},
                       {"negative differences", static_cast<double>(negative)}};
  if (zeros > 0)
    result.notes.push_back(std::to_string(zeros) + " differences of 0 were left out");
  if (used == 0)
    return result.undefined("all differences are 0");
  result.p = binomialTails(positive, used, 0.5);
  std::vector<double> sorted(differences.begin(), differences.end());
  std::sort(sorted.begin(), sorted.end());
  size_t n = sorted.size();
  Interval interval = medianInterval(sorted, level);
  if (interval.achieved < level)
    result.notes.push_back("so few differences cannot give an interval of the level asked for");
  result.estimate =
      Estimate{"median difference", (sorted[(n - 1) / 2] + sorted[n / 2]) / 2, interval};
  double share = static_cast<double>(positive) / static_cast<double>(used);
  Interval exact = clopperPearson(positive, used, level);
  result.effects.push_back(
      {"probability of a positive difference", share, exact, EffectDirection::FirstMinusSecond});
  result.effects.push_back(
      {"matched rank-biserial of signs", 2 * share - 1,
       Interval{2 * exact.low - 1, 2 * exact.high - 1, level, level, exact.method},
       EffectDirection::FirstMinusSecond});
  return result;
}

} // namespace imbrex::stats
