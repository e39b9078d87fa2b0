#include "stats/data/Numbers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace imbrex::stats {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Takes a sign off the front; true for minus.
bool takeSign(std::string_view &text) {
  if (text.starts_with("\xe2\x88\x92")) { // U+2212
    text.remove_prefix(3);
    return true;
  }
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    bool minus = text[0] == '-';
    text.remove_prefix(1);
    return minus;
  }
  return false;
}

constexpr std::string_view noBreak = "\xc2\xa0", narrowNoBreak = "\xe2\x80\xaf"; // U+00A0, U+202F

/// Blanks of typesetters as ordinary ones.
std::string withPlainBlanks(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    size_t bytes = text.starts_with(noBreak)         ? noBreak.size()
                   : text.starts_with(narrowNoBreak) ? narrowNoBreak.size()
                                                     : 0;
    plain += bytes ? ' ' : text[0];
    text.remove_prefix(std::max<size_t>(bytes, 1));
  }
  return plain;
}

/// `1,286,000` without its marks; nothing when they do not stand before groups of three.
std::optional<std::string> withoutThousands(std::string_view whole, char mark) {
  std::string digits;
  size_t group = 0;
  bool marked = false;
  for (char c : whole) {
    if (c == mark) {
      if (marked ? group != 3 : group == 0 || group > 3)
        return std::nullopt;
      marked = true;
      group = 0;
    } else {
      digits += c;
      ++group;
    }
  }
  return marked && group != 3 ? std::nullopt : std::optional(digits);
}

std::optional<double> plainNumber(std::string_view text) {
  double value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

} // namespace

std::string_view trimmed(std::string_view text) {
  constexpr std::array<std::string_view, 6> blanks = {" ",  "\t",    "\n",
                                                      "\r", noBreak, narrowNoBreak};
  auto visible = [](char c) { return c > ' ' && c < 0x7f; };
  if (text.empty() || (visible(text.front()) && visible(text.back()))) // most cells
    return text;
  for (bool more = true; more;) {
    more = false;
    for (std::string_view blank : blanks) {
      if (text.starts_with(blank))
        text.remove_prefix(blank.size()), more = true;
      if (text.ends_with(blank))
        text.remove_suffix(blank.size()), more = true;
    }
  }
  return text;
}

std::optional<double> parseNumber(std::string_view text, NumberFormat format) {
  text = trimmed(text);
  bool minus = takeSign(text);
  bool startsWell =
      !text.empty() &&
      (isDigit(text[0]) || (text[0] == format.decimal && text.size() > 1 && isDigit(text[1])));
  if (!startsWell)
    return std::nullopt;
  std::optional<double> value;
  if (format.decimal == '.' && !format.thousands) {
    value = plainNumber(text);
  } else {
    size_t exponent = text.find_first_of("eE");
    std::string blanks = format.thousands == ' ' ? withPlainBlanks(text.substr(0, exponent)) : "";
    std::string_view mantissa = blanks.empty() ? text.substr(0, exponent) : blanks;
    size_t point = mantissa.find(format.decimal);
    std::optional<std::string> plain =
        withoutThousands(mantissa.substr(0, point), format.thousands);
    if (!plain)
      return std::nullopt;
    if (point != std::string_view::npos)
      *plain += '.' + std::string(mantissa.substr(point + 1));
    if (exponent != std::string_view::npos)
      *plain += text.substr(exponent);
    // A decimal point of the other kind may not slip through.
    if (format.decimal != '.' && mantissa.find('.') != std::string_view::npos &&
        format.thousands != '.')
      return std::nullopt;
    value = plainNumber(*plain);
  }
  if (value && minus)
    value = -*value;
  return value;
}

NumberHint numberHint(std::string_view text) {
  text = trimmed(text);
  takeSign(text);
  size_t dots = 0, commas = 0;
  for (char c : text) {
    dots += c == '.';
    commas += c == ',';
  }
  if (text.empty() || !(isDigit(text[0]) || text[0] == '.' || text[0] == ','))
    return NumberHint::NoNumber;
  bool point = parseNumber(text, {'.', ','}).has_value(),
       comma = parseNumber(text, {',', '.'}).has_value();
  if (!point && !comma)
    return NumberHint::NoNumber;
  if (dots + commas == 0)
    return NumberHint::None;
  if (point && comma) // one mark before three digits, without a leading zero as in 0,435
    return text[0] == '0' ? (commas ? NumberHint::Comma : NumberHint::Dot)
           : commas       ? NumberHint::EitherComma
                          : NumberHint::EitherDot;
  if (point)
    return commas ? NumberHint::CommaThousands : NumberHint::Dot;
  return dots ? NumberHint::DotThousands : NumberHint::Comma;
}

} // namespace imbrex::stats
