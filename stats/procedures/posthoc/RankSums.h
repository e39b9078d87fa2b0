// Ranks over all groups together, and within blocks, summed by group.
#pragma once

#include "stats/numeric/Moments.h"

#include <vector>

namespace imbrex::stats {

struct RankSums {
  std::vector<double> sums;   // of each group
  std::vector<double> counts; // of each group
  double squares = 0;         // of all ranks
  double total = 0;           // values
  double tieTerm = 0;         // sum of t^3 - t

  double meanRank(size_t group) const { return sums[group] / counts[group]; }
  /// Variance of all ranks over N - 1.
  double variance() const;
  /// Kruskal and Wallis' H, corrected for ties.
  double statistic() const;
};

RankSums ranksOverall(const Groups &groups);
/// Each block ranked on its own; `conditions` have equal lengths.
RankSums ranksInBlocks(const Groups &conditions);

} // namespace imbrex::stats
