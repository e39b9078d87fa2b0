// Kendall's tau-b. Concordant minus discordant pairs by merge sort (Knight 1966): O(n log n), in 64
// bits; products of ties in double precision, which 2 * 10^5 rows already need.
//
// p-values: exact without ties by counting inversions, with ties over all arrangements, when the
// convention says so; otherwise normal with the variance corrected for ties in both variables
// (Kendall 1970), by choice with Yates' continuity. The interval is Fieller, Hartley and Pearson's
// (1957).
#pragma once

#include "stats/procedures/Conventions.h"
#include "stats/procedures/TestResult.h"

#include <span>

namespace imbrex::stats {

TestResult kendall(std::span<const double> x, std::span<const double> y,
                   const Conventions &conventions, double level = 0.95);

} // namespace imbrex::stats
