// Correlation of x and y with the linear influence of covariates removed from both. t with n - 2 -
// k degrees of freedom, k the rank of the covariates. Orthogonalises by modified Gram-Schmidt,
// twice: O(n k^2).
#pragma once

#include "stats/procedures/TestResult.h"

#include <span>
#include <vector>

namespace imbrex::stats {

TestResult partialCorrelation(std::span<const double> x, std::span<const double> y,
                              const std::vector<std::vector<double>> &covariates,
                              double level = 0.95);

} // namespace imbrex::stats
