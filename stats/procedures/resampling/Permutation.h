// Permutation tests: the statistic's distribution when the labels are exchangeable. All
// arrangements when there are at most `exactLimit`; otherwise `samples` random ones, seeded, and p
// = (hits + 1) / (samples + 1), which is a valid p-value itself (Phipson and Smyth 2010); its
// Monte-Carlo error is in the statistics.
#pragma once

#include "stats/numeric/Moments.h"
#include "stats/procedures/TestResult.h"

#include <cstdint>
#include <span>

namespace imbrex::stats {

struct PermutationOptions {
  double exactLimit = 200000;
  int64_t samples = 20000;
  uint64_t seed = 1;
  std::optional<double> level = {}; // of intervals; without it no effect sizes are computed
};

enum class GroupStatistic {
  MeanDifference, // exact for equal distributions
  WelchT,         // studentised: valid for unequal variances too, as n grows (Janssen 1997)
};

/// Two independent groups. Two-sided: at least as far from 0.
TestResult permutationTwoGroups(std::span<const double> first, std::span<const double> second,
                                GroupStatistic statistic = GroupStatistic::MeanDifference,
                                const PermutationOptions &options = {});
/// Pairs: signs of the differences flip.
TestResult permutationPaired(std::span<const double> first, std::span<const double> second,
                             const PermutationOptions &options = {});
/// Several groups, by F.
TestResult permutationGroups(const Groups &groups, const PermutationOptions &options = {});
/// Pearson's r.
TestResult permutationCorrelation(std::span<const double> x, std::span<const double> y,
                                  const PermutationOptions &options = {});

} // namespace imbrex::stats
