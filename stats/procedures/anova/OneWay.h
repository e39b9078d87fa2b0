// Several independent groups, one factor. O(n), ranks O(n log n). Groups may have any offset and
// scale.
#pragma once

#include "stats/numeric/Moments.h"
#include "stats/procedures/TestResult.h"

namespace imbrex::stats {

/// Fisher's one-way analysis of variance; at least 2 groups and 1 value in each, some group with 2.
/// Table "analysis of variance" with rows "between" and "within" (sum of squares, df, mean square).
/// Effects: eta squared, omega squared, epsilon squared; their interval by the noncentral F
/// distribution is that of the share of variance in the population, which all three estimate.
/// Groups constant: F is infinite when they differ, Undefined when they do not.
TestResult oneWayF(const Groups &groups, double level = 0.95);

/// Welch's (1951) analysis of variance without equal variances; at least 2 values in each group. A
/// group without variance: Undefined. Effect: omega squared from F (Hays' formula with Welch's F),
/// approximate interval.
TestResult welchAnova(const Groups &groups, double level = 0.95);

/// Kruskal and Wallis on midranks, H corrected for ties, chi-square approximation. All values
/// equal: Undefined. Effects: epsilon squared = H / (n - 1), eta squared of ranks = (H - k + 1) /
/// (n - k).
TestResult kruskalWallis(const Groups &groups, double level = 0.95);

/// Brunner, Dette and Munk (1997): do values of some groups tend to be larger than of others,
/// whatever their spreads and shapes? ANOVA-type statistic of midranks with fractional degrees of
/// freedom; at least 2 values in each group. Table "relative effects": how probably a value of the
/// group exceeds one of all groups together; so the effects, with intervals that allow differing
/// groups. No spread of ranks within groups: Undefined.
TestResult brunnerDetteMunk(const Groups &groups, double level = 0.95);

/// Sums of squares of one factor, in the units of `scale`.
struct OneWaySums {
  std::vector<Moments> moments; // of each group, scaled
  double n = 0;
  double between = 0;
  double within = 0;
  double dfBetween = 0;
  double dfWithin = 0;
  double mean = 0;
};
OneWaySums oneWaySums(const Groups &scaled);

/// Fills in n per group ("group 1", …); refuses fewer than 2 groups, fewer than `leastEach`, values
/// not finite.
bool acceptManyGroups(TestResult &result, const Groups &groups, size_t leastEach);

} // namespace imbrex::stats
