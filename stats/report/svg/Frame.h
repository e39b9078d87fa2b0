// The axes of a picture: round ticks, and the way from data to pixels.
#pragma once

#include "stats/report/svg/Canvas.h"

#include <string>
#include <vector>

namespace imbrex::stats {

/// 1, 2 or 5 times a power of ten apart, `about` of them, covering what lies in [low, high].
std::vector<double> roundTicks(double low, double high, int about = 5);
/// "0.25", "1e+06": as many digits as the distance of the ticks needs.
std::string tickText(double value, double step);

struct Range {
  double low = 0, high = 1;
  void include(double value);
  /// A little room at both ends; never empty.
  Range padded(double share = 0.05) const;
  static Range of(std::span<const double> values);
};

/// A plot area inside a canvas with a numeric axis on the left; the one below is numeric or names.
class Frame {
public:
  /// `legend`: room on the right.
  Frame(Canvas &canvas, Range y, std::string_view yLabel, double legend = 0);
  void numbersBelow(Range x, std::string_view label);
  void namesBelow(const std::vector<std::string> &names, std::string_view label);

  double x(double value) const;   // of a number
  double slot(size_t name) const; // the middle of a name's place
  double slotWidth() const { return (right - left) / static_cast<double>(names); }
  double y(double value) const;

  double left, right, top, bottom;

private:
  Canvas &canvas;
  Range xRange, yRange;
  size_t names = 1;
};

} // namespace imbrex::stats
