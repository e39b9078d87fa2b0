// P(Q > q) = E_s[1 - W(q s)], W the distribution of the range of k standard normals (Tukey 1953;
// Copenhaver and Holland 1988, Multiple comparisons of simple effects, give the integrals). Both
// integrands are analytic and vanish fast at both ends after the substitution s = e^u, so that the
// trapezoidal rule converges exponentially.
#include "stats/numeric/StudentizedRange.h"

#include "stats/numeric/Distributions.h"
#include "stats/numeric/Roots.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace imbrex::stats {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

enum class Tail { Lower, Upper };

/// W(w) or 1 - W(w). With A = Phi(z) and B = Phi(z - w): W = k ∫ phi(z) (A - B)^(k-1) dz, and ∫ k
/// phi A^(k-1) = 1 gives the complement without cancellation.
double rangeOfNormals(double w, double k, Tail tail) {
  Normal normal;
  if (w <= 0)
    return tail == Tail::Lower ? 0 : 1;
  if (w > 60) // beyond: under k^2 exp(-w^2 / 4), which no double holds
    return tail == Tail::Lower ? 1 : 0;
  double step = std::min(0.2, 0.7 / std::sqrt(k));
  double from = tail == Tail::Upper ? std::min(-8.5, w / 2 - 8.5) : -8.5;
  double to = tail == Tail::Upper ? std::max(8.5, w / 2 + 9) : 8.5 + std::min(w, 1.0);
  double sum = 0;
  for (double z = from; z < to; z += step) {
    double a = normal.cdf(z), b = normal.cdf(z - w), density = normal.pdf(z);
    if (a <= 0 || density == 0)
      continue;
    // ((A - B) / A)^(k-1), through the middle probability where A and B are close.
    double middle = z > w / 2 ? normal.cdf(w - z) - normal.cdf(-z) : a - b;
    double logPower = (k - 1) * (b < 0.5 * a ? std::log1p(-b / a) : std::log(middle / a));
    double weight = density * std::exp((k - 1) * std::log(a));
    sum += weight * (tail == Tail::Upper ? -std::expm1(logPower) : std::exp(logPower));
  }
  return std::min(1.0, k * step * sum);
}

/// ln Gamma(a) minus Stirling's formula.
double stirlingError(double a) {
  if (a < 100)
    return logGamma(a) - (a - 0.5) * std::log(a) + a - std::log(2 * std::numbers::pi) / 2;
  return 1 / (12 * a) - 1 / (360 * a * a * a);
}

/// E[g(s)] for s^2 = chi-square / df.
template <class Function> double averageOverChi(double df, Function g) {
  double step = std::min(0.1, 0.4 / std::sqrt(df));
  // The density of u, its gamma function by Stirling's formula so that large terms have cancelled
  // already.
  double a = df / 2, constant = std::log(2 * a / std::numbers::pi) / 2 - stirlingError(a);
  auto term = [&](double u) {
    double density = constant - a * (std::expm1(2 * u) - 2 * u);
    return density < -700 ? 0 : std::exp(density) * g(std::exp(u));
  };
  // From the mode of the density outwards; the product's mode may lie far to the left of it.
  double right = 0, left = 0, largest = 0;
  for (double u = 0; u < 10; u += step) {
    double value = term(u);
    right += value;
    largest = std::max(largest, value);
    if (value < 1e-18 * largest)
      break;
  }
  double before = 0;
  for (double u = -step;; u -= step) {
    double value = term(u);
    left += value;
    largest = std::max(largest, value);
    // Past the maximum, the rest is at most geometric.
    bool falling = value <= before;
    before = value;
    if ((falling && value < 1e-17 * largest) || constant + a * (1 + 2 * u) < -745)
      break;
  }
  return step * (left + right);
}

double tailOf(const StudentizedRange &range, double q, Tail tail) {
  if (!(range.groups >= 2) || !(range.df > 0) || std::isnan(q))
    return none;
  if (q <= 0 || std::isinf(q))
    return (q <= 0) == (tail == Tail::Lower) ? 0 : 1;
  if (std::isinf(range.df))
    return rangeOfNormals(q, range.groups, tail);
  double p =
      averageOverChi(range.df, [&](double s) { return rangeOfNormals(q * s, range.groups, tail); });
  return std::min(1.0, p);
}

double solve(const StudentizedRange &range, double p, Tail tail) {
  if (!(p >= 0 && p <= 1) || !(range.groups >= 2) || !(range.df > 0))
    return none;
  if (p == 0 || p == 1)
    return (p == 0) == (tail == Tail::Lower) ? 0 : infinity;
  double logP = std::log(p);
  // Grows with log q for the lower tail, falls for the upper one.
  auto distance = [&](double logQ) {
    double value = std::log(std::max(tailOf(range, std::exp(logQ), tail), 1e-300)) - logP;
    return tail == Tail::Lower ? value : -value;
  };
  // The bracket grows in small steps from a usual value, since evaluation is dear far out.
  double low = std::log(3.0), high = low;
  while (distance(low) > 0 && low > -60)
    high = low, low -= 0.7;
  while (distance(high) < 0 && high < 60)
    low = high, high += 0.7;
  auto root = findRoot(distance, low, high);
  return root ? std::exp(*root) : none;
}

} // namespace

double StudentizedRange::cdf(double q) const { return tailOf(*this, q, Tail::Lower); }
double StudentizedRange::sf(double q) const { return tailOf(*this, q, Tail::Upper); }
double StudentizedRange::quantile(double p) const { return solve(*this, p, Tail::Lower); }
double StudentizedRange::quantileUpper(double p) const { return solve(*this, p, Tail::Upper); }

} // namespace imbrex::stats
