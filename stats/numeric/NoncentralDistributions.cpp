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

/// Beyond it Boost's series have too many terms, and Patnaik's approximation (1949) is better than
/// 1e-5.
constexpr double largeLambda = 1e7;

template <class Function> double probability(Function compute) {
  double p = guarded(compute);
  return p < 0 ? 0 : p > 1 ? 1 : p;
}

/// Patnaik: noncentral chi-square is about scale * chi-square of `df` degrees of freedom, both with
/// the same mean and variance.
struct Patnaik {
  double scale, df;
};
Patnaik patnaik(double df, double lambda) {
  double spread = df + 2 * lambda;
  return {spread / (df + lambda), (df + lambda) * ((df + lambda) / spread)};
}

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
  if (delta * delta > largeLambda) { // T has the sign of delta, and its square is F
    NoncentralF square{1, df, delta * delta};
    if ((x > 0) != (delta > 0))
      return x > 0 ? 1 : 0;
    return x > 0 ? square.cdf(x * x) : square.sf(x * x);
  }
  return probability(
      [&] { return bm::cdf(bm::non_central_t_distribution<double, BoostPolicy>(df, delta), x); });
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
  if (lambda > largeLambda)
    return FisherF{patnaik(df1, lambda).df, df2}.cdf(x * (df1 / (df1 + lambda)));
  return probability([&] {
    return bm::cdf(bm::non_central_f_distribution<double, BoostPolicy>(df1, df2, lambda), x);
  });
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
  if (lambda > largeLambda)
    return FisherF{patnaik(df1, lambda).df, df2}.sf(x * (df1 / (df1 + lambda)));
  return probability([&] {
    bm::non_central_f_distribution<double, BoostPolicy> f(df1, df2, lambda);
    return bm::cdf(bm::complement(f, x));
  });
}

double NoncentralChiSquared::cdf(double x) const {
  if (!(df > 0) || !(lambda >= 0) || std::isnan(x))
    return none;
  if (x <= 0 || std::isinf(x))
    return x <= 0 ? 0 : 1;
  if (lambda == 0)
    return ChiSquared{df}.cdf(x);
  if (lambda > largeLambda)
    return ChiSquared{patnaik(df, lambda).df}.cdf(x / patnaik(df, lambda).scale);
  return probability([&] {
    return bm::cdf(bm::non_central_chi_squared_distribution<double, BoostPolicy>(df, lambda), x);
  });
}

double NoncentralChiSquared::sf(double x) const {
  if (!(df > 0) || !(lambda >= 0) || std::isnan(x))
    return none;
  if (x <= 0 || std::isinf(x))
    return x <= 0 ? 1 : 0;
  if (lambda == 0)
    return ChiSquared{df}.sf(x);
  if (lambda > largeLambda)
    return ChiSquared{patnaik(df, lambda).df}.sf(x / patnaik(df, lambda).scale);
  return probability([&] {
    bm::non_central_chi_squared_distribution<double, BoostPolicy> chi(df, lambda);
    return bm::cdf(bm::complement(chi, x));
  });
}

} // namespace imbrex::stats
