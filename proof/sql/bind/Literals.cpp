// Numbers and texts of dates, exactly; equal values get equal texts.
#include "proof/sql/bind/Binder.h"
#include "proof/sql/query/Builders.h"
#include "proof/sql/query/Types.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <regex>

namespace imbrex::sql {
namespace {

/// Digits, a point, an exponent; no value when it does not fit.
std::optional<Rational> rationalOf(std::string text) {
  int exponent = 0;
  if (size_t e = text.find_first_of("eE"); e != std::string::npos) {
    if (text.size() - e > 5)
      return std::nullopt;
    exponent = std::atoi(text.c_str() + e + 1);
    text.resize(e);
  }
  bool negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '-' || text[0] == '+'))
    text.erase(0, 1);
  if (size_t point = text.find('.'); point != std::string::npos) {
    while (text.back() == '0')
      text.pop_back();
    exponent -= int(text.size() - point - 1);
    text.erase(point, 1);
  }
  __int128 numerator = 0, denominator = 1, limit = std::numeric_limits<int64_t>::max();
  for (char c : text) {
    if (c < '0' || c > '9' || numerator > limit)
      return std::nullopt;
    numerator = numerator * 10 + (c - '0');
  }
  for (; exponent > 0 && numerator && numerator <= limit; --exponent)
    numerator *= 10;
  for (; exponent < 0 && numerator && denominator <= limit; ++exponent)
    denominator *= 10;
  if (text.empty() || numerator > limit || denominator > limit)
    return std::nullopt;
  int64_t divisor = std::gcd(int64_t(numerator), int64_t(denominator));
  return Rational{(negative ? -1 : 1) * (int64_t(numerator) / divisor),
                  int64_t(denominator) / divisor};
}

std::string trimmed(const std::string &text) {
  size_t begin = text.find_first_not_of(" \t\n"), end = text.find_last_not_of(" \t\n");
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

std::string padded(const std::string &digits) { return digits.size() < 2 ? "0" + digits : digits; }

/// YYYY-MM-DD, or nothing.
std::optional<std::string> dateOf(const std::string &text) {
  static const std::regex form(R"((\d{4})-(\d{1,2})-(\d{1,2}))");
  std::smatch parts;
  if (!std::regex_match(text, parts, form))
    return std::nullopt;
  int month = std::stoi(parts[2]), day = std::stoi(parts[3]);
  if (month < 1 || month > 12 || day < 1 || day > 31)
    return std::nullopt;
  return parts[1].str() + "-" + padded(parts[2]) + "-" + padded(parts[3]);
}

/// HH:MM:SS[.F], without zeros at the end, or nothing.
std::optional<std::string> timeOf(const std::string &text) {
  static const std::regex form(R"((\d{1,2}):(\d{2})(?::(\d{2})(\.\d{0,9})?)?)");
  std::smatch parts;
  if (!std::regex_match(text, parts, form))
    return std::nullopt;
  std::string seconds = parts[3].matched ? parts[3].str() : "00", fraction = parts[4];
  if (std::stoi(parts[1]) > 23 || std::stoi(parts[2]) > 59 || std::stoi(seconds) > 59)
    return std::nullopt;
  while (!fraction.empty() && (fraction.back() == '0' || fraction.back() == '.'))
    fraction.pop_back();
  return padded(parts[1]) + ":" + parts[2].str() + ":" + seconds + fraction;
}

std::optional<std::string> timestampOf(const std::string &text) {
  size_t blank = text.find_first_of(" T");
  std::optional<std::string> date = dateOf(text.substr(0, blank));
  std::optional<std::string> time =
      blank == std::string::npos ? "00:00:00" : timeOf(trimmed(text.substr(blank + 1)));
  return date && time ? std::optional(*date + " " + *time) : std::nullopt;
}

} // namespace

ExprPtr Binder::bindNumber(const ast::Expr &expr) const {
  std::optional<Rational> value = rationalOf(expr.text);
  if (!value)
    fail(1032, "the number " + expr.text + " is too large or too small",
         "numbers are quotients of 64-bit integers", "a rounder number", expr.place);
  bool integer = expr.text.find_first_of(".eE") == std::string::npos;
  if (integer)
    return makeInt(value->numerator);
  ExprPtr real = makeLiteral(*value, {BaseType::Number});
  reals.insert(real);
  return real;
}

/// The text as a value of `type`.
ExprPtr Binder::typedLiteral(const std::string &text, const Type &type, Place place) const {
  std::string content = trimmed(text);
  std::optional<std::string> normal;
  switch (type.base) {
  case BaseType::Text:
    return makeText(text);
  case BaseType::Int:
  case BaseType::Number: {
    std::optional<Rational> value = content.size() < 64 ? rationalOf(content) : std::nullopt;
    if (!value || (type.base == BaseType::Int && value->denominator != 1))
      break;
    return type.base == BaseType::Int ? makeInt(value->numerator) : makeLiteral(*value, type);
  }
  case BaseType::Bool: {
    std::string upper = upperCase(content);
    for (const char *word : {"TRUE", "T", "YES", "Y", "ON", "1"})
      if (upper == word)
        return makeBool(true);
    for (const char *word : {"FALSE", "F", "NO", "N", "OFF", "0"})
      if (upper == word)
        return makeBool(false);
    break;
  }
  case BaseType::Date:
    normal = content.size() < 64 ? dateOf(content) : std::nullopt;
    break;
  case BaseType::Time:
    normal = content.size() < 64 ? timeOf(content) : std::nullopt;
    break;
  case BaseType::Timestamp:
    normal = content.size() < 64 ? timestampOf(content) : std::nullopt;
    break;
  case BaseType::Interval:
    // '24 hours' and '1 day' may be equal: an unknown constant, not a value.
    return makeFunction("INTERVAL " + upperCase(content), {}, {BaseType::Interval, {}, false});
  default:
    return makeCast(makeText(text), type);
  }
  if (!normal)
    fail(1033, "'" + text + "' is no " + typeName(type), "", "a value of that type", place);
  return makeLiteral(Opaque{type.base, *normal}, type);
}

} // namespace imbrex::sql
