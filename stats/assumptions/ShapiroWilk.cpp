// P. Royston, Remark AS R94: A remark on algorithm AS 181: the W-test for normality, Applied
// Statistics 44 (1995).
#include "stats/assumptions/Normality.h"
#include "stats/numeric/Distributions.h"
#include "stats/numeric/Moments.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace imbrex::stats {
namespace {

template <size_t N> double polynomial(const double (&coefficients)[N], double x) {
  double value = 0;
  for (size_t i = N; i-- > 0;)
    value = value * x + coefficients[i];
  return value;
}

/// Weights of the upper half of the ordered values, the largest value first; the lower half is the
/// mirror image.
std::vector<double> weights(size_t n) {
  size_t half = n / 2;
  std::vector<double> a(half);
  if (n == 3) {
    a[0] = std::numbers::sqrt2 / 2;
    return a;
  }
  // Blom's approximation of the expected order statistics; the two outermost weights by polynomials
  // in 1/sqrt(n).
  double squares = 0, size = double(n);
  for (size_t i = 0; i < half; ++i) {
    a[i] = -Normal().quantile((double(i) + 1 - 0.375) / (size + 0.25));
    squares += 2 * a[i] * a[i];
  }
  const double first[] = {0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056};
  const double second[] = {0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633};
  double root = 1 / std::sqrt(size), norm = std::sqrt(squares);
  double a1 = a[0] / norm + polynomial(first, root), rest = squares - 2 * a[0] * a[0];
  double left = 1 - 2 * a1 * a1;
  size_t from = 1;
  if (n > 5) {
    double a2 = a[1] / norm + polynomial(second, root);
    rest -= 2 * a[1] * a[1];
    left -= 2 * a2 * a2;
    a[1] = a2;
    from = 2;
  }
  a[0] = a1;
  double factor = std::sqrt(rest / left);
  for (size_t i = from; i < half; ++i)
    a[i] /= factor;
  return a;
}

/// 1 - W, computed without cancellation: W is the squared correlation of values and weights.
double oneMinusW(const std::vector<double> &sorted, const std::vector<double> &a) {
  Moments moments = momentsOf(sorted);
  Sum products, squares;
  size_t n = sorted.size();
  for (size_t i = 0; i < a.size(); ++i) {
    products.add(a[i] * (sorted[n - 1 - i] - sorted[i]));
    squares.add(2 * a[i] * a[i]);
  }
  double root = std::sqrt(squares.value() * moments.squares);
  return std::fmax(0, (root - products.value()) * (root + products.value()) /
                          (squares.value() * moments.squares));
}

PValue ofThree(double w) {
  double p = 6 / std::numbers::pi * (std::asin(std::sqrt(w)) - std::asin(std::sqrt(0.75)));
  // W = 3/4 is the smallest possible value; roundoff must not make p negative.
  return PValue::of(w <= 0.75 + 1e-14 ? 0 : std::clamp(p, 0.0, 1.0));
}

PValue upperTail(double z) { return {Normal().sf(z), Normal().logSf(z)}; }

PValue pValue(double missing, size_t n) {
  double size = double(n), y = std::log(missing), x = std::log(size);
  if (n == 3)
    return ofThree(1 - missing);
  if (missing <= 0)
    return PValue::of(1);
  if (n > 11) {
    const double mean[] = {-1.5861, -0.31082, -0.083751, 0.0038915};
    const double deviation[] = {-0.4803, -0.082676, 0.0030302};
    return upperTail((y - polynomial(mean, x)) / std::exp(polynomial(deviation, x)));
  }
  const double gamma[] = {-2.273, 0.459};
  const double mean[] = {0.5440, -0.39978, 0.025054, -6.714e-4};
  const double deviation[] = {1.3822, -0.77857, 0.062767, -0.0020322};
  double bound = polynomial(gamma, size);
  if (y >= bound)
    return PValue::of(0);
  return upperTail((-std::log(bound - y) - polynomial(mean, size)) /
                   std::exp(polynomial(deviation, size)));
}

} // namespace

TestResult shapiroWilk(std::span<const double> values) {
  TestResult result;
  result.id = "shapiro_wilk";
  result.name = "Shapiro-Wilk test";
  result.method =
      values.size() == 3 ? "exact for three values" : "Royston's approximation (AS R94)";
  result.n = {{"values", double(values.size())}};
  if (!allFinite(values))
    return result.refused("a value is not finite");
  if (values.size() < 3)
    return result.refused("there are " + std::to_string(values.size()) +
                          " values, but at least 3 are needed");
  std::vector<double> sorted = CommonScale(values).scaled(values);
  std::sort(sorted.begin(), sorted.end());
  if (sorted.front() == sorted.back())
    return result.undefined("all values are equal");
  double missing = oneMinusW(sorted, weights(sorted.size()));
  result.statistics = {{"W", 1 - missing}};
  result.p.undirected = pValue(missing, sorted.size());
  if (values.size() > 5000)
    result.notes.push_back("the p-value was fitted for at most 5000 values: read W and the plot");
  return result;
}

} // namespace imbrex::stats
