// Effect sizes of F tests: shares of variance with intervals by the noncentral F distribution.
#pragma once

#include "stats/procedures/TestResult.h"

#include <optional>
#include <string>

namespace imbrex::stats {

/// lambda / (lambda + df1 + df2 + 1) at both limits of lambda (Steiger 2004); nothing when F is not
/// finite.
std::optional<Interval> varianceShareInterval(double f, double df1, double df2, double level);

/// The same for the term's share of itself and `rest`, sums of squares of other sources that are
/// held as they are, in units of the error's mean square: of the total, or all errors of a mixed
/// design.
std::optional<Interval> heldShareInterval(double f, double df1, double df2, double rest,
                                          double level);

/// Adds eta squared, omega squared and epsilon squared, named with `prefix` ("", "partial ").
void reportVarianceShares(std::vector<EffectSize> &effects, const std::string &prefix, double f,
                          double df1, double df2, double level);

} // namespace imbrex::stats
