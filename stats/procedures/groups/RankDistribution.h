// Exact null distributions of rank sums, conditional on the ranks that occurred (midranks
// included), by the shift algorithm of Streitberg and Röhmel (1986) on doubled ranks. Counts are
// exact below 2^53 and never cancel, so that small tails keep their relative accuracy.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace imbrex::stats {

class RankDistribution {
public:
  /// Sum of the ranks of `chosen` of them, each choice equally likely. Work: n * chosen * (range of
  /// sums).
  static std::optional<RankDistribution> ofSubset(std::span<const int64_t> doubledRanks,
                                                  int64_t chosen);
  /// Sum of the ranks with a positive sign, each pattern of signs equally likely.
  static std::optional<RankDistribution> ofSigns(std::span<const int64_t> doubledRanks);

  double atMost(int64_t doubledSum) const;
  double atLeast(int64_t doubledSum) const;
  /// P(|sum - mean| >= |observed - mean|).
  double asFar(int64_t doubledSum) const;
  /// Of untied ranks: the largest k such that the k smallest sums have together at most probability
  /// p. So many order statistics may lie outside a confidence limit.
  int64_t orderAtMost(double p) const;

private:
  int64_t least = 0; // doubled sum of weight[0]
  int64_t unit = 1;  // doubled sums that occur lie this far apart
  std::vector<double> weight;
  double total = 0;
};

} // namespace imbrex::stats
