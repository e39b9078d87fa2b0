// What the reader of SQL text does differently in each dialect: one record, no dialect is asked
// about anywhere else in the parser. The standard dialect also reads what several engines add and
// no one contradicts.
#pragma once

#include "proof/sql/query/Query.h"
#include "proof/sql/query/Semantics.h"

namespace imbrex::sql {

/// How names without quotes compare.
enum class NameFolding : uint8_t { Upper, Lower, Insensitive };

/// How strongly operators bind; a larger number binds tighter. AND 20, NOT 30, + 80, * 90.
struct Precedence {
  int is = 40;       // IS NULL, IS DISTINCT FROM
  int equality = 50; // = <> !=
  int order = 50;    // < <= > >=
  int range = 60;    // BETWEEN IN LIKE
  int concat = 70;   // ||
};

/// The name of a column that has none, to whoever refers to it.
enum class UnnamedColumns : uint8_t { None, Postgres, Calcite };

struct DialectRules {
  Dialect dialect = Dialect::Standard;
  NameFolding folding = NameFolding::Upper;
  Precedence precedence;
  UnnamedColumns unnamed = UnnamedColumns::None;

  bool backtickNames = false;       // `name`
  bool bracketNames = false;        // [name]
  bool doubleQuotedText = false;    // "text" is a string
  bool backslashEscapes = false;    // 'it\'s'
  bool dollarNames = false;         // $0 is a name, else a parameter
  bool pipesAreOr = false;          // || is OR
  bool subqueryWithoutAlias = true; // FROM (SELECT ...)
  bool emptyValues = false;         // VALUES without rows
  bool top = false;                 // SELECT TOP 3
  bool limitComma = false;          // LIMIT offset, count
  bool qualify = false;
  bool groupByPosition = true;       // GROUP BY 1 is the first item; else a constant
  bool aliasInHaving = false;        // HAVING and GROUP BY see names of items before columns' ...
  bool numbersAreConditions = false; // WHERE 1; TRUE + 1
  bool castsTextImplicitly = false;  // text = number compares numbers
  bool averageOfIntegersIsInteger = false;
  bool ordersOperands = false; // SELECT ... ORDER BY ... UNION: each operand is ordered
  bool repairsNames = false;   // an unknown qualifier is dropped where that leaves one reading

  static DialectRules of(Dialect dialect);
};

} // namespace imbrex::sql
