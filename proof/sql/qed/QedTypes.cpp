// Types, literals, casts.
#include "proof/sql/qed/QedReader.h"

#include "proof/sql/query/Types.h"

#include <charconv>
#include <map>
#include <numeric>
#include <optional>

namespace imbrex::sql::qed {

Type readType(const std::string &name) {
  static const std::map<std::string, BaseType> bases = {
      {"BOOLEAN", BaseType::Bool},        {"BOOL", BaseType::Bool},
      {"INTEGER", BaseType::Int},         {"INT", BaseType::Int},
      {"BIGINT", BaseType::Int},          {"SMALLINT", BaseType::Int},
      {"TINYINT", BaseType::Int},         {"DECIMAL", BaseType::Number},
      {"DOUBLE", BaseType::Number},       {"FLOAT", BaseType::Number},
      {"REAL", BaseType::Number},         {"VARCHAR", BaseType::Text},
      {"CHAR", BaseType::Text},           {"STRING", BaseType::Text},
      {"DATE", BaseType::Date},           {"TIME", BaseType::Time},
      {"TIMESTAMP", BaseType::Timestamp}, {"INTERVAL", BaseType::Interval},
      {"ANYELEMENT", BaseType::Unknown},  {"NULL", BaseType::Unknown}};
  auto found = bases.find(name);
  if (found == bases.end())
    return {BaseType::Other, name, true};
  return {found->second, {}, true};
}

namespace {

std::optional<int64_t> readInteger(std::string_view text) {
  int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

/// 1.50 is 3/2. None: no decimal number, or one that does not fit.
std::optional<Rational> readDecimal(std::string text) {
  size_t point = text.find('.');
  int64_t denominator = 1;
  if (point != std::string::npos) {
    while (text.back() == '0')
      text.pop_back();
    for (size_t i = point + 1; i < text.size(); ++i)
      if (__builtin_mul_overflow(denominator, int64_t(10), &denominator))
        return std::nullopt;
    text.erase(point, 1);
  }
  std::optional<int64_t> numerator = readInteger(text);
  if (!numerator || *numerator == INT64_MIN)
    return std::nullopt;
  int64_t common = std::gcd(*numerator, denominator);
  return Rational{*numerator / common, denominator / common};
}

/// 'it''s' with Calcite's prefix _CHARSET or without.
std::optional<std::string> readQuoted(std::string_view text) {
  if (!text.empty() && text[0] == '_') {
    size_t quote = text.find('\'');
    text.remove_prefix(quote == text.npos ? text.size() : quote);
  }
  if (text.size() < 2 || text.front() != '\'' || text.back() != '\'')
    return std::nullopt;
  text = text.substr(1, text.size() - 2);
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    result.push_back(text[i]);
    if (text[i] == '\'' && (++i == text.size() || text[i] != '\''))
      return std::nullopt;
  }
  return result;
}

/// Java's text of a calendar: `...,YEAR=2022,MONTH=0,...,DAY_OF_MONTH=1,...`, months from 0.
std::optional<std::string> readCalendar(const std::string &text) {
  int64_t parts[3];
  const char *names[3] = {",YEAR=", ",MONTH=", ",DAY_OF_MONTH="};
  for (int i = 0; i < 3; ++i) {
    size_t start = text.find(names[i]);
    if (start == std::string::npos)
      return std::nullopt;
    start += std::char_traits<char>::length(names[i]);
    std::optional<int64_t> value =
        readInteger(std::string_view(text).substr(start, text.find(',', start) - start));
    if (!value || *value < 0 || *value > 9999)
      return std::nullopt;
    parts[i] = *value;
  }
  char buffer[48];
  std::snprintf(buffer, sizeof buffer, "%04d-%02d-%02d", int(parts[0]), int(parts[1] + 1),
                int(parts[2]));
  return buffer;
}

bool isPlainDate(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-')
    return false;
  return text.find_first_not_of("0123456789-") == text.npos;
}

bool isPlainTimestamp(std::string_view text) {
  return text.size() == 19 && isPlainDate(text.substr(0, 10)) && text[10] == ' ' &&
         text[13] == ':' && text[16] == ':';
}

std::optional<Value> readValue(const std::string &text, const Type &type) {
  switch (type.base) {
  case BaseType::Bool:
    if (text == "TRUE" || text == "true")
      return true;
    if (text == "FALSE" || text == "false")
      return false;
    return std::nullopt;
  case BaseType::Int:
    if (std::optional<int64_t> value = readInteger(text))
      return *value;
    return std::nullopt;
  case BaseType::Number:
    if (std::optional<Rational> value = readDecimal(text))
      return *value;
    return std::nullopt;
  case BaseType::Text:
    if (std::optional<std::string> value = readQuoted(text))
      return *value;
    return std::nullopt;
  case BaseType::Date: {
    std::string date = readCalendar(text).value_or(readQuoted(text).value_or(text));
    if (isPlainDate(date))
      return Opaque{BaseType::Date, date};
    return std::nullopt;
  }
  case BaseType::Timestamp: {
    std::string stamp = readQuoted(text).value_or(text);
    if (isPlainTimestamp(stamp))
      return Opaque{BaseType::Timestamp, stamp};
    return std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

bool isNumber(const Type &type) {
  return type.base == BaseType::Int || type.base == BaseType::Number;
}

} // namespace

Result<ExprPtr> readLeaf(const std::string &text, const Type &type) {
  if (text == "NULL")
    return makeNull(type);
  if (text == "PLACEHOLDER")
    return makeParameter(text, type);
  if (std::optional<Value> value = readValue(text, type))
    return makeLiteral(std::move(*value), type);
  // Two spellings may stand for one value (intervals, documents, times with a zone), so such a
  // constant is only known to be equal to itself.
  return makeFunction(text, {}, type);
}

ExprPtr castTo(const ExprPtr &expr, const Type &type) {
  if (sameBase(expr->type, type) || type.base == BaseType::Unknown)
    return expr;
  if (expr->kind == ExprKind::Literal) {
    if (isNull(expr->value))
      return makeNull(type);
    if (type.base == BaseType::Number && expr->type.base == BaseType::Int)
      return makeLiteral(Rational{std::get<int64_t>(expr->value), 1}, type);
    const auto *text = std::get_if<std::string>(&expr->value);
    if (text && type.base == BaseType::Date && isPlainDate(*text))
      return makeLiteral(Opaque{BaseType::Date, *text}, type);
    if (text && type.base == BaseType::Timestamp && isPlainTimestamp(*text))
      return makeLiteral(Opaque{BaseType::Timestamp, *text}, type);
  }
  return makeCast(expr, type);
}

bool unify(std::vector<ExprPtr> &exprs) {
  Type target;
  for (const ExprPtr &expr : exprs) {
    const Type &type = expr->type;
    if (target.base == BaseType::Unknown ||
        (target.base == BaseType::Int && type.base == BaseType::Number))
      target = type;
    else if (!agree(target, type) && !(isNumber(target) && isNumber(type))) {
      // A text next to a date or the like is a literal of that type.
      if (target.base == BaseType::Text && type.base >= BaseType::Date)
        target = type;
      else if (!(type.base == BaseType::Text && target.base >= BaseType::Date))
        return false;
    }
  }
  for (ExprPtr &expr : exprs)
    expr = castTo(expr, target);
  return true;
}

} // namespace imbrex::sql::qed
