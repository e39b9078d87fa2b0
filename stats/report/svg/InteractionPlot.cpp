#include "stats/report/svg/Common.h"

#include <algorithm>

namespace imbrex::stats {
namespace {

constexpr size_t styles = 5;

/// Lines of the second factor stand a little beside each other, so that intervals do not overlap.
double beside(size_t line, size_t lines) {
  return (static_cast<double>(line) - (static_cast<double>(lines) - 1) / 2) * 7;
}

} // namespace

std::string interactionPlot(const std::vector<Groups> &cells, const std::vector<std::string> &first,
                            const std::vector<std::string> &second, double level,
                            const Labels &labels, std::string_view secondName) {
  Canvas canvas(std::clamp(260.0 + 80.0 * static_cast<double>(first.size()), 400.0, 900.0), 320,
                labels.title);
  std::vector<double> ends;
  for (const Groups &row : cells)
    for (const std::vector<double> &cell : row)
      if (!cell.empty()) {
        Moments m = momentsOf(cell);
        double half = halfInterval(m, level);
        ends.insert(ends.end(), {m.mean - half, m.mean + half});
      }
  Frame frame(canvas, Range::of(ends).padded(), labels.y, 110);
  frame.namesBelow(first, labels.x);
  canvas.text({frame.right + 14, frame.top + 10}, secondName, Anchor::Start, "name");
  for (size_t j = 0; j < second.size(); ++j) {
    std::string style = std::to_string(j % styles);
    std::vector<Point> points;
    for (size_t i = 0; i < cells.size(); ++i) {
      if (j >= cells[i].size() || cells[i][j].empty())
        continue;
      Moments m = momentsOf(cells[i][j]);
      double x = frame.slot(i) + beside(j, second.size()), half = halfInterval(m, level);
      points.push_back({x, frame.y(m.mean)});
      canvas.line({x, frame.y(m.mean - half)}, {x, frame.y(m.mean + half)}, "s" + style);
    }
    canvas.polyline(points, "s" + style);
    for (const Point &p : points)
      canvas.circle(p, 3.6, "f" + style);
    double y = frame.top + 28 + 17 * static_cast<double>(j);
    canvas.line({frame.right + 14, y}, {frame.right + 34, y}, "s" + style);
    canvas.text({frame.right + 40, y + 4}, second[j], Anchor::Start);
  }
  return canvas.finish();
}

} // namespace imbrex::stats
