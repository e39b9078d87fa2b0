// A SQL value, exact: what literals, table cells and results are. NULL is a value here;
// three-valued logic is Bool with NULL.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <variant>

namespace imbrex::sql {

enum class BaseType : uint8_t {
  Bool,
  Int,    // mathematical integers; Semantics says whether a width matters
  Number, // DECIMAL and, unless Semantics says otherwise, REAL and DOUBLE: exact rationals
  Text,   // CHAR, VARCHAR: a totally ordered set; collation is opaque
  Date,   // these three are totally ordered and opaque beyond that
  Time,
  Timestamp,
  Interval,
  Unknown, // of a bare NULL or parameter, until a context fixes it
  Other,   // anything else: only equality is known of it
};

struct Type {
  BaseType base = BaseType::Unknown;
  /// Of Other: as declared, in capitals; two Other types are equal when their names are.
  std::string name = {};
  bool nullable = true;

  bool operator==(const Type &) const = default;
};

/// `numerator/denominator`, lowest terms, denominator > 0.
struct Rational {
  int64_t numerator = 0;
  int64_t denominator = 1;

  bool operator==(const Rational &) const = default;
  std::strong_ordering operator<=>(const Rational &other) const {
    return __int128(numerator) * other.denominator <=> __int128(other.numerator) * denominator;
  }
};

/// A value of type Date, Time, Timestamp, Interval or Other: its text, compared as text.
struct Opaque {
  BaseType base = BaseType::Other;
  std::string text;

  auto operator<=>(const Opaque &) const = default;
};

/// monostate is NULL.
using Value = std::variant<std::monostate, bool, int64_t, Rational, std::string, Opaque>;

inline bool isNull(const Value &value) { return value.index() == 0; }

/// As a literal in SQL: NULL, TRUE, 3, 1.5, 'it''s', DATE '2020-01-01'.
std::string toSql(const Value &value);

} // namespace imbrex::sql
