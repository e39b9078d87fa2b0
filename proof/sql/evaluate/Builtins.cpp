// Functions of known meaning, casts and LIKE.
#include "proof/sql/evaluate/Program.h"

#include <charconv>

namespace imbrex::sql::evaluate {

namespace {

Cell text(std::string_view value, Run &run) {
  // No engine at hand reads it as NULL.
  if (value.empty() && run.semantics.emptyText == EmptyText::Null)
    run.fail(Fault::NotDetermined, "a function that gives an empty text");
  return {run.pool.intern(value), 1, CellTag::Text};
}

template <class Change> Cell changed(const Cell &cell, Change change, Run &run) {
  std::string value = run.pool.text(cell.number);
  for (char &c : value)
    c = change(c);
  return text(value, run);
}

char upper(char c) { return c >= 'a' && c <= 'z' ? char(c - 32) : c; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; }

/// Characters from `start` (counted from 1) on, `length` of them; engines differ outside the text.
Cell substring(const std::vector<Cell> &arguments, Run &run) {
  int64_t start = arguments[1].number;
  int64_t length = arguments.size() == 3 ? arguments[2].number : INT64_MAX;
  if (start < 1 || length < 0) {
    run.fail(Fault::NotDetermined, "SUBSTRING from before the text");
    return {};
  }
  const std::string &value = run.pool.text(arguments[0].number);
  if (size_t(start) > value.size())
    return text("", run);
  return text(value.substr(size_t(start - 1), size_t(length)), run);
}

/// Takes away any of the given characters, blanks if none are given.
Cell trim(Builtin sides, const std::vector<Cell> &arguments, Run &run) {
  std::string value = run.pool.text(arguments[0].number);
  std::string away = arguments.size() == 2 ? run.pool.text(arguments[1].number) : " ";
  size_t start = sides == Builtin::TrimEnd ? 0 : value.find_first_not_of(away);
  size_t end = sides == Builtin::TrimStart ? value.size() : value.find_last_not_of(away) + 1;
  return text(start == std::string::npos ? "" : value.substr(start, end - start), run);
}

/// YEAR, MONTH or DAY of a date, which is written 2020-12-31.
Cell extract(const std::vector<Cell> &arguments, Run &run) {
  const std::string &unit = run.pool.text(arguments[0].number);
  const std::string &date = run.pool.text(arguments[1].number);
  size_t start = unit == "YEAR" ? 0 : unit == "MONTH" ? 5 : 8, length = unit == "YEAR" ? 4 : 2;
  int64_t number = 0;
  if (date.size() == 10)
    std::from_chars(date.data() + start, date.data() + start + length, number);
  else
    run.fail(Fault::NotDetermined, "a date in another form");
  return Cell::ofInt(number);
}

/// An integer or a decimal number.
std::optional<Cell> parseNumber(const std::string &value) {
  size_t point = value.find('.');
  std::string digits = value;
  Cell scale = Cell::ofInt(1);
  if (point != std::string::npos) {
    digits.erase(point, 1);
    for (size_t i = point + 1; i < value.size(); ++i) {
      std::optional<Cell> next = multiply(scale, Cell::ofInt(10));
      if (!next)
        return std::nullopt;
      scale = *next;
    }
  }
  int64_t number = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size())
    return std::nullopt;
  return divide(Cell::ofInt(number), scale);
}

Cell toInteger(const CompiledExpr &expr, const Cell &cell, Run &run) {
  if (cell.denominator == 1)
    return Cell::ofInt(cell.number);
  // PostgreSQL and MySQL round, SQLite and Calcite cut off; the standard leaves it open.
  switch (run.semantics.dialect) {
  case Dialect::Postgres:
  case Dialect::MySql:
    return roundHalfAway(cell);
  case Dialect::Sqlite:
  case Dialect::Calcite:
    return truncate(cell);
  case Dialect::Standard:
    run.fail(Fault::NotDetermined, "a cast to an integer that rounds");
    return {};
  }
  return {};
}

/// A conversion that engines do in their own ways is an unknown function.
Cell drawn(const CompiledExpr &expr, const Cell &cell, Run &run) {
  uint64_t name = mix(hashName("CAST"), uint64_t(expr.type.base));
  return run.meaning->value(name, hashOf(cell, run.pool), expr.type);
}

bool sameType(const Type &a, const Type &b) { return a.base == b.base && a.name == b.name; }

Cell fromText(const CompiledExpr &expr, const Cell &cell, Run &run) {
  const std::string &value = run.pool.text(cell.number);
  bool number = expr.type.base == BaseType::Int || expr.type.base == BaseType::Number;
  if (!number)
    return drawn(expr, cell, run);
  std::optional<Cell> parsed = parseNumber(value);
  if (!parsed || (expr.type.base == BaseType::Int && parsed->denominator != 1)) {
    run.fail(Fault::Error, "a text that is no number");
    return {};
  }
  return *parsed;
}

} // namespace

