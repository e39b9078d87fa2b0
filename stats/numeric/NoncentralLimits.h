// Confidence limits of noncentrality parameters, by inverting the noncentral distributions (Steiger
// and Fouladi 1997). They turn into intervals of effect sizes: Cohen's d from t, eta squared from
// F.
#pragma once

#include <optional>
#include <utility>

namespace imbrex::stats {

/// [low, high] of delta with P(T >= t | low) = P(T <= t | high) = (1 - level) / 2. Nothing when t
/// is not finite or its magnitude is out of reach (beyond 1e12).
std::optional<std::pair<double, double>> noncentralityOfT(double t, double df, double level);

/// The same of lambda; a limit that would be negative is 0.
std::optional<std::pair<double, double>> noncentralityOfF(double f, double df1, double df2,
                                                          double level);
std::optional<std::pair<double, double>> noncentralityOfChiSquared(double statistic, double df,
                                                                   double level);

} // namespace imbrex::stats
