// F, chi-square and beta: incomplete beta and gamma functions.
#include "stats/numeric/BoostPolicy.h"
#include "stats/numeric/Distributions.h"

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>

#include <cmath>

namespace imbrex::stats {
namespace {

namespace bm = boost::math;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double none = std::numeric_limits<double>::quiet_NaN();

bool isProbability(double p) { return p >= 0 && p <= 1; }

} // namespace

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
