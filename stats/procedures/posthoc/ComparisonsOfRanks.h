// All pairs after Kruskal-Wallis (groups) or Friedman (blocks). Each pair has a rank-biserial
// correlation with its interval.
#pragma once

#include "stats/procedures/posthoc/Comparisons.h"

namespace imbrex::stats {

/// Dunn (1964): normal, ranks over all groups, corrected for ties.
TestResult dunn(const NamedGroups &groups, Adjustment adjustment, double level = 0.95);

/// Conover and Iman (1979): t on the same ranks; only after a significant Kruskal-Wallis test.
TestResult conover(const NamedGroups &groups, Adjustment adjustment, double level = 0.95);

/// Nemenyi (1963): studentised range of mean ranks, infinite degrees of freedom.
TestResult nemenyi(const NamedGroups &groups, double level = 0.95);

/// conditions[i][block]: after Friedman's test. Conover (1999, p. 371) by t, Nemenyi by the
/// studentised range.
TestResult conoverBlocks(const NamedGroups &conditions, Adjustment adjustment, double level = 0.95);
TestResult nemenyiBlocks(const NamedGroups &conditions, double level = 0.95);

} // namespace imbrex::stats
