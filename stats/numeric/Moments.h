// Sums, means and centred sums of squares without loss: shifted to the data, scaled by a power of
// two, compensated.
//
// Work on groups of values in the units of a CommonScale: with an offset of 1e9 or a scale of 2^600
// the squares neither cancel nor overflow, and results go back by location(), difference() and
// square roots of them. O(n).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace imbrex::stats {

using Groups = std::vector<std::vector<double>>;

/// Neumaier's compensated sum.
class Sum {
public:
  void add(double x);
  double value() const { return total + lost; }

private:
  double total = 0;
  double lost = 0;
};

struct Moments {
  size_t n = 0;
  double mean = 0;
  double squares = 0; // sum of (x - mean)^2

  double variance() const; // over n - 1; NaN when n < 2
  double deviation() const;
};

/// Two passes and the correction of Chan, Golub and LeVeque (1983).
Moments momentsOf(std::span<const double> values);

/// Units in which all values lie within [-1, 1]: y = (x - shift) / 2^exponent. The subtraction is
/// the only rounding.
class CommonScale {
public:
  explicit CommonScale(std::span<const double> values);
  explicit CommonScale(const Groups &groups);

  double scaled(double x) const;
  std::vector<double> scaled(std::span<const double> values) const;
  Groups scaled(const Groups &groups) const;
  double scaledDifference(double d) const;
  /// Back to the data's units: a place, and a distance (a difference, a standard deviation).
  double location(double y) const;
  double difference(double y) const;

private:
  void fit(double first, double low, double high);
  int before = 0;   // x is divided by 2^before first, so that high - low does not overflow
  double shift = 0; // in units of 2^before
  int exponent = 0;
};

bool allFinite(std::span<const double> values);
bool allFinite(const Groups &groups);
double medianOf(std::vector<double> values); // NaN when empty

} // namespace imbrex::stats
