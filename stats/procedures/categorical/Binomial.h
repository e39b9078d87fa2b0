// Exact test of a proportion. Two-sided: all counts at most as probable as the observed one
// (relative 1e-7). Intervals: Clopper-Pearson (the estimate's) and Wilson's. Effect size: Cohen's
// h.
#pragma once

#include "stats/procedures/TestResult.h"

#include <cstdint>

namespace imbrex::stats {

TestResult binomialTest(int64_t successes, int64_t trials, double proportion = 0.5,
                        double level = 0.95);

PValues binomialTails(int64_t successes, int64_t trials, double proportion);
Interval clopperPearson(int64_t successes, int64_t trials, double level);
Interval wilson(int64_t successes, int64_t trials, double level);

} // namespace imbrex::stats
