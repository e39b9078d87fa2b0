// Could these values come from a normal distribution?
#pragma once

#include "stats/procedures/TestResult.h"

#include <span>

namespace imbrex::stats {

/// Shapiro and Wilk's W with Royston's p-value (1995, algorithm AS R94); 3 to 5000 values. Above
/// 5000 W is right but the p-value lies outside what Royston fitted: a note says so. Nothing is
/// ever subsampled. A small p speaks against normality. Constant values: Undefined. O(n log n).
TestResult shapiroWilk(std::span<const double> values);

} // namespace imbrex::stats
