#include "proof/sql/query/Semantics.h"

namespace imbrex::sql {

Semantics Semantics::of(Dialect dialect) {
  Semantics result;
  result.dialect = dialect;
  if (dialect == Dialect::Sqlite || dialect == Dialect::MySql) {
    result.errors = ErrorPolicy::AsNull;
    result.nulls = NullSorting::Smallest;
  }
  if (dialect == Dialect::MySql)
    result.division = IntegerDivision::Exact;
  return result;
}

const char *dialectName(Dialect dialect) {
  switch (dialect) {
  case Dialect::Standard:
    return "standard";
  case Dialect::Postgres:
    return "postgres";
  case Dialect::Sqlite:
    return "sqlite";
  case Dialect::MySql:
    return "mysql";
  case Dialect::Calcite:
    return "calcite";
  }
  return "";
}

std::optional<Dialect> dialectOf(std::string_view name) {
  if (name == "pg" || name == "postgresql")
    return Dialect::Postgres;
  for (Dialect dialect :
       {Dialect::Standard, Dialect::Postgres, Dialect::Sqlite, Dialect::MySql, Dialect::Calcite})
    if (name == dialectName(dialect))
      return dialect;
  return std::nullopt;
}

static const char *comparisonName(Comparison comparison) {
  switch (comparison) {
  case Comparison::Automatic:
    return "automatic";
  case Comparison::Bag:
    return "bag";
  case Comparison::Set:
    return "set";
  case Comparison::List:
    return "list";
  }
  return "";
}

static const char *sortingName(NullSorting nulls) {
  switch (nulls) {
  case NullSorting::Largest:
    return "as the largest value";
  case NullSorting::Smallest:
    return "as the smallest value";
  case NullSorting::First:
    return "first";
  case NullSorting::Last:
    return "last";
  }
  return "";
}

std::string Semantics::str() const {
  std::string text =
      std::string("dialect ") + dialectName(dialect) + ", compared as " +
      comparisonName(comparison) + ", NULL sorts " + sortingName(nulls) +
      (emptyText == EmptyText::Null ? ", '' is NULL" : ", '' is no NULL") + ", integer division " +
      (division == IntegerDivision::Truncate ? "truncates" : "is exact") + ", overflow " +
      (overflow == Overflow::Counts ? "counts" : "does not count") + ", errors " +
      (errors == ErrorPolicy::ErrorFree ? "do not count" : "give NULL");
  if (compareNames)
    text += ", column names compared";
  return text;
}

} // namespace imbrex::sql
