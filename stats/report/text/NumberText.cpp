#include "stats/report/text/NumberText.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace imbrex::stats {
namespace {

std::string format(const char *pattern, int digits, double value) {
  char text[64];
  std::snprintf(text, sizeof text, pattern, digits, value);
  return text;
}

std::string withoutLeadingZero(std::string text) {
  size_t zero = text.find("0.");
  if (zero == 0 || (zero == 1 && text[0] == '-'))
    text.erase(zero, 1);
  return text;
}

/// Decimals after the point that leave `significant` digits of a number of this size.
int decimalsFor(double magnitude, int significant) {
  if (!(magnitude > 0) || !std::isfinite(magnitude))
    return 2;
  return std::clamp(significant - 1 - static_cast<int>(std::floor(std::log10(magnitude))), 0, 6);
}

} // namespace

std::string numberText(double value) {
  if (std::isnan(value))
    return "none";
  if (std::isinf(value))
    return value > 0 ? "infinite" : "-infinite";
  if (value == 0)
    return "0";
  double magnitude = std::abs(value);
  if (magnitude < 1e-4 || magnitude >= 1e9)
    return format("%.*e", 2, value);
  if (value == std::floor(value))
    return format("%.*f", 0, value);
  return format("%.*f", decimalsFor(magnitude, 4), value);
}

std::string pText(const PValue &p) {
  if (p.value >= 0.9995)
    return "1.00";
  if (p.value >= 1e-3)
    return withoutLeadingZero(format("%.*f", decimalsFor(p.value, 3), p.value));
  if (p.value > 1e-300)
    return format("%.*e", 2, p.value);
  if (!std::isfinite(p.log)) // an infinite statistic, or adjusted after it fell under all doubles
    return "< 1e-300";
  double power = p.log / std::log(10.0), exponent = std::floor(power);
  return format("%.*f", 2, std::pow(10, power - exponent)) + "e" + format("%.*f", 0, exponent);
}

std::string pEquals(const PValue &p) {
  std::string text = pText(p);
  return (text.starts_with('<') ? "p " : "p = ") + text;
}

std::string pApa(const PValue &p) {
  if (p.value < 0.001)
    return "p < .001";
  if (p.value > 0.999)
    return "p > .999";
  return "p = " + withoutLeadingZero(format("%.*f", 3, p.value));
}

std::string percentText(double level) {
  double percent = level * 100;
  bool whole = std::abs(percent - std::round(percent)) < 0.05;
  int digits = whole ? 0 : 1;
  double margin = std::min(percent, 100 - percent); // 99.99% is not everything
  while (digits < 12 &&
         std::abs(std::stod(format("%.*f", digits, percent)) - percent) > 0.05 * margin)
    ++digits;
  return format("%.*f", digits, percent) + "%";
}

std::string intervalText(const Interval &interval) {
  double low = std::abs(interval.low), high = std::abs(interval.high);
  double scale = std::isfinite(low) && std::isfinite(high) ? std::max(low, high)
                 : std::isfinite(low)                      ? low
                                                           : high;
  auto end = [&](double value) {
    if (!std::isfinite(value))
      return std::string(value > 0 ? "∞" : "-∞");
    if (scale < 1e-4 || scale >= 1e9)
      return numberText(value);
    return format("%.*f", std::max(decimalsFor(scale, 3), scale < 1 ? 3 : 0), value);
  };
  return "[" + end(interval.low) + ", " + end(interval.high) + "]";
}

std::string apaNumber(double value, Bound bound) {
  if (!std::isfinite(value))
    return numberText(value);
  if (std::abs(value) >= 1e6 || (value != 0 && std::abs(value) < 0.005 && bound == Bound::None))
    return numberText(value);
  std::string text = format("%.*f", 2, value);
  if (text == "-0.00")
    text = "0.00";
  return bound == Bound::One ? withoutLeadingZero(text) : text;
}

} // namespace imbrex::stats
