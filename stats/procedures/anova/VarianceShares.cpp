#include "stats/procedures/anova/VarianceShares.h"

#include "stats/numeric/NoncentralLimits.h"

#include <cmath>

namespace imbrex::stats {

std::optional<Interval> varianceShareInterval(const TermShare &term, double level) {
  auto limits = noncentralityOfF(term.f, term.df1, term.df2, level);
  if (!limits)
    return std::nullopt;
  return Interval{limits->first / (limits->first + term.n),
                  limits->second / (limits->second + term.n), level, level, "noncentral F"};
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

void reportVarianceShares(std::vector<EffectSize> &effects, const std::string &prefix,
                          const TermShare &term, double level) {
  auto interval = varianceShareInterval(term, level);
  // All from F: SS1/SS2 = F df1/df2, so that neither offsets nor scales matter. An infinite F
  // leaves no residual.
  bool finite = std::isfinite(term.f);
  double all = term.df1 * term.f, above = term.df1 * (term.f - 1);
  double eta = finite ? all / (all + term.df2) : 1;
  double omega = finite ? above / (above + term.n) : 1;
  double epsilon = finite ? above / (all + term.df2) : 1;
  effects.push_back({prefix + "eta squared", eta, interval, EffectDirection::Magnitude});
  effects.push_back({prefix + "omega squared", omega, interval, EffectDirection::Magnitude});
  effects.push_back({prefix + "epsilon squared", epsilon, interval, EffectDirection::Magnitude});
}

} // namespace imbrex::stats
