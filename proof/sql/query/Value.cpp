#include "proof/sql/query/Value.h"

#include <algorithm>

namespace imbrex::sql {

static std::string quoted(const std::string &text) {
  std::string result = "'";
  for (char c : text)
    result += c == '\'' ? std::string("''") : std::string(1, c);
  return result + "'";
}

/// A decimal fraction where that is exact, else a quotient that every engine divides exactly
/// enough.
static std::string toSql(const Rational &value) {
  int64_t denominator = value.denominator;
  int twos = 0, fives = 0;
  while (denominator % 2 == 0 && ++twos)
    denominator /= 2;
  while (denominator % 5 == 0 && ++fives)
    denominator /= 5;
  int digits = std::max({twos, fives, 1});
  if (denominator != 1 || digits > 18)
    return "(" + std::to_string(value.numerator) + ".0 / " + std::to_string(value.denominator) +
           ".0)";
  __int128 scaled = value.numerator < 0 ? -__int128(value.numerator) : __int128(value.numerator);
  __int128 power = 1;
  for (int i = 0; i < digits; ++i)
    power *= 10;
  __int128 whole = scaled / value.denominator;
  __int128 rest = (scaled % value.denominator) * power / value.denominator;
  std::string fraction = std::to_string(int64_t(rest));
  return (value.numerator < 0 ? "-" : "") + std::to_string(uint64_t(whole)) + "." +
         std::string(digits - fraction.size(), '0') + fraction;
}

static std::string toSql(const Opaque &value) {
  switch (value.base) {
  case BaseType::Date:
    return "DATE " + quoted(value.text);
  case BaseType::Time:
    return "TIME " + quoted(value.text);
  case BaseType::Timestamp:
    return "TIMESTAMP " + quoted(value.text);
  case BaseType::Interval:
    return "INTERVAL " + quoted(value.text);
  default:
    return quoted(value.text);
  }
}

std::string toSql(const Value &value) {
  switch (value.index()) {
  case 0:
    return "NULL";
  case 1:
    return std::get<bool>(value) ? "TRUE" : "FALSE";
  case 2:
    return std::to_string(std::get<int64_t>(value));
  case 3:
    return toSql(std::get<Rational>(value));
  case 4:
    return quoted(std::get<std::string>(value));
  default:
    return toSql(std::get<Opaque>(value));
  }
}

} // namespace imbrex::sql
