#include "stats/report/svg/Common.h"

#include "stats/numeric/Distributions.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace imbrex::stats {

size_t strideOf(size_t values) {
  return std::max<size_t>(1, (values + mostPoints - 1) / mostPoints);
}

void mentionStride(Canvas &canvas, size_t stride) {
  if (stride > 1)
    canvas.text({canvas.width() - 14, 11}, "every " + std::to_string(stride) + "th value is drawn",
                Anchor::End);
}

double quantileOfSorted(std::span<const double> sorted, double p) {
  double position = p * static_cast<double>(sorted.size() - 1);
  auto index = static_cast<size_t>(position);
  double rest = position - static_cast<double>(index);
  return index + 1 < sorted.size() ? sorted[index] + rest * (sorted[index + 1] - sorted[index])
                                   : sorted[index];
}

double halfInterval(const Moments &moments, double level) {
  if (moments.n < 2)
    return 0;
  auto n = static_cast<double>(moments.n);
  return StudentT{n - 1}.quantileUpper((1 - level) / 2) * moments.deviation() / std::sqrt(n);
}

void diamond(Canvas &canvas, Point c, double r) {
  std::array<Point, 4> corners{{{c.x, c.y - r}, {c.x + r, c.y}, {c.x, c.y + r}, {c.x - r, c.y}}};
  canvas.polygon(corners, "mean");
}

} // namespace imbrex::stats
