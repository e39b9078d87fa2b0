#include "stats/numeric/Moments.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace imbrex::stats {

void Sum::add(double x) {
  double next = total + x;
  lost += std::fabs(total) >= std::fabs(x) ? (total - next) + x : (x - next) + total;
  total = next;
}

double Moments::variance() const {
  return n < 2 ? std::numeric_limits<double>::quiet_NaN() : squares / static_cast<double>(n - 1);
}
double Moments::deviation() const { return std::sqrt(variance()); }

Moments momentsOf(std::span<const double> values) {
  Moments moments;
  moments.n = values.size();
  if (values.empty())
    return moments;
  double n = static_cast<double>(values.size());
  Sum sum;
  for (double x : values)
    sum.add(x);
  moments.mean = sum.value() / n;
  Sum squares, deviations;
  for (double x : values) {
    double d = x - moments.mean;
    squares.add(d * d);
    deviations.add(d);
  }
  moments.mean += deviations.value() / n;
  moments.squares = std::max(0.0, squares.value() - deviations.value() * deviations.value() / n);
  // The mean of equal values is that value, although the sum rounds.
  auto [low, high] = std::minmax_element(values.begin(), values.end());
  if (*low == *high)
    moments.mean = *low, moments.squares = 0;
  return moments;
}

void CommonScale::fit(double first, double low, double high) {
  double largest = std::max(std::fabs(low), std::fabs(high));
  if (largest > 0x1p900) // a difference of two may overflow
    before = 200;
  shift = std::ldexp(first, -before);
  double reach = std::max(std::ldexp(high, -before) - shift, shift - std::ldexp(low, -before));
  if (reach > 0)
    std::frexp(reach, &exponent);
}

CommonScale::CommonScale(std::span<const double> values) {
  if (values.empty())
    return;
  auto [low, high] = std::minmax_element(values.begin(), values.end());
  fit(values[0], *low, *high);
}

CommonScale::CommonScale(const Groups &groups) {
  double low = std::numeric_limits<double>::infinity(), high = -low, first = 0;
  bool any = false;
  for (const auto &group : groups)
    for (double x : group) {
      first = any ? first : x;
      any = true;
      low = std::min(low, x);
      high = std::max(high, x);
    }
  if (any)
    fit(first, low, high);
}

double CommonScale::scaled(double x) const {
  return std::ldexp((before ? std::ldexp(x, -before) : x) - shift, -exponent);
}

std::vector<double> CommonScale::scaled(std::span<const double> values) const {
  std::vector<double> result(values.size());
  std::transform(values.begin(), values.end(), result.begin(), [&](double x) { return scaled(x); });
  return result;
}

Groups CommonScale::scaled(const Groups &groups) const {
  Groups result;
  for (const auto &group : groups)
    result.push_back(scaled(group));
  return result;
}

double CommonScale::location(double y) const {
  return std::ldexp(shift + std::ldexp(y, exponent), before);
}
double CommonScale::difference(double y) const { return std::ldexp(y, exponent + before); }

double CommonScale::scaledDifference(double d) const { return std::ldexp(d, -before - exponent); }

bool allFinite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}
bool allFinite(const Groups &groups) {
  return std::all_of(groups.begin(), groups.end(), [](const auto &g) { return allFinite(g); });
}

double medianOf(std::vector<double> values) {
  if (values.empty())
    return std::numeric_limits<double>::quiet_NaN();
  size_t half = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + half, values.end());
  double upper = values[half];
  if (values.size() % 2)
    return upper;
  double lower = *std::max_element(values.begin(), values.begin() + half);
  return std::midpoint(lower, upper);
}

} // namespace imbrex::stats
