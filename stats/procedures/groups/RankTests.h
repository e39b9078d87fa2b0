// Tests of location on ranks: no assumption of normality.
#pragma once

#include "stats/procedures/Conventions.h"
#include "stats/procedures/TestResult.h"

#include <optional>
#include <span>

namespace imbrex::stats {

struct RankOptions {
  Conventions conventions = Conventions::R46();
  std::optional<ExactRule> exact; // instead of the conventions'
  double hypothesised = 0;        // shift (two groups), median (one sample)
  double level = 0.95;
};

/// Mann-Whitney U = Wilcoxon rank sum. Statistic "U" counts pairs in which the first group is
/// larger, ties half; "U of the second group" is the rest. Exact p-values are conditional on the
/// midranks. Estimate: the median of all differences (Hodges and Lehmann) with its interval;
/// effects: A12 = P(first > second) + P(equal)/2 with Newcombe's interval (2006, method 5), and
/// rank-biserial = 2 A12 - 1. All values tied: Undefined. Cost: O(n log n), exact O(n^2 m n) for
/// small groups.
TestResult mannWhitney(std::span<const double> first, std::span<const double> second,
                       const RankOptions &options = {});

/// Wilcoxon's signed rank test of pairs. Statistic "V" is the rank sum of positive differences
/// (first - second). Differences equal up to roundoff of their operands tie. Estimate: the median
/// of Walsh averages with its interval; effect: matched-pairs rank-biserial (T+ - T-) / (T+ + T-).
/// All differences zero: Undefined.
TestResult wilcoxonSignedRank(std::span<const double> first, std::span<const double> second,
                              const RankOptions &options = {});

/// The same of one sample against `hypothesised`.
TestResult oneSampleWilcoxon(std::span<const double> values, const RankOptions &options = {});

/// Brunner and Munzel (2000): are values of one group as often larger as smaller? Needs neither
/// equal variances nor equal shapes. Positive when the first group is larger. Undefined when the
/// groups do not overlap, since its variance is then 0.
TestResult brunnerMunzel(std::span<const double> first, std::span<const double> second,
                         double level = 0.95);

/// Newcombe's interval of A12 by solving (theta - estimate)^2 = z^2 V(theta).
Interval superiorityInterval(double a12, double n1, double n2, double level);

} // namespace imbrex::stats
