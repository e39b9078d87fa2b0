#include "stats/procedures/anova/VarianceShares.h"

#include "stats/numeric/NoncentralLimits.h"

#include <cmath>

namespace imbrex::stats {

std::optional<Interval> varianceShareInterval(double f, double df1, double df2, double level) {
  auto limits = noncentralityOfF(f, df1, df2, level);
  if (!limits)
    return std::nullopt;
  double total = df1 + df2 + 1;
  return Interval{limits->first / (limits->first + total),
                  limits->second / (limits->second + total), level, level, "noncentral F"};
}

std::optional<Interval> heldShareInterval(double f, double df1, double df2, double rest,
                                          double level) {
  auto limits = noncentralityOfF(f, df1, df2, level);
  if (!limits || !(rest > 0) || !std::isfinite(rest))
    return std::nullopt;
  double held = rest * (df1 + df2 + 1) / df2;
  return Interval{limits->first / (limits->first + held), limits->second / (limits->second + held),
                  level, level, "noncentral F, other variances held, approximate"};
}

void reportVarianceShares(std::vector<EffectSize> &effects, const std::string &prefix, double f,
                          double df1, double df2, double level) {
  auto interval = varianceShareInterval(f, df1, df2, level);
  // All from F: SS1/SS2 = F df1/df2, so that neither offsets nor scales matter. An infinite F
  // leaves no residual.
  bool finite = std::isfinite(f);
  double n = df1 + df2 + 1;
  double eta = finite ? df1 * f / (df1 * f + df2) : 1;
  double omega = finite ? df1 * (f - 1) / (df1 * f + n - df1) : 1;
  double epsilon = finite ? df1 * (f - 1) / (df1 * f + df2) : 1;
  effects.push_back({prefix + "eta squared", eta, interval, EffectDirection::Magnitude});
  effects.push_back({prefix + "omega squared", omega, interval, EffectDirection::Magnitude});
  effects.push_back({prefix + "epsilon squared", epsilon, interval, EffectDirection::Magnitude});
}

} // namespace imbrex::stats
