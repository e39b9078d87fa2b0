// Effect sizes of permutation tests, with bootstrap intervals: these tests are taken where
// normality, on which noncentral t intervals rest, is not given. 1999 resamples, seeded; BCa up to
// 2000 values, percentile beyond, where the difference is negligible and BCa's jackknife is
// quadratic.
#pragma once

#include "stats/procedures/resampling/Permutation.h"

namespace imbrex::stats {

/// `data`: two groups (Cohen's d), or the differences of pairs (d_z). Adds the interval of the
/// estimate and the standardised difference; nothing where there is no spread, or fewer than two
/// values.
void reportResampledDifference(TestResult &result, const Groups &data,
                               const PermutationOptions &options);

} // namespace imbrex::stats
