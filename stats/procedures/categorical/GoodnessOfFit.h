// Do counts follow given proportions? Pearson's chi-square or the G statistic with k - 1 degrees of
// freedom; effect size Cohen's w with an interval by noncentral chi-square.
#pragma once

#include "stats/procedures/TestResult.h"

#include <cstdint>
#include <span>
#include <string>

namespace imbrex::stats {

enum class FitStatistic { Pearson, LikelihoodRatio };

/// `proportions` empty: equal ones. They must be positive and sum to 1 (to 1e-8). `names` may be
/// empty.
TestResult goodnessOfFit(std::span<const int64_t> counts, std::span<const double> proportions,
                         std::span<const std::string> names,
                         FitStatistic statistic = FitStatistic::Pearson, double level = 0.95);

} // namespace imbrex::stats
