#include "stats/data/Numbers.h"

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
  auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  while (!text.empty() && blank(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && blank(text.back()))
    text.remove_suffix(1);
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
    std::string_view mantissa = text.substr(0, exponent);
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
