#include "stats/report/svg/Frame.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace imbrex::stats {
namespace {

constexpr size_t longestName = 14; // in characters, where names stand side by side

/// Cut between characters of UTF-8.
std::string shortened(const std::string &name, size_t most) {
  size_t characters = 0, byte = 0;
  for (; byte < name.size(); ++byte)
    if ((static_cast<unsigned char>(name[byte]) & 0xC0) != 0x80 && ++characters > most)
      break;
  return byte == name.size() ? name : name.substr(0, byte) + "…";
}

} // namespace

std::vector<double> roundTicks(double low, double high, int about) {
  if (!(high > low) || !std::isfinite(high - low))
    return {low};
  double raw = (high - low) / about, power = std::pow(10, std::floor(std::log10(raw)));
  double step = raw / power < 1.5   ? power
                : raw / power < 3.5 ? 2 * power
                : raw / power < 7.5 ? 5 * power
                                    : 10 * power;
  // Beyond this neighbouring ticks are hardly different numbers, and i + 1 may be i.
  if (!(step > 0) || std::max(std::abs(low), std::abs(high)) / step > 1e12)
    return {low};
  std::vector<double> ticks;
  for (double i = std::ceil(low / step - 1e-9); i <= std::floor(high / step + 1e-9); ++i)
    ticks.push_back(i == 0 ? 0 : i * step); // never -0
  return ticks;
}

std::string tickText(double value, double step) {
  char text[40];
  double size = std::max(std::abs(value), step);
  if (size >= 1e6 || size < 1e-4)
    std::snprintf(text, sizeof text, "%.4g", value);
  else
    std::snprintf(text, sizeof text, "%.*f",
                  std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9))), value);
  return text;
}

void Range::include(double value) {
  if (!std::isfinite(value))
    return;
  low = std::min(low, value);
  high = std::max(high, value);
}

Range Range::padded(double share) const {
  double room = (high - low) * share;
  if (!(room > 0))
    room = std::max(std::abs(high) * 0.1, 0.5);
  return {low - room, high + room};
}

Range Range::of(std::span<const double> values) {
  auto finite = [](double value) { return std::isfinite(value); };
  auto first = std::find_if(values.begin(), values.end(), finite);
  if (first == values.end())
    return {0, 1};
  Range range{*first, *first};
  for (double value : values)
    range.include(value);
  return range;
}

Frame::Frame(Canvas &canvas, Range y, std::string_view yLabel, double legend)
    : left(62), right(canvas.width() - 14 - legend), top(14), bottom(canvas.height() - 46),
      canvas(canvas), yRange(y) {
  std::vector<double> ticks = roundTicks(y.low, y.high);
  double step = ticks.size() > 1 ? ticks[1] - ticks[0] : 1;
  for (double tick : ticks) {
    canvas.line({left, this->y(tick)}, {right, this->y(tick)}, "grid");
    canvas.text({left - 6, this->y(tick) + 4}, tickText(tick, step), Anchor::End);
  }
  canvas.line({left, top}, {left, bottom}, "axis");
  canvas.line({left, bottom}, {right, bottom}, "axis");
  canvas.textUp({14, (top + bottom) / 2}, shortened(std::string(yLabel), 40), "name");
}

void Frame::numbersBelow(Range x, std::string_view label) {
  xRange = x;
  std::vector<double> ticks = roundTicks(x.low, x.high);
  double step = ticks.size() > 1 ? ticks[1] - ticks[0] : 1;
  for (double tick : ticks) {
    canvas.line({this->x(tick), bottom}, {this->x(tick), bottom + 4}, "axis");
    canvas.text({this->x(tick), bottom + 17}, tickText(tick, step), Anchor::Middle);
  }
  canvas.text({(left + right) / 2, bottom + 36}, shortened(std::string(label), 60), Anchor::Middle,
              "name");
}

void Frame::namesBelow(const std::vector<std::string> &list, std::string_view label) {
  names = std::max<size_t>(1, list.size());
  // About 6.5 pixels a character.
  auto fits = static_cast<size_t>(std::max(3.0, slotWidth() / 6.5));
  for (size_t i = 0; i < list.size(); ++i)
    canvas.text({slot(i), bottom + 17}, shortened(list[i], std::min(fits, 2 * longestName)),
                Anchor::Middle);
  canvas.text({(left + right) / 2, bottom + 36}, shortened(std::string(label), 60), Anchor::Middle,
              "name");
}

double Frame::x(double value) const {
  return left + (value - xRange.low) / (xRange.high - xRange.low) * (right - left);
}

double Frame::slot(size_t name) const {
  return left + (static_cast<double>(name) + 0.5) * slotWidth();
}

double Frame::y(double value) const {
  return bottom - (value - yRange.low) / (yRange.high - yRange.low) * (bottom - top);
}

} // namespace imbrex::stats
