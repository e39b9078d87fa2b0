// Point-biserial correlation: Pearson's r between a measurement and a category coded 0 (first) and
// 1 (second). Its p-value is that of Student's pooled t-test. Positive: the second category has the
// larger values.
#pragma once

#include "stats/procedures/TestResult.h"

#include <span>

namespace imbrex::stats {

TestResult pointBiserial(std::span<const double> first, std::span<const double> second,
                         double level = 0.95);

} // namespace imbrex::stats
