// The relational algebra that both front ends (SQL, QED's JSON) produce, and that the evaluator,
// the refuter and the prover read. Bound and typed: no names are looked up any more. Immutable,
// shared freely.
//
// Rows and depth. Every expression stands in an operator and is evaluated once per *row* of that
// operator:
//   Filter, Project, Group, Window, Sort keys: the row of the input;
//   Join condition: left row ++ right row;
//   Values, limit and offset: an empty row.
// A column is (depth, index): depth 0 is that row; depth 1 is the row in which the enclosing query
// is evaluated, and so on outward. A query encloses another in two ways only: as the query of an
// expression (the row is the one that expression is evaluated in), and as the right input of a
// lateral join (the row is the left row). Inputs of operators are otherwise closed over the same
// outer rows as the operator itself.
//
// Results are bags, except under an outermost Sort, which makes the result a list (Semantics.h). A
// Sort below nothing but Projects counts as outermost: `outermostSort` in Builders.h.
#pragma once

#include "proof/sql/query/Value.h"
#include "support/Result.h"

#include <memory>
#include <optional>
#include <vector>

namespace imbrex::sql {

struct Query;
struct Expr;
using QueryPtr = std::shared_ptr<const Query>;
using ExprPtr = std::shared_ptr<const Expr>;

enum class Op : uint8_t {
  And,
  Or, // n-ary, three-valued
  Not,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual, // NULL when an operand is
  IsNull,
  IsNotNull,
  IsTrue,
  IsNotTrue,
  IsFalse,
  IsNotFalse, // never NULL
  IsDistinct,
  IsNotDistinct, // null-safe comparison, never NULL
  Add,
  Subtract,
  Multiply,
  Divide,
  Modulo,
  Negate,
  Case,     // condition, value, condition, value, ..., else (always present; NULL literal when not
            // written)
  Coalesce, // n-ary
  Like,     // text, pattern
  Concat,
  Cast,     // to Expr::type
  Function, // uninterpreted and deterministic: equal arguments give equal results; Expr::name says
            // which
};

enum class ExprKind : uint8_t {
  Column,     // depth, index
  Literal,    // value
  Parameter,  // name: an unknown constant, the same in both queries
  Call,       // op, operands
  Exists,     // query
  In,         // operands IN (query): as many operands as the query has columns
  Quantified, // operands[0] op ANY|ALL (query): op is a comparison
  Scalar, // the one row of query, NULL when it has none; more than one is an error (Semantics.h)
};

enum class Quantifier : uint8_t { Any, All };

struct Expr {
  ExprKind kind = ExprKind::Literal;
  Type type;
  uint32_t depth = 0;
  uint32_t index = 0;
  Value value;
  Op op = Op::And;
  Quantifier quantifier = Quantifier::Any;
  std::string name; // of Function and Parameter
  std::vector<ExprPtr> operands;
  QueryPtr query;
};

enum class AggregateKind : uint8_t {
  CountRows, // COUNT(*)
  Count,     // of rows where no argument is NULL
  Sum,
  Avg,
  Min,
  Max,
  BoolAnd,
  BoolOr,        // EVERY, SOME
  SingleValue,   // Calcite's SINGLE_VALUE: NULL of no row, error for several
  AnyValue,      // not determined
  Uninterpreted, // a function of the bag of argument values; `name` says which
};

struct Aggregate {
  AggregateKind kind = AggregateKind::CountRows;
  std::string name = {}; // of Uninterpreted, in capitals
  Type type = {};
  std::vector<ExprPtr> arguments = {};
  bool distinct = false;
  ExprPtr filter = {}; // null: every row
};

enum class Direction : uint8_t { Ascending, Descending };
enum class NullOrder : uint8_t { First, Last };

struct SortKey {
  ExprPtr expr;
  Direction direction = Direction::Ascending;
  NullOrder nulls = NullOrder::Last; // never "default": front ends resolve it by dialect
};

enum class FrameUnit : uint8_t { Range, Rows };
enum class BoundKind : uint8_t {
  UnboundedPreceding,
  Preceding,
  CurrentRow,
  Following,
  UnboundedFollowing
};
struct FrameBound {
  BoundKind kind = BoundKind::CurrentRow;
  ExprPtr offset; // of Preceding and Following
};

enum class WindowKind : uint8_t {
  Aggregate,
  RowNumber,
  Rank,
  DenseRank,
  Lag,
  Lead,
  FirstValue,
  LastValue,
  Ntile,
  PercentRank,
  CumeDist,
  NthValue,
  Other
};

struct WindowFunction {
  WindowKind kind = WindowKind::Aggregate;
  std::string name;    // of Other
  Aggregate aggregate; // of kind Aggregate; for the others its `arguments` and `type` are used
  std::vector<ExprPtr> partition;
  std::vector<SortKey> order;
  FrameUnit unit = FrameUnit::Range;
  FrameBound from{BoundKind::UnboundedPreceding, nullptr};
  FrameBound to{BoundKind::CurrentRow, nullptr};
};

enum class QueryKind : uint8_t {
  Scan,     // table
  Values,   // rows (none: an empty relation of the given columns)
  Filter,   // inputs[0], condition: rows where it is TRUE
  Project,  // inputs[0], exprs
  Join,     // inputs[0], inputs[1], condition, join, lateral
  SetOp,    // inputs[0..n), set, all: n >= 2 for Union, 2 otherwise
  Distinct, // inputs[0]
  Group,    // inputs[0], exprs = keys, groupingSets, aggregates
  Window,   // inputs[0], windows: input columns, then one column each
  Sort,     // inputs[0], order, limit, offset
};

enum class JoinKind : uint8_t {
  Inner,
  Left,
  Right,
  Full,
  Semi,
  Anti
}; // Anti: rows without a match (NOT EXISTS)
enum class SetKind : uint8_t { Union, Intersect, Except };

struct Column {
  std::string name; // as the query writes it; empty when it has none
  Type type;
};

struct Query {
  QueryKind kind = QueryKind::Values;
  std::vector<Column> columns; // of the result
  std::vector<QueryPtr> inputs;

