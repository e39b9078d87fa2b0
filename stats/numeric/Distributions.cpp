// The normal distribution and Student's t.
#include "stats/numeric/Distributions.h"
#include "stats/numeric/BoostPolicy.h"

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

#include <cmath>

namespace imbrex::stats {
namespace {

namespace bm = boost::math;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double none = std::numeric_limits<double>::quiet_NaN();

bool isProbability(double p) { return p >= 0 && p <= 1; }

/// ln of the smaller tail of t beyond |x|.
double logTailOfT(double df, double x) {
  double tail = StudentT{df}.sf(x);
  if (tail > 1e-290)
    return std::log(tail);
  // P(T > x) = I_z(df/2, 1/2) / 2 with z = df / (df + x^2); for z tiny, z^a / (a B(a, 1/2)) to
  // first order, where z itself may underflow.
  double a = df / 2, logZ = -std::log1p(df / x / x) + std::log(df) - 2 * std::log(x);
  double z = std::exp(logZ);
  if (z > 1e-280)
    return std::log(0.5) + logBetaLower(a, 0.5, z);
  return std::log(0.5) + a * logZ - std::log(a) + logGamma(a + 0.5) - logGamma(a) - logGamma(0.5);
}

} // namespace

// Normal

double Normal::cdf(double x) const { return std::erfc(-x / std::sqrt(2.0)) / 2; }
double Normal::sf(double x) const { return cdf(-x); }

double Normal::logSf(double x) const {
  if (x < 0)
    return std::log1p(-cdf(x));
  if (x < 37)
    return std::log(sf(x));
  // P(Z > x) = Q(1/2, x^2/2) / 2; the square may overflow.
  double half = x / 2 * x;
  return std::isinf(half) ? -infinity : std::log(0.5) + logGammaUpper(0.5, half);
}

double Normal::logCdf(double x) const { return logSf(-x); }
double Normal::pdf(double x) const {
  return std::exp(-x * x / 2) * 0.398942280401432677939946059934;
}

double Normal::quantile(double p) const {
  if (!isProbability(p))
    return none;
  if (p == 0 || p == 1)
    return p == 0 ? -infinity : infinity;
  return guarded([&] {
    return guarded([&] { return bm::quantile(bm::normal_distribution<double, BoostPolicy>(), p); });
  });
}
double Normal::quantileUpper(double q) const { return -quantile(q); }

// Student's t

double StudentT::sf(double x) const {
  if (!(df > 0) || std::isnan(x))
    return none;
  if (std::isinf(df))
    return Normal().sf(x);
  if (std::isinf(x))
    return x > 0 ? 0 : 1;
  bm::students_t_distribution<double, BoostPolicy> t(df);
  return std::fabs(x) > 1e150 ? (x > 0 ? std::exp(logSf(x)) : 1)
                              : guarded([&] { return bm::cdf(bm::complement(t, x)); });
}

double StudentT::logSf(double x) const {
  if (!(df > 0) || std::isnan(x))
    return none;
  if (std::isinf(df))
    return Normal().logSf(x);
  if (std::isinf(x))
    return x > 0 ? -infinity : 0;
  if (x <= 0)
    return std::log1p(-sf(-x));
  if (x <= 1e150)
    return logTailOfT(df, x);
  double a = df / 2, logZ = std::log(df) - 2 * std::log(x);
  return std::log(0.5) + a * logZ - std::log(a) + logGamma(a + 0.5) - logGamma(a) - logGamma(0.5);
}

double StudentT::cdf(double x) const { return sf(-x); }
double StudentT::logCdf(double x) const { return logSf(-x); }

double StudentT::quantile(double p) const {
  if (!(df > 0) || !isProbability(p))
    return none;
  if (p == 0 || p == 1)
    return p == 0 ? -infinity : infinity;
  if (std::isinf(df))
    return Normal().quantile(p);
  return guarded(
      [&] { return bm::quantile(bm::students_t_distribution<double, BoostPolicy>(df), p); });
}
double StudentT::quantileUpper(double q) const { return -quantile(q); }

} // namespace imbrex::stats
