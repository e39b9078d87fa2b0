// Sign test: are positive and negative differences equally likely? Zero differences are left out.
// The estimate is the median of all differences with the interval of order statistics, whose
// attained level is stated.
#pragma once

#include "stats/procedures/TestResult.h"

#include <span>

namespace imbrex::stats {

TestResult signTest(std::span<const double> differences, double level = 0.95);

} // namespace imbrex::stats
