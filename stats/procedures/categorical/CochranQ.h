// Cochran's Q: do k yes/no measurements of the same subjects have equal shares of yes? Chi-square
// with k - 1 degrees of freedom. Effect size eta squared = Q / (n (k - 1)) (Serlin, Carr and
// Marascuilo 1982), by noncentral chi-square.
#pragma once

#include "stats/procedures/TestResult.h"

#include <span>
#include <vector>

namespace imbrex::stats {

/// answers[measurement][subject] is 0 or 1.
TestResult cochranQ(const std::vector<std::vector<int>> &answers, double level = 0.95);

} // namespace imbrex::stats
