#include "stats/numeric/NoncentralLimits.h"

#include "stats/numeric/Distributions.h"
#include "stats/numeric/Roots.h"

#include <cmath>
#include <functional>

namespace imbrex::stats {
namespace {

using Limits = std::optional<std::pair<double, double>>;

/// Both limits of a parameter that cannot be negative. `sf` and `cdf` are functions of it at the
/// observed statistic.
Limits nonnegative(const std::function<double(double)> &sf,
                   const std::function<double(double)> &cdf, double start, double tail) {
  std::optional<double> low = 0.0, high = 0.0;
  if (sf(0) < tail)
    low = findRootAbove([&](double lambda) { return sf(lambda) - tail; }, 0, start);
  if (cdf(0) > tail)
    high = findRootAbove([&](double lambda) { return cdf(lambda) - tail; }, 0, start);
  if (!low || !high)
    return std::nullopt;
  return std::pair(*low, *high);
}

} // namespace

Limits noncentralityOfT(double t, double df, double level) {
  if (!std::isfinite(t) || std::fabs(t) > 1e12 || !(df > 0))
    return std::nullopt;
  double tail = (1 - level) / 2;
  // The deviation of T about delta, generously; findRoot needs a change of sign only.
  double reach = 10 * std::sqrt(1 + t * t / (2 * df)) + 10;
  auto solve = [&](auto distance) -> std::optional<double> {
    for (double width = reach; width < 1e15; width *= 4)
      if (auto root = findRoot(distance, t - width, t + width))
        return root;
    return std::nullopt;
  };
  auto low = solve([&](double delta) { return NoncentralT{df, delta}.sf(t) - tail; });
  auto high = solve([&](double delta) { return NoncentralT{df, delta}.cdf(t) - tail; });
  if (!low || !high)
    return std::nullopt;
  return std::pair(*low, *high);
}

Limits noncentralityOfF(double f, double df1, double df2, double level) {
  if (!std::isfinite(f) || !(f >= 0) || !(df1 > 0) || !(df2 > 0) || f * df1 > 1e24)
    return std::nullopt;
  return nonnegative([&](double lambda) { return NoncentralF{df1, df2, lambda}.sf(f); },
                     [&](double lambda) { return NoncentralF{df1, df2, lambda}.cdf(f); },
                     f * df1 + 1, (1 - level) / 2);
}

Limits noncentralityOfChiSquared(double statistic, double df, double level) {
  if (!std::isfinite(statistic) || !(statistic >= 0) || !(df > 0) || statistic > 1e24)
    return std::nullopt;
  return nonnegative([&](double lambda) { return NoncentralChiSquared{df, lambda}.sf(statistic); },
                     [&](double lambda) { return NoncentralChiSquared{df, lambda}.cdf(statistic); },
                     statistic + 1, (1 - level) / 2);
}

} // namespace imbrex::stats
