// Order statistics of all differences between two samples, and of all Walsh averages of one,
// without forming them: bisection over the doubles and counting in O(n) each, about 64 passes. Both
// inputs must be sorted.
#pragma once

#include <cstdint>
#include <span>

namespace imbrex::stats {

/// The k-th smallest (from 1) of first[i] - second[j].
double differenceAt(std::span<const double> first, std::span<const double> second, int64_t k);
double medianDifference(std::span<const double> first, std::span<const double> second);

/// The k-th smallest (from 1) of (values[i] + values[j]) / 2, i <= j.
double walshAverageAt(std::span<const double> values, int64_t k);
double medianWalshAverage(std::span<const double> values);

} // namespace imbrex::stats
