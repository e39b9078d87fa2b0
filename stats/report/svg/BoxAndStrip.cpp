#include "stats/report/svg/Common.h"

#include <algorithm>

namespace imbrex::stats {
namespace {

void drawBox(Canvas &canvas, const Frame &frame, std::vector<double> values, double centre,
             double width) {
  std::sort(values.begin(), values.end());
  double q1 = quantileOfSorted(values, .25), q3 = quantileOfSorted(values, .75);
  double reach = 1.5 * (q3 - q1);
  double low = *std::lower_bound(values.begin(), values.end(), q1 - reach);
  double high = *(std::upper_bound(values.begin(), values.end(), q3 + reach) - 1);
  canvas.line({centre, frame.y(low)}, {centre, frame.y(q1)}, "whisker");
  canvas.line({centre, frame.y(q3)}, {centre, frame.y(high)}, "whisker");
  for (double end : {low, high})
    canvas.line({centre - width / 4, frame.y(end)}, {centre + width / 4, frame.y(end)}, "whisker");
  canvas.rect({centre - width / 2, frame.y(q3)}, width, frame.y(q1) - frame.y(q3), "box");
  double median = frame.y(quantileOfSorted(values, .5));
  canvas.line({centre - width / 2, median}, {centre + width / 2, median}, "median");
}

/// A fixed pattern instead of chance: the picture of the same data is the same.
double jitter(size_t index) { return (static_cast<double>(index * 7919 % 101) / 100 - 0.5); }

} // namespace

std::string boxAndStrip(const Groups &groups, const std::vector<std::string> &names,
                        const Labels &labels) {
  std::vector<double> all;
  for (const std::vector<double> &group : groups)
    all.insert(all.end(), group.begin(), group.end());
  Canvas canvas(std::clamp(130.0 + 90.0 * static_cast<double>(groups.size()), 320.0, 900.0), 300,
                labels.title);
  Frame frame(canvas, Range::of(all).padded(), labels.y);
  frame.namesBelow(names, labels.x);
  size_t stride = strideOf(all.size());
  double place = std::min(frame.slotWidth(), 120.0);
  for (size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].empty())
      continue;
    double boxCentre = frame.slot(g) - place * .18, stripCentre = frame.slot(g) + place * .2;
    drawBox(canvas, frame, groups[g], boxCentre, place * .3);
    for (size_t i = 0; i < groups[g].size(); i += stride)
      canvas.circle({stripCentre + jitter(i) * place * .24, frame.y(groups[g][i])}, 2.8, "dot");
    diamond(canvas, {boxCentre, frame.y(momentsOf(groups[g]).mean)}, 4.5);
  }
  mentionStride(canvas, stride);
  return canvas.finish();
}

} // namespace imbrex::stats
