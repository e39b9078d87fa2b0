// What correlation procedures share: the coefficient itself and the interval of Fisher's z.
#pragma once

#include "stats/procedures/TestResult.h"

#include <optional>
#include <span>

namespace imbrex::stats {

/// Pearson's r in [-1, 1], from centred values scaled by their largest magnitude; NaN for a
/// constant column.
double correlationOf(std::span<const double> x, std::span<const double> y);

/// tanh(atanh(r) -+ z_(1+level)/2 * standardError); nothing when |r| = 1 makes it a point, or the
/// error is not finite.
std::optional<Interval> fisherInterval(double r, double standardError, double level,
                                       std::string method);

/// Adds r as estimate and effect.
void reportCorrelation(TestResult &result, const std::string &name, double r,
                       std::optional<Interval> interval);

/// "x is constant", "y is constant" or nothing.
std::optional<std::string> constantColumn(std::span<const double> x, std::span<const double> y);

} // namespace imbrex::stats
