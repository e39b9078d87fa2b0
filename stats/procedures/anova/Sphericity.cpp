#include "stats/procedures/anova/Sphericity.h"

#include "stats/numeric/Distributions.h"

#include <algorithm>
#include <cmath>

namespace imbrex::stats {
namespace {

PValue mauchlyTail(double logW, double p, double df) {
  double rho = 1 - (2 * p * p + p + 2) / (6 * p * df);
  double second = (p + 2) * (p - 1) * (p - 2) * (2 * p * p * p + 6 * p * p + 3 * p + 2) /
                  (288 * (df * p * rho) * (df * p * rho));
  double statistic = -df * rho * logW, f = p * (p + 1) / 2 - 1;
  double first = ChiSquared{f}.sf(statistic);
  return PValue::of(
      std::clamp(first + second * (ChiSquared{f + 4}.sf(statistic) - first), 0.0, 1.0));
}

} // namespace

Sphericity sphericityOf(const Matrix &errors, double df) {
  Sphericity result;
  double p = double(errors.rows()), trace = 0, squares = 0;
  if (p < 2)
    return result;
  for (size_t i = 0; i < errors.rows(); ++i)
    trace += errors.at(i, i);
  for (size_t j = 0; j < errors.columns(); ++j)
    squares += dot(errors.column(j), errors.column(j));
  double epsilon = trace * trace / (p * squares);
  double corrected = ((df + 1) * p * epsilon - 2) / (p * (df - p * epsilon));
  result.greenhouseGeisser = std::clamp(epsilon, 1 / p, 1.0);
  // Beyond 1, or with too few subjects for its denominator, it corrects nothing.
  result.huynhFeldt = corrected > 0 && corrected < 1 ? corrected : 1;
  double logW = df < p ? NAN : logDeterminant(errors) - p * std::log(trace / p);
  result.mauchlyW = std::isnan(logW) ? NAN : std::fmin(1, std::exp(logW));
  if (std::isinf(logW) || std::isnan(logW)) {
    result.mauchlyW = NAN;
    return result;
  }
  result.mauchlyP = mauchlyTail(logW, p, df);
  return result;
}

} // namespace imbrex::stats
