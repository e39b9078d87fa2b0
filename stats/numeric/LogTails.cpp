// Logarithms of incomplete beta and gamma functions where the functions themselves underflow:
// modified Lentz evaluation of the continued fractions (Abramowitz and Stegun 26.5.8, 6.5.31), in
// extended precision.
#include "stats/numeric/BoostPolicy.h"
#include "stats/numeric/Distributions.h"

#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>

#include <cmath>

namespace imbrex::stats {
namespace {

using Real = long double;
constexpr double smallest = 1e-290; // below it, relative accuracy of a double may be lost
constexpr int mostTerms = 100000;

Real lnGamma(Real x) { return boost::math::lgamma(x, BoostPolicy()); }

/// Γ(a, x) x^-a e^x as a continued fraction, for x > a.
Real upperFraction(Real a, Real x) {
  const Real tiny = 1e-4000L;
  Real b = x + 1 - a, c = 1 / tiny, d = 1 / b, value = d;
  for (int i = 1; i < mostTerms; ++i) {
    Real an = -i * (i - a);
    b += 2;
    d = an * d + b;
    d = std::fabs(d) < tiny ? tiny : d;
    c = b + an / c;
    c = std::fabs(c) < tiny ? tiny : c;
    d = 1 / d;
    Real step = d * c;
    value *= step;
    if (std::fabs(step - 1) < 1e-19L)
      break;
  }
  return value;
}

/// a B_x(a, b) x^-a (1-x)^-b as a continued fraction, for x < (a + 1) / (a + b + 2).
Real betaFraction(Real a, Real b, Real x) {
  const Real tiny = 1e-4000L;
  Real c = 1, d = 1 - (a + b) * x / (a + 1);
  d = 1 / (std::fabs(d) < tiny ? tiny : d);
  Real value = d;
  for (int m = 1; m < mostTerms; ++m) {
    Real step = 1;
    Real even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    Real odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    for (Real term : {even, odd}) {
      d = 1 + term * d;
      d = 1 / (std::fabs(d) < tiny ? tiny : d);
      c = 1 + term / c;
      c = std::fabs(c) < tiny ? tiny : c;
      step = d * c;
      value *= step;
    }
    if (std::fabs(step - 1) < 1e-19L)
      break;
  }
  return value;
}

/// The logarithm of one of two complementary probabilities, or NaN when `own` has underflowed.
double logOf(double own, double other) {
  if (own > 0.5)
    return std::log1p(-other);
  if (own > smallest)
    return std::log(own);
  return std::numeric_limits<double>::quiet_NaN();
}

} // namespace

double logGamma(double x) { return static_cast<double>(lnGamma(x)); }

double logChoose(double n, double k) {
  if (k < 0 || k > n)
    return -std::numeric_limits<double>::infinity();
  return static_cast<double>(lnGamma(Real(n) + 1) - lnGamma(Real(k) + 1) -
                             lnGamma(Real(n) - k + 1));
}

double logBetaLower(double a, double b, double x) {
  if (!(x > 0))
    return x == 0 ? -std::numeric_limits<double>::infinity() : x;
  if (x >= 1)
    return 0;
  double own = boost::math::ibeta(a, b, x, BoostPolicy());
  double other = boost::math::ibetac(a, b, x, BoostPolicy());
  double direct = logOf(own, other);
  if (!std::isnan(direct) || std::isnan(own))
    return direct;
  Real ra = a, rb = b, rx = x;
  return static_cast<double>(ra * std::log(rx) + rb * std::log1p(-rx) - std::log(ra) +
                             lnGamma(ra + rb) - lnGamma(ra) - lnGamma(rb) +
                             std::log(betaFraction(ra, rb, rx)));
}

double logGammaUpper(double a, double x) {
  if (!(x > 0))
    return x == 0 ? 0 : std::numeric_limits<double>::quiet_NaN();
  if (std::isinf(x))
    return -x;
  double own = boost::math::gamma_q(a, x, BoostPolicy());
  double direct = logOf(own, boost::math::gamma_p(a, x, BoostPolicy()));
  if (!std::isnan(direct) || std::isnan(own))
    return direct;
  Real ra = a, rx = x;
  return static_cast<double>(ra * std::log(rx) - rx - lnGamma(ra) +
                             std::log(upperFraction(ra, rx)));
}

double logGammaLower(double a, double x) {
  if (!(x > 0))
    return x == 0 ? -std::numeric_limits<double>::infinity()
                  : std::numeric_limits<double>::quiet_NaN();
  double own = boost::math::gamma_p(a, x, BoostPolicy());
  double direct = logOf(own, boost::math::gamma_q(a, x, BoostPolicy()));
  if (!std::isnan(direct) || std::isnan(own))
    return direct;
  // x is far below a: the power series converges at once.
  Real ra = a, rx = x, term = 1, sum = 1;
  for (int i = 1; i < mostTerms && term > 1e-20L * sum; ++i) {
    term *= rx / (ra + i);
    sum += term;
  }
  return static_cast<double>(ra * std::log(rx) - rx - lnGamma(ra + 1) + std::log(sum));
}

} // namespace imbrex::stats
