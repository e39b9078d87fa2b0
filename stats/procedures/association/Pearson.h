// Pearson's product-moment correlation: t with n - 2 degrees of freedom, interval by Fisher's z (n
// >= 4). Two pairs: r is 1 or -1 and p is 1. A constant variable: undefined.
#pragma once

#include "stats/procedures/TestResult.h"

#include <span>

namespace imbrex::stats {

TestResult pearson(std::span<const double> x, std::span<const double> y, double level = 0.95);

/// p-values and t of a correlation coefficient on `df` degrees of freedom, put into `result`.
void testCorrelation(TestResult &result, double r, double df);

} // namespace imbrex::stats
