// Effect sizes of rank tests of several groups: shares of the ranks' variance, with intervals by
// noncentral chi-square.
#pragma once

#include "stats/procedures/TestResult.h"

namespace imbrex::stats {

/// Of Kruskal and Wallis' H: epsilon squared = H / (N - 1), in [0, 1].
EffectSize rankEpsilonSquared(double h, double total, double groups, double level);
/// Of the same: eta squared = (H - k + 1) / (N - k), less biased, at least 0.
EffectSize rankEtaSquared(double h, double total, double groups, double level);
/// Of Friedman's Q: Kendall's coefficient of concordance W = Q / (n (k - 1)).
EffectSize kendallsW(double q, double blocks, double conditions, double level);

} // namespace imbrex::stats
