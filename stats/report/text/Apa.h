// One sentence as a journal expects it (APA 7): statistic with degrees of freedom, p, effect size
// with its interval.
#pragma once

#include "stats/select/Compute.h"

namespace imbrex::stats {

/// "Welch's t-test, one-sided: t(24.93) = 3.90, p < .001, d = 1.40, 95% CI [0.55, 2.23]." Empty
/// without numbers.
std::string apaSentence(const Computed &computed);

/// "t(24.93) = 3.90"
std::string apaStatistic(const TestResult &result);

/// How many degrees of freedom belong to the statistic: two for F, else one.
size_t freedoms(const TestResult &result);

} // namespace imbrex::stats
