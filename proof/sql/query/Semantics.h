// What differs between engines or is left open by the standard. Printed with every verdict.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace imbrex::sql {

enum class Dialect : uint8_t { Standard, Postgres, Sqlite, MySql, Calcite };

/// standard, postgres, sqlite, mysql, calcite; reading also takes pg and postgresql.
const char *dialectName(Dialect dialect);
std::optional<Dialect> dialectOf(std::string_view name);

/// How results are compared.
enum class Comparison : uint8_t {
  Automatic, // List when both queries end in ORDER BY, else Bag
  Bag,
  Set,
  List,
};

enum class IntegerDivision : uint8_t { Truncate, Exact }; // 7/2 = 3 and -7/2 = -3, or 3.5
enum class ErrorPolicy : uint8_t {
  ErrorFree, // runs that raise an error (1/0, several rows in a scalar subquery) do not count
  AsNull,    // 1/0 is NULL
};

/// Where NULL goes in an ORDER BY that does not say it.
enum class NullSorting : uint8_t { Largest, Smallest, First, Last };
enum class EmptyText : uint8_t { Text, Null }; // is '' a text of its own, or NULL?
/// Integers are unbounded: runs in which an engine's would overflow do not count, or they do, and
/// then no query that computes with integers is proven.
enum class Overflow : uint8_t { Ignored, Counts };

struct Semantics {
  Dialect dialect = Dialect::Standard;
  Comparison comparison = Comparison::Automatic;
  IntegerDivision division = IntegerDivision::Truncate;
  ErrorPolicy errors = ErrorPolicy::ErrorFree;
  NullSorting nulls = NullSorting::Largest;
  EmptyText emptyText = EmptyText::Text;
  Overflow overflow = Overflow::Ignored;
  bool compareNames = false; // also require equal column names

  /// The usual choices of a dialect.
  static Semantics of(Dialect dialect);
  std::string str() const;
};

} // namespace imbrex::sql
