// Student's family of tests of means. Values may have any offset and scale (2^-600 … 2^600). O(n).
//
// Results: statistic t, df, three p-values, the difference of means (first minus second) with its
// interval, Cohen's d and Hedges' g with intervals by the noncentral t distribution. Values that do
// not vary give an infinite t when the means differ, and Undefined when they do not.
#pragma once

#include "stats/procedures/TestResult.h"
#include "stats/procedures/groups/Samples.h"

#include <span>

namespace imbrex::stats {

/// Mean of one sample against `hypothesised`; at least 2 values.
TestResult oneSampleT(std::span<const double> values, const LocationOptions &options = {});

/// Two independent groups with a common variance. One group may have a single value, the other then
/// needs two. d: over the pooled standard deviation.
TestResult studentsT(std::span<const double> first, std::span<const double> second,
                     const LocationOptions &options = {});

/// Two independent groups with their own variances (Welch 1947; Satterthwaite's fractional df); 2
/// values each. d: over the root of the mean of the two variances; its interval takes the test's
/// df, which is approximate.
TestResult welchsT(std::span<const double> first, std::span<const double> second,
                   const LocationOptions &options = {});

/// Pairs (first[i], second[i]); at least 2. d_z: mean over standard deviation of the differences.
TestResult pairedT(std::span<const double> first, std::span<const double> second,
                   const LocationOptions &options = {});

} // namespace imbrex::stats