Cell callBuiltin(const CompiledExpr &expr, const std::vector<Cell> &arguments, Run &run) {
  if (expr.builtin == Builtin::Random) {
    run.fail(Fault::NotDetermined, "a random function");
    return {};
  }
  if (expr.builtin == Builtin::ThrowUnless) {
    if (!arguments[0].isTrue())
      run.fail(Fault::Error, "a condition that must hold does not");
    return Cell::ofBool(true);
  }
  for (const Cell &argument : arguments)
    if (argument.isNull())
      return {};
  switch (expr.builtin) {
  case Builtin::Upper:
    return changed(arguments[0], upper, run);
  case Builtin::Lower:
    return changed(arguments[0], lower, run);
  case Builtin::Abs:
    if (arguments[0].number >= 0)
      return arguments[0];
    if (std::optional<Cell> negated = subtract(Cell::ofInt(0), arguments[0]))
      return *negated;
    run.fail(Fault::Overflow, "a number beyond 64 bits");
    return {};
  case Builtin::Length:
    return Cell::ofInt(int64_t(run.pool.text(arguments[0].number).size()));
  case Builtin::Trim:
  case Builtin::TrimStart:
  case Builtin::TrimEnd:
    return trim(expr.builtin, arguments, run);
  case Builtin::CutText:
    return text(run.pool.text(arguments[0].number).substr(0, size_t(expr.literal.number)), run);
  case Builtin::Extract:
    return extract(arguments, run);
  case Builtin::BitAnd:
    return Cell::ofInt(arguments[0].number & arguments[1].number);
  case Builtin::BitOr:
    return Cell::ofInt(arguments[0].number | arguments[1].number);
  case Builtin::BitXor:
    return Cell::ofInt(arguments[0].number ^ arguments[1].number);
  case Builtin::Substring:
    return substring(arguments, run);
  default:
    return {};
  }
}

Cell castCell(const CompiledExpr &expr, const Cell &cell, Run &run) {
  BaseType to = expr.type.base;
  if (cell.isNull() || to == BaseType::Unknown)
    return cell;
  switch (cell.tag) {
  case CellTag::Bool:
    if (to == BaseType::Bool)
      return cell;
    if (to == BaseType::Int)
      return Cell::ofInt(cell.number);
    return drawn(expr, cell, run);
  case CellTag::Number:
    if (to == BaseType::Number)
      return cell;
    if (to == BaseType::Int)
      return toInteger(expr, cell, run);
    if (to == BaseType::Bool)
      return Cell::ofBool(cell.number != 0);
    if (to == BaseType::Text && expr.operands[0].type.base == BaseType::Int)
      return text(std::to_string(cell.number), run);
    return drawn(expr, cell, run);
  case CellTag::Text:
    return to == BaseType::Text ? cell : fromText(expr, cell, run);
  case CellTag::Opaque:
    return sameType(expr.operands[0].type, expr.type) ? cell : drawn(expr, cell, run);
  case CellTag::Null:
    break;
  }
  return {};
}

bool matchesLike(std::string_view value, std::string_view pattern) {
  size_t v = 0, p = 0, star = std::string_view::npos, resume = 0;
  while (v < value.size()) {
    if (p < pattern.size() && pattern[p] == '%') {
      star = p++;
      resume = v;
    } else if (p < pattern.size() && (pattern[p] == '_' || pattern[p] == value[v])) {
      ++p;
      ++v;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      v = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '%')
    ++p;
  return p == pattern.size();
}

} // namespace imbrex::sql::evaluate
