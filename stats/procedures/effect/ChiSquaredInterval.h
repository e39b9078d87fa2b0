// Intervals of effect sizes that are functions of a chi-square's noncentrality lambda.
#pragma once

#include "stats/procedures/TestResult.h"

#include <optional>

namespace imbrex::stats {

/// Of Cohen's w, phi and Cramer's V: sqrt(lambda / scale), at most `most`.
std::optional<Interval> rootInterval(double statistic, double df, double scale, double level,
                                     double most = 1);
/// Of statistic / scale (Kendall's W of Friedman's test, eta squared of Cochran's): lambda / scale,
/// at most 1.
std::optional<Interval> shareInterval(double statistic, double df, double scale, double level);

} // namespace imbrex::stats
