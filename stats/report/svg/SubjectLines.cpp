#include "stats/report/svg/Common.h"

#include <algorithm>

namespace imbrex::stats {

std::string subjectLines(const Groups &conditions, const std::vector<std::string> &names,
                         const Labels &labels) {
  std::vector<double> all;
  for (const std::vector<double> &condition : conditions)
    all.insert(all.end(), condition.begin(), condition.end());
  Canvas canvas(std::clamp(160.0 + 90.0 * static_cast<double>(conditions.size()), 320.0, 900.0),
                300, labels.title);
  Frame frame(canvas, Range::of(all).padded(), labels.y);
  frame.namesBelow(names, labels.x);
  size_t subjects = conditions.empty() ? 0 : conditions[0].size(), stride = strideOf(all.size());
  for (size_t s = 0; s < subjects; s += stride) {
    std::vector<Point> points;
    for (size_t c = 0; c < conditions.size(); ++c)
      points.push_back({frame.slot(c), frame.y(conditions[c][s])});
    canvas.polyline(points, "pair");
    for (const Point &p : points)
      canvas.circle(p, 2.6, "dot");
  }
  std::vector<Point> means;
  for (size_t c = 0; c < conditions.size() && subjects > 0; ++c)
    means.push_back({frame.slot(c), frame.y(momentsOf(conditions[c]).mean)});
  canvas.polyline(means, "fit");
  for (const Point &p : means)
    diamond(canvas, p, 5);
  mentionStride(canvas, stride);
  return canvas.finish();
}

} // namespace imbrex::stats