  uint32_t table = 0; // index in Catalog::tables
  std::vector<std::vector<ExprPtr>> rows;
  ExprPtr condition; // of Filter and Join; never null there (TRUE literal)
  std::vector<ExprPtr> exprs;
  JoinKind join = JoinKind::Inner;
  bool lateral = false;
  SetKind set = SetKind::Union;
  bool all = false; // of SetOp: keeps duplicates
  /// Of Group: each set lists indices into `exprs`; a key outside the set is NULL in its rows.
  /// Without GROUP BY: one empty set, which gives one row even on empty input. Output: keys, then
  /// aggregates, then, for each of `groupingCalls`, GROUPING(those keys) as an integer.
  std::vector<std::vector<uint32_t>> groupingSets;
  std::vector<Aggregate> aggregates;
  std::vector<std::vector<uint32_t>> groupingCalls;
  std::vector<WindowFunction> windows;
  std::vector<SortKey> order;
  ExprPtr limit; // null: none
  ExprPtr offset;
};

struct Key {
  std::vector<uint32_t> columns; // none: the table has at most one row
  bool primary = false;          // else UNIQUE: rows with a NULL among these columns may repeat
};

struct ForeignKey {
  std::vector<uint32_t> columns;
  uint32_t table = 0; // in Catalog::tables
  std::vector<uint32_t>
      target; // a key of that table; MATCH SIMPLE: a NULL among `columns` frees the row
};

struct Table {
  std::string name;
  std::vector<Column> columns;
  std::vector<Key> keys = {};
  std::vector<ForeignKey> foreignKeys = {};
  /// Over a row of the table at depth 0; satisfied when TRUE or NULL.
  std::vector<ExprPtr> checks = {};
};

struct Catalog {
  std::vector<Table> tables;
  /// Names of functions that stand for any function of their type: whoever says that two queries
  /// are equivalent says it for all of them.
  std::vector<std::string> functions = {};
};

/// For people and tests: one operator a line, indented.
std::string toText(const Query &query, const Catalog &catalog);
std::string toText(const Expr &expr, const Catalog &catalog);

/// Checks columns in range at every depth, types of operands and results, arities: an internal
/// error (E1090) that names the operator. Front ends deliver only what this accepts.
Status verify(const Query &query, const Catalog &catalog);

} // namespace imbrex::sql
