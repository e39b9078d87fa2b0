#include "stats/report/svg/Common.h"

#include "stats/numeric/Distributions.h"

#include <algorithm>

namespace imbrex::stats {
namespace {

/// Where the i-th of n values is expected (Blom 1958).
double position(size_t i, size_t n) {
  return Normal{}.quantile((static_cast<double>(i) + 1 - 0.375) / (static_cast<double>(n) + 0.25));
}

} // namespace

std::string normalQuantiles(std::span<const double> values, const Labels &labels) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  Canvas canvas(340, 300, labels.title);
  Frame frame(canvas, Range::of(sorted).padded(), labels.y);
  size_t n = sorted.size(), stride = strideOf(n);
  double end = n > 1 ? position(n - 1, n) : 1;
  frame.numbersBelow(Range{-end, end}.padded(), "normal quantiles");
  if (n > 2) {
    double z = Normal{}.quantile(.75), q1 = quantileOfSorted(sorted, .25),
           q3 = quantileOfSorted(sorted, .75);
    double slope = (q3 - q1) / (2 * z), centre = (q1 + q3) / 2;
    // Cut where the line leaves the frame.
    double reach = end * 1.05;
    if (slope > 0) {
      double lowZ = std::max(-reach, (sorted.front() - centre) / slope);
      double highZ = std::min(reach, (sorted.back() - centre) / slope);
      canvas.line({frame.x(lowZ), frame.y(centre + slope * lowZ)},
                  {frame.x(highZ), frame.y(centre + slope * highZ)}, "fit");
    }
  }
  for (size_t i = 0; i < n; i += stride)
    canvas.circle({frame.x(position(i, n)), frame.y(sorted[i])}, 2.8, "dot");
  mentionStride(canvas, stride);
  return canvas.finish();
}

} // namespace imbrex::stats
