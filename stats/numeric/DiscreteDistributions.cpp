// Binomial and hypergeometric probabilities by Loader's saddle-point expansion (C. Loader, Fast and
// accurate computation of binomial probabilities, 2000): no cancellation between large logarithms
// of factorials.
#include "stats/numeric/BoostPolicy.h"
#include "stats/numeric/Distributions.h"

#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>

#include <algorithm>
#include <cmath>

namespace imbrex::stats {
namespace {

namespace bm = boost::math;
using Real = long double;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Real twoPi = 6.283185307179586476925286766559L;

/// ln n! minus Stirling's formula.
Real stirlingError(Real n) {
  if (n < 32)
    return bm::lgamma(n + 1, BoostPolicy()) - (n + 0.5L) * std::log(n) + n - std::log(twoPi) / 2;
  Real r = 1 / n, s = r * r;
  return r * (1 / 12.0L - s * (1 / 360.0L - s * (1 / 1260.0L - s * (1 / 1680.0L - s / 1188.0L))));
}

/// x ln(x/m) + m - x without cancellation near x = m.
Real deviance(Real x, Real m) {
  if (std::fabs(x - m) > 0.1L * (x + m))
    return x * std::log(x / m) + m - x;
  Real v = (x - m) / (x + m), sum = (x - m) * v, term = 2 * x * v;
  for (int j = 1; j < 1000; ++j) {
    term *= v * v;
    Real next = sum + term / (2 * j + 1);
    if (next == sum)
      break;
    sum = next;
  }
  return sum;
}

/// ln of the binomial probability; p and q = 1 - p both given exactly.
Real logBinomial(Real k, Real n, Real p, Real q) {
  if (k < 0 || k > n)
    return -infinity;
  if (k == 0)
    return n == 0 ? 0 : (p < q ? n * std::log1p(-p) : n * std::log(q));
  if (k == n)
    return q < p ? n * std::log1p(-q) : n * std::log(p);
  Real error = stirlingError(n) - stirlingError(k) - stirlingError(n - k);
  return error - deviance(k, n * p) - deviance(n - k, n * q) +
         std::log(n / (twoPi * k * (n - k))) / 2;
}

} // namespace

double Binomial::logPmf(int64_t k) const {
  return static_cast<double>(logBinomial(k, trials, chance, 1 - Real(chance)));
}
double Binomial::pmf(int64_t k) const { return std::exp(logPmf(k)); }

double Binomial::cdf(int64_t k) const {
  if (k < 0 || k >= trials)
    return k < 0 ? 0 : 1;
  return bm::ibetac(double(k) + 1, double(trials - k), chance, BoostPolicy());
}
double Binomial::sf(int64_t k) const {
  if (k < 0 || k >= trials)
    return k < 0 ? 1 : 0;
  return bm::ibeta(double(k) + 1, double(trials - k), chance, BoostPolicy());
}

int64_t Binomial::quantile(double p) const {
  int64_t low = 0, high = trials;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if (cdf(middle) >= p)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

// Hypergeometric

int64_t Hypergeometric::low() const { return std::max<int64_t>(0, draws - black); }
int64_t Hypergeometric::high() const { return std::min(draws, white); }

double Hypergeometric::logPmf(int64_t k) const {
  if (k < low() || k > high())
    return -infinity;
  Real total = Real(white) + Real(black);
  if (draws == 0 || Real(draws) == total)
    return 0;
  Real p = draws / total, q = (total - draws) / total;
  return static_cast<double>(logBinomial(k, white, p, q) + logBinomial(draws - k, black, p, q) -
                             logBinomial(draws, total, p, q));
}
double Hypergeometric::pmf(int64_t k) const { return std::exp(logPmf(k)); }

namespace {

/// Sum of the probabilities from k downwards (step -1) or upwards (+1), relative to that of k. k
/// lies on the falling side of the distribution in that direction.
Real tailRatio(const Hypergeometric &h, int64_t k, int step) {
  Real sum = 1, term = 1;
  for (int64_t i = k; i != (step > 0 ? h.high() : h.low()); i += step) {
    Real x = step > 0 ? i : i - 1; // the ratio of P(x + 1) to P(x)
    Real ratio = (Real(h.white) - x) * (Real(h.draws) - x) /
                 ((x + 1) * (Real(h.black) - Real(h.draws) + x + 1));
    term *= step > 0 ? ratio : 1 / ratio;
    sum += term;
    if (term < 1e-21L * sum)
      break;
  }
  return sum;
}

double mean(const Hypergeometric &h) {
  return double(h.draws) * (double(h.white) / (double(h.white) + double(h.black)));
}

} // namespace

double Hypergeometric::logCdf(int64_t k) const {
  if (k < low() || k >= high())
    return k < low() ? -infinity : 0;
  if (double(k) < mean(*this))
    return logPmf(k) + static_cast<double>(std::log(tailRatio(*this, k, -1)));
  return std::log1p(-sf(k));
}
double Hypergeometric::logSf(int64_t k) const {
  if (k < low() || k >= high())
    return k < low() ? 0 : -infinity;
  if (double(k) >= mean(*this))
    return logPmf(k + 1) + static_cast<double>(std::log(tailRatio(*this, k + 1, 1)));
  return std::log1p(-cdf(k));
}
double Hypergeometric::cdf(int64_t k) const { return std::exp(logCdf(k)); }
double Hypergeometric::sf(int64_t k) const { return std::exp(logSf(k)); }

} // namespace imbrex::stats
