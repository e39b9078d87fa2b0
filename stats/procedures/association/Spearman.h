// Spearman's rank correlation: Pearson's r of midranks, with the statistic S = (n^3 - n)(1 - rho) /
// 6, which is the sum of squared rank differences when there are no ties.
//
// p-values: exact over all n! arrangements, with ties too, when the convention says so and the work
// allows; the Edgeworth series of Best and Roberts (1975, AS 89) without ties below the
// convention's limit; Student's t otherwise. The interval is Bonett and Wright's (2000).
#pragma once

#include "stats/procedures/Conventions.h"
#include "stats/procedures/TestResult.h"

#include <span>

namespace imbrex::stats {

TestResult spearman(std::span<const double> x, std::span<const double> y,
                    const Conventions &conventions, double level = 0.95);

/// P(S >= s) for n untied pairs, s even, by the Edgeworth series.
double spearmanSeriesAtLeast(double s, double n);

} // namespace imbrex::stats
