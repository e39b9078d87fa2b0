#include "stats/procedures/effect/RankVariance.h"

#include "stats/procedures/effect/ChiSquaredInterval.h"

#include <algorithm>

namespace imbrex::stats {

EffectSize rankEpsilonSquared(double h, double total, double groups, double level) {
  return {"epsilon squared", std::min(1.0, h / (total - 1)),
          shareInterval(h, groups - 1, total - 1, level)};
}

EffectSize rankEtaSquared(double h, double total, double groups, double level) {
  double df = groups - 1;
  // lambda estimates H - df, so the scale of the estimate is that of its interval.
  EffectSize effect{"eta squared (H)", std::clamp((h - df) / (total - groups), 0.0, 1.0), {}};
  if (total > groups)
    effect.interval = shareInterval(h, df, total - groups, level);
  return effect;
}

EffectSize kendallsW(double q, double blocks, double conditions, double level) {
  double scale = blocks * (conditions - 1);
  return {"Kendall's W", std::min(1.0, q / scale), shareInterval(q, conditions - 1, scale, level)};
}

} // namespace imbrex::stats
