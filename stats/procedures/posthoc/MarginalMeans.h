// Comparisons after an analysis of variance with factors between subjects, or of covariance.
//
// The marginal mean of a level is the plain mean of its cells' means, whatever their sizes (Searle,
// Speed and Milliken 1980): what a Type III main effect is about. Differences have the error of the
// whole model, MSE * sum(c^2 / n) over the cells, on its residual degrees of freedom. Effect of
// each: Cohen's d = difference / root MSE with its interval by noncentral t. Refused where the
// analysis of variance is. Cost: that of reading the design once, plus cells * levels^2.
#pragma once

#include "stats/procedures/anova/Factorial.h"

namespace imbrex::stats {

/// All pairs of levels of factor `factor`, over the cells of the other factors. p and intervals by
/// the studentised range (Tukey-Kramer) over its levels; table "comparisons".
TestResult marginalMeans(const FactorialDesign &design, size_t factor);

/// The same pairs within each combination of the other factors ("simple effects"): rows "a - b at
/// c". p adjusted by Holm over all of them; number "raw p"; intervals have the level for each pair.
TestResult simpleEffects(const FactorialDesign &design, size_t factor);

/// A pair of levels, the second one's mean multiplied by `scale` and the difference compared with
/// `hypothesised`. t with p of all three alternatives.
struct MarginalPair {
  size_t factor = 0, first = 0, second = 1;
  double scale = 1;
  double hypothesised = 0;
};
TestResult marginalContrast(const FactorialDesign &design, const MarginalPair &pair);

} // namespace imbrex::stats
