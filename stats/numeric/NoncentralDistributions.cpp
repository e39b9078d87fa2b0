#include "stats/numeric/BoostPolicy.h"
#include "stats/numeric/Distributions.h"

#include <boost/math/distributions/non_central_chi_squared.hpp>
#include <boost/math/distributions/non_central_f.hpp>
#include <boost/math/distributions/non_central_t.hpp>

#include <cmath>

namespace imbrex::stats {
namespace {

namespace bm = boost::math;
constexpr double none = std::numeric_limits<double>::quiet_NaN();

double clamp(double p) { return p < 0 ? 0 : p > 1 ? 1 : p; }

} // namespace

double NoncentralT::cdf(double x) const {
  if (!(df > 0) || std::isnan(x) || !std::isfinite(delta))
    return none;
  if (std::isinf(x))
    return x > 0 ? 1 : 0;
  if (std::isinf(df))
    return Normal().cdf(x - delta);
  if (delta == 0)
    return StudentT{df}.cdf(x);
  return clamp(bm::cdf(bm::non_central_t_distribution<double, BoostPolicy>(df, delta), x));
}

double NoncentralT::sf(double x) const { return NoncentralT{df, -delta}.cdf(-x); }

double NoncentralF::cdf(double x) const {
  if (!(df1 > 0) || !(df2 > 0) || !(lambda >= 0) || std::isnan(x))
    return none;
  if (x <= 0 || std::isinf(x))
    return x <= 0 ? 0 : 1;
  if (lambda == 0)
    return FisherF{df1, df2}.cdf(x);
  if (std::isinf(df2))
    return NoncentralChiSquared{df1, lambda}.cdf(df1 * x);
  return clamp(bm::cdf(bm::non_central_f_distribution<double, BoostPolicy>(df1, df2, lambda), x));
}

double NoncentralF::sf(double x) const {
  if (!(df1 > 0) || !(df2 > 0) || !(lambda >= 0) || std::isnan(x))
    return none;
  if (x <= 0 || std::isinf(x))
    return x <= 0 ? 1 : 0;
  if (lambda == 0)
    return FisherF{df1, df2}.sf(x);
  if (std::isinf(df2))
    return NoncentralChiSquared{df1, lambda}.sf(df1 * x);
  bm::non_central_f_distribution<double, BoostPolicy> f(df1, df2, lambda);
  return clamp(bm::cdf(bm::complement(f, x)));
}

double NoncentralChiSquared::cdf(double x) const {
  if (!(df > 0) || !(lambda >= 0) || std::isnan(x))
    return none;
  if (x <= 0 || std::isinf(x))
    return x <= 0 ? 0 : 1;
  if (lambda == 0)
    return ChiSquared{df}.cdf(x);
  return clamp(
      bm::cdf(bm::non_central_chi_squared_distribution<double, BoostPolicy>(df, lambda), x));
}

double NoncentralChiSquared::sf(double x) const {
  if (!(df > 0) || !(lambda >= 0) || std::isnan(x))
    return none;
  if (x <= 0 || std::isinf(x))
    return x <= 0 ? 1 : 0;
  if (lambda == 0)
    return ChiSquared{df}.sf(x);
  bm::non_central_chi_squared_distribution<double, BoostPolicy> chi(df, lambda);
  return clamp(bm::cdf(bm::complement(chi, x)));
}

} // namespace imbrex::stats
