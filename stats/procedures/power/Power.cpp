#include "stats/procedures/power/Power.h"

#include "stats/numeric/Distributions.h"
#include "stats/numeric/Roots.h"

#include <cmath>

namespace imbrex::stats {
namespace {

bool sensible(double alpha) { return alpha > 0 && alpha < 1; }

/// Power of a t statistic with noncentrality delta.
double powerT(double delta, double df, double alpha, Alternative alternative) {
  if (!sensible(alpha) || !(df > 0) || std::isnan(delta))
    return std::nan("");
  StudentT null{df};
  NoncentralT shifted{df, delta};
  switch (alternative) {
  case Alternative::Greater:
    return shifted.sf(null.quantileUpper(alpha));
  case Alternative::Less:
    return shifted.cdf(-null.quantileUpper(alpha));
  case Alternative::TwoSided:
    break;
  }
  double critical = null.quantileUpper(alpha / 2);
  return shifted.sf(critical) + shifted.cdf(-critical);
}

double powerZ(double delta, double alpha, Alternative alternative) {
  if (!sensible(alpha) || std::isnan(delta))
    return std::nan("");
  Normal normal;
  switch (alternative) {
  case Alternative::Greater:
    return normal.sf(normal.quantileUpper(alpha) - delta);
  case Alternative::Less:
    return normal.cdf(-normal.quantileUpper(alpha) - delta);
  case Alternative::TwoSided:
    break;
  }
  double critical = normal.quantileUpper(alpha / 2);
  return normal.sf(critical - delta) + normal.cdf(-critical - delta);
}

} // namespace

double powerOneSampleT(double d, double n, double alpha, Alternative alternative) {
  return powerT(d * std::sqrt(n), n - 1, alpha, alternative);
}

double powerTwoSampleT(double d, double n1, double n2, double alpha, Alternative alternative) {
  return powerT(d / std::sqrt(1 / n1 + 1 / n2), n1 + n2 - 2, alpha, alternative);
}

double powerAnova(double f, double k, double n, double alpha) {
  double df1 = k - 1, df2 = k * (n - 1);
  if (!sensible(alpha) || !(df1 >= 1) || !(df2 > 0))
    return std::nan("");
  double critical = FisherF{df1, df2}.quantileUpper(alpha);
  return NoncentralF{df1, df2, f * f * n * k}.sf(critical);
}

double powerCorrelation(double r, double n, double alpha, Alternative alternative) {
  if (!sensible(alpha) || !(n > 3) || !(std::abs(r) < 1))
    return std::nan("");
  // Cohen 1988, 12.3: critical r from t, then Fisher's z with its bias r / (2 (n - 1)).
  auto beyond = [&](double effect, double tail) {
    double t = StudentT{n - 2}.quantileUpper(tail), critical = t / std::sqrt(t * t + n - 2);
    double z = std::atanh(effect) + effect / (2 * (n - 1));
    return Normal{}.cdf((z - std::atanh(critical)) * std::sqrt(n - 3));
  };
  if (alternative == Alternative::Greater)
    return beyond(r, alpha);
  if (alternative == Alternative::Less)
    return beyond(-r, alpha);
  return beyond(r, alpha / 2) + beyond(-r, alpha / 2);
}

double powerChiSquare(double w, double n, double df, double alpha) {
  if (!sensible(alpha) || !(df >= 1) || !(n > 0))
    return std::nan("");
  return NoncentralChiSquared{df, w * w * n}.sf(ChiSquared{df}.quantileUpper(alpha));
}

double powerTwoProportions(double h, double n1, double n2, double alpha, Alternative alternative) {
  return powerZ(h / std::sqrt(1 / n1 + 1 / n2), alpha, alternative);
}

double powerOneProportion(double h, double n, double alpha, Alternative alternative) {
  return powerZ(h * std::sqrt(n), alpha, alternative);
}

double effectOfProportions(double p1, double p2) {
  return 2 * std::asin(std::sqrt(p1)) - 2 * std::asin(std::sqrt(p2));
}

std::optional<SampleSize> solveSize(const std::function<double(double)> &power, double wanted,
                                    double least) {
  auto missing = [&](double n) { return power(n) - wanted; };
  double high = std::max(2 * least, 4.0);
  for (; high < 1e9 && !(missing(high) >= 0); high *= 2) {
  }
  if (!(missing(high) >= 0))
    return std::nullopt;
  SampleSize size{least, 0, 0};
  if (missing(least) < 0) {
    auto root = findRoot(missing, least, high);
    if (!root)
      return std::nullopt;
    size.exact = *root;
  }
  // A size that is whole but for rounding is that size.
  size.whole = static_cast<int64_t>(std::ceil(size.exact - 1e-9));
  size.reached = power(static_cast<double>(size.whole));
  return size;
}

} // namespace imbrex::stats
