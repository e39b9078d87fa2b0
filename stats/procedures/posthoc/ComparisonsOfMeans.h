// All pairs of means after an analysis of variance. Intervals of PairwiseT have the level for each
// pair, those of Tukey and Games-Howell for all pairs together. Each pair has Cohen's d (over the
// pair's own pooled deviation) with its interval.
#pragma once

#include "stats/procedures/posthoc/Comparisons.h"

namespace imbrex::stats {

enum class Deviation {
  Pooled,   // over all groups, df N - k
  OwnWelch, // each pair its own, Welch's df
};

TestResult pairwiseT(const NamedGroups &groups, Adjustment adjustment,
                     Deviation deviation = Deviation::Pooled, double level = 0.95);

/// Pairs are rows: values[i][subject]. The paired t-test of each pair of conditions.
TestResult pairwisePairedT(const NamedGroups &conditions, Adjustment adjustment,
                           double level = 0.95);

/// Tukey's honestly significant differences; unequal groups after Kramer (1956). Assumes equal
/// variances.
TestResult tukeyHsd(const NamedGroups &groups, double level = 0.95);

/// Games and Howell (1976): unequal variances and group sizes.
TestResult gamesHowell(const NamedGroups &groups, double level = 0.95);

} // namespace imbrex::stats
