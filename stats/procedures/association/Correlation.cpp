#include "stats/procedures/association/Correlation.h"

#include "stats/numeric/Distributions.h"
#include "stats/procedures/Tails.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace imbrex::stats {
namespace {

/// Deviations from the mean, scaled so that squares neither overflow nor underflow: first by a
/// power of two, which rounds nothing, then to a largest magnitude of 1.
std::vector<double> centred(std::span<const double> values) {
  double scale = 0;
  for (double value : values)
    scale = std::max(scale, std::abs(value));
  std::vector<double> result(values.begin(), values.end());
  if (scale == 0)
    return result;
  int exponent = std::ilogb(scale);
  long double sum = 0;
  for (double &value : result) {
    value = std::ldexp(value, -exponent);
    sum += value;
  }
  auto mean = static_cast<double>(sum / static_cast<long double>(values.size()));
  long double rest = 0; // the mean's own rounding error
  for (double value : result)
    rest += static_cast<long double>(value) - mean;
  rest /= static_cast<long double>(values.size());
  double spread = 0;
  for (double &value : result) {
    value = static_cast<double>(static_cast<long double>(value) - mean - rest);
    spread = std::max(spread, std::abs(value));
  }
  for (double &value : result)
    value /= spread > 0 ? spread : 1;
  return result;
}

} // namespace

double correlationOf(std::span<const double> x, std::span<const double> y) {
  if (isConstant(x) || isConstant(y))
    return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> a = centred(x), b = centred(y);
  long double products = 0, squaresA = 0, squaresB = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    products += static_cast<long double>(a[i]) * b[i];
    squaresA += static_cast<long double>(a[i]) * a[i];
    squaresB += static_cast<long double>(b[i]) * b[i];
  }
  return std::clamp(static_cast<double>(products / (std::sqrt(squaresA) * std::sqrt(squaresB))),
                    -1.0, 1.0);
}

std::optional<Interval> fisherInterval(double r, double standardError, double level,
                                       std::string method) {
  if (!std::isfinite(standardError) || standardError <= 0)
    return std::nullopt;
  double half = Normal{}.quantileUpper((1 - level) / 2) * standardError;
  double z = std::atanh(r);
  return Interval{std::tanh(z - half), std::tanh(z + half), level, level, std::move(method)};
}

void reportCorrelation(TestResult &result, const std::string &name, double r,
                       std::optional<Interval> interval) {
  result.estimate = Estimate{name, r, interval};
  result.effects.push_back({name, r, std::move(interval), EffectDirection::FirstMinusSecond});
}

std::optional<std::string> constantColumn(std::span<const double> x, std::span<const double> y) {
  if (isConstant(x))
    return "the first variable is constant, so a correlation has no value";
  if (isConstant(y))
    return "the second variable is constant, so a correlation has no value";
  return std::nullopt;
}

} // namespace imbrex::stats
