// From a statistic to the p-values of all three alternatives. "greater" is the tail of large values
// of the statistic. Each value carries its logarithm, so that it is known where it underflows.
#pragma once

#include "stats/procedures/TestResult.h"

#include <span>

namespace imbrex::stats {

PValues normalTails(double z);
PValues studentTails(double t, double df);
/// Only `undirected`: the upper tail.
PValues chiSquaredTail(double statistic, double df);
PValues fisherFTail(double statistic, double df1, double df2);
/// From the exact tails P(T <= t) and P(T >= t); two-sided is twice the smaller, at most 1.
PValues exactTails(double atMost, double atLeast);

/// What the procedures on two columns require. Fills in a refusal and returns false when they do
/// not fit: different lengths, values that are not finite, fewer than `least` pairs.
bool acceptPairs(TestResult &result, std::span<const double> x, std::span<const double> y,
                 size_t least);

bool isConstant(std::span<const double> values);

} // namespace imbrex::stats
