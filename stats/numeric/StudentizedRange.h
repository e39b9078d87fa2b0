// The studentised range: (max - min) of `groups` standard normals over an independent root of
// chi-square/df (Tukey's and Games and Howell's comparisons). df may be infinite.
//
// The upper tail is computed directly, so that small p-values keep their relative accuracy (about
// 1e-11). One evaluation costs some ten thousand error functions: a few tenths of a millisecond.
#pragma once

namespace imbrex::stats {

struct StudentizedRange {
  double groups;
  double df;
  double cdf(double q) const;
  double sf(double q) const;
  double quantile(double p) const;
  double quantileUpper(double p) const;
};

} // namespace imbrex::stats
