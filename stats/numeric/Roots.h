// Where a continuous function crosses zero.
#pragma once

#include <functional>
#include <optional>

namespace imbrex::stats {

/// The root in [low, high] to the last bits (TOMS 748); an end at which f is 0 counts. Nothing when
/// f has the same sign at both ends, or is NaN there.
std::optional<double> findRoot(const std::function<double(double)> &f, double low, double high);

/// As findRoot, after doubling the distance of `high` from `low` until the sign changes, at most
/// `doublings` times.
std::optional<double> findRootAbove(const std::function<double(double)> &f, double low, double high,
                                    int doublings = 200);

} // namespace imbrex::stats
