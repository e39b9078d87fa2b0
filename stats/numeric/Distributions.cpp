#include "stats/numeric/Distributions.h"
#include "stats/numeric/BoostPolicy.h"

#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>

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

// F: with z = df1 x / (df1 x + df2), P(F <= x) = I_z(df1/2, df2/2).

namespace {

struct BetaArguments {
  double z, complement;
};

BetaArguments ofF(const FisherF &f, double x) {
  double ratio = f.df1 / f.df2 * x;
  return {std::isinf(ratio) ? 1 : ratio / (1 + ratio), 1 / (1 + ratio)};
}

bool valid(const FisherF &f) { return f.df1 > 0 && f.df2 > 0 && std::isfinite(f.df1); }

} // namespace

double FisherF::cdf(double x) const {
  if (!valid(*this) || std::isnan(x))
    return none;
  if (x <= 0)
    return 0;
  if (std::isinf(df2))
    return ChiSquared{df1}.cdf(df1 * x);
  auto [z, complement] = ofF(*this, x);
  return z < 0.5 ? guarded([&] { return bm::ibeta(df1 / 2, df2 / 2, z, BoostPolicy()); })
                 : guarded([&] { return bm::ibetac(df2 / 2, df1 / 2, complement, BoostPolicy()); });
}

double FisherF::sf(double x) const {
  if (!valid(*this) || std::isnan(x))
    return none;
  if (x <= 0)
    return 1;
  if (std::isinf(df2))
    return ChiSquared{df1}.sf(df1 * x);
  auto [z, complement] = ofF(*this, x);
  return z < 0.5 ? guarded([&] { return bm::ibetac(df1 / 2, df2 / 2, z, BoostPolicy()); })
                 : guarded([&] { return bm::ibeta(df2 / 2, df1 / 2, complement, BoostPolicy()); });
}

double FisherF::logCdf(double x) const {
  if (!valid(*this) || std::isnan(x))
    return none;
  if (std::isinf(df2))
    return ChiSquared{df1}.logCdf(df1 * x);
  double p = cdf(x);
  if (p > 0.5)
    return std::log1p(-sf(x));
  return p > 1e-290 ? std::log(p) : logBetaLower(df1 / 2, df2 / 2, ofF(*this, std::fmax(x, 0)).z);
}

double FisherF::logSf(double x) const {
  if (!valid(*this) || std::isnan(x))
    return none;
  if (std::isinf(df2))
    return ChiSquared{df1}.logSf(df1 * x);
  double q = sf(x);
  if (q > 0.5)
    return std::log1p(-cdf(x));
  return q > 1e-290 ? std::log(q) : logBetaLower(df2 / 2, df1 / 2, ofF(*this, x).complement);
}

double FisherF::quantile(double p) const {
  if (!valid(*this) || !isProbability(p))
    return none;
  if (p == 0 || p == 1)
    return p == 0 ? 0 : infinity;
  if (std::isinf(df2))
    return ChiSquared{df1}.quantile(p) / df1;
  return guarded(
      [&] { return bm::quantile(bm::fisher_f_distribution<double, BoostPolicy>(df1, df2), p); });
}

double FisherF::quantileUpper(double q) const {
  if (!valid(*this) || !isProbability(q))
    return none;
  if (q == 0 || q == 1)
    return q == 1 ? 0 : infinity;
  if (std::isinf(df2))
    return ChiSquared{df1}.quantileUpper(q) / df1;
  bm::fisher_f_distribution<double, BoostPolicy> f(df1, df2);
  return guarded([&] { return bm::quantile(bm::complement(f, q)); });
}

// Chi-square

double ChiSquared::cdf(double x) const {
  if (!(df > 0) || std::isnan(x))
    return none;
  return x <= 0          ? 0
         : std::isinf(x) ? 1
                         : guarded([&] { return bm::gamma_p(df / 2, x / 2, BoostPolicy()); });
}
double ChiSquared::sf(double x) const {
  if (!(df > 0) || std::isnan(x))
    return none;
  return x <= 0          ? 1
         : std::isinf(x) ? 0
                         : guarded([&] { return bm::gamma_q(df / 2, x / 2, BoostPolicy()); });
}
double ChiSquared::logCdf(double x) const {
  return df > 0 ? logGammaLower(df / 2, std::fmax(x, 0) / 2) : none;
}
double ChiSquared::logSf(double x) const {
  return df > 0 ? logGammaUpper(df / 2, std::fmax(x, 0) / 2) : none;
}
double ChiSquared::quantile(double p) const {
  if (!(df > 0) || !isProbability(p))
    return none;
  if (p == 0 || p == 1)
    return p == 0 ? 0 : infinity;
  return guarded(
      [&] { return bm::quantile(bm::chi_squared_distribution<double, BoostPolicy>(df), p); });
}
double ChiSquared::quantileUpper(double q) const {
  if (!(df > 0) || !isProbability(q))
    return none;
  if (q == 0 || q == 1)
    return q == 1 ? 0 : infinity;
  bm::chi_squared_distribution<double, BoostPolicy> chi(df);
  return guarded([&] { return bm::quantile(bm::complement(chi, q)); });
}

// Beta

double Beta::cdf(double x) const {
  if (!(a > 0) || !(b > 0) || std::isnan(x))
    return none;
  return x <= 0 ? 0 : x >= 1 ? 1 : guarded([&] { return bm::ibeta(a, b, x, BoostPolicy()); });
}
double Beta::sf(double x) const {
  if (!(a > 0) || !(b > 0) || std::isnan(x))
    return none;
  return x <= 0 ? 1 : x >= 1 ? 0 : guarded([&] { return bm::ibetac(a, b, x, BoostPolicy()); });
}
double Beta::logCdf(double x) const { return a > 0 && b > 0 ? logBetaLower(a, b, x) : none; }
double Beta::logSf(double x) const { return a > 0 && b > 0 ? logBetaLower(b, a, 1 - x) : none; }
double Beta::quantile(double p) const {
  if (!(a > 0) || !(b > 0) || !isProbability(p))
    return none;
  return p == 0 || p == 1 ? p : guarded([&] { return bm::ibeta_inv(a, b, p, BoostPolicy()); });
}
double Beta::quantileUpper(double q) const {
  if (!(a > 0) || !(b > 0) || !isProbability(q))
    return none;
  return q == 0 || q == 1 ? 1 - q : guarded([&] { return bm::ibetac_inv(a, b, q, BoostPolicy()); });
}

} // namespace imbrex::stats
