// Probability distributions. Each has cdf(x) = P(X <= x) and sf(x) = P(X > x), both with their own
// relative accuracy in their own tail (never 1 - the other), their logarithms, which stay finite
// where the probability underflows (P of a t of 1e6 on 1000 degrees of freedom), and quantile(p),
// quantileUpper(q) with sf(quantileUpper(q)) = q. Degrees of freedom may be fractional and
// infinite. Parameters out of range give NaN; nothing throws.
//
// Normal, t, F, chi-square, beta, binomial, hypergeometric and the noncentral ones rest on
// Boost.Math in extended precision; logarithms of tails that underflow use the continued fractions
// of the incomplete beta and gamma functions. The studentised range is in StudentizedRange.h.
#pragma once

#include <cstdint>
#include <limits>

namespace imbrex::stats {

struct Normal {
  double cdf(double x) const;
  double sf(double x) const;
  double logCdf(double x) const;
  double logSf(double x) const;
  double pdf(double x) const;
  double quantile(double p) const;
  double quantileUpper(double q) const;
};

struct StudentT {
  double df;
  double cdf(double x) const;
  double sf(double x) const;
  double logCdf(double x) const;
  double logSf(double x) const;
  double quantile(double p) const;
  double quantileUpper(double q) const;
};

struct FisherF {
  double df1;
  double df2;
  double cdf(double x) const;
  double sf(double x) const;
  double logCdf(double x) const;
  double logSf(double x) const;
  double quantile(double p) const;
  double quantileUpper(double q) const;
};

struct ChiSquared {
  double df;
  double cdf(double x) const;
  double sf(double x) const;
  double logCdf(double x) const;
  double logSf(double x) const;
  double quantile(double p) const;
  double quantileUpper(double q) const;
};

struct Beta {
  double a;
  double b;
  double cdf(double x) const;
  double sf(double x) const;
  double logCdf(double x) const;
  double logSf(double x) const;
  double quantile(double p) const;
  double quantileUpper(double q) const;
};

/// Successes in `trials`. Quantiles: the smallest k with cdf(k) >= p; with sf(k) <= q.
struct Binomial {
  int64_t trials;
  double chance;
  double pmf(int64_t k) const;
  double logPmf(int64_t k) const;
  double cdf(int64_t k) const;
  double sf(int64_t k) const;
  int64_t quantile(double p) const;
};

/// White balls among `draws` without replacement from `white` and `black` ones. Tails are sums of
/// ratios from the largest term outwards: cost grows with the standard deviation, not with the
/// counts.
struct Hypergeometric {
  int64_t white;
  int64_t black;
  int64_t draws;
  int64_t low() const;
  int64_t high() const;
  double pmf(int64_t k) const;
  double logPmf(int64_t k) const;
  double cdf(int64_t k) const;
  double sf(int64_t k) const;
  double logCdf(int64_t k) const;
  double logSf(int64_t k) const;
};

/// The noncentral ones beyond a noncentrality of 1e7 (a delta of 3162) by Patnaik's approximation,
/// good to 1e-5.
struct NoncentralT {
  double df;
  double delta;
  double cdf(double x) const;
  double sf(double x) const;
};

struct NoncentralF {
  double df1;
  double df2;
  double lambda;
  double cdf(double x) const;
  double sf(double x) const;
};

struct NoncentralChiSquared {
  double df;
  double lambda;
  double cdf(double x) const;
  double sf(double x) const;
};

/// Logarithms of the regularised incomplete functions, for x where they underflow too.
double logBetaLower(double a, double b, double x); // ln I_x(a, b), 0 <= x <= 1
double logGammaUpper(double a, double x);          // ln Q(a, x)
double logGammaLower(double a, double x);          // ln P(a, x)

/// ln of the binomial coefficient and of the gamma function's absolute value.
double logChoose(double n, double k);
double logGamma(double x);

} // namespace imbrex::stats
