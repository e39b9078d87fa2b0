// SQL as written: the syntax tree, names not looked up, types not known. Immutable, shared.
// No node is more than MaxDepth levels deep.
#pragma once

#include "proof/sql/parse/Lexer.h"
#include "proof/sql/query/Query.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace imbrex::sql::ast {

constexpr unsigned MaxDepth = 500;

struct Expr;
struct Query;
using ExprPtr = std::shared_ptr<const Expr>;
using QueryPtr = std::shared_ptr<const Query>;

struct Name {
  std::string text;
  bool quoted = false;
  Place place = {};
};

struct TypeName {
  std::string name; // in capitals, words separated by one blank
  std::vector<int64_t> parameters;
  Place place;
};

struct OrderItem {
  ExprPtr expr;
  Direction direction = Direction::Ascending;
  std::optional<NullOrder> nulls;
};

struct FrameEnd {
  BoundKind kind = BoundKind::CurrentRow;
  ExprPtr offset;
};

struct Frame {
  FrameUnit unit = FrameUnit::Range;
  FrameEnd from{BoundKind::UnboundedPreceding, nullptr}, to;
};

struct Window {
  std::optional<Name> base; // OVER w, or a named window that this one extends
  std::vector<ExprPtr> partition;
  std::vector<OrderItem> order;
  std::optional<Frame> frame;
  Place place;
};

enum class ExprKind : uint8_t {
  Name,     // names: a, t.a, s.t.a
  Star,     // names: of t.*; empty: *
  Number,   // text
  Text,     // text
  Typed,    // DATE 'x': type, text
  Interval, // text, with its unit: "1 DAY"
  Null,
  Bool,       // flag
  Parameter,  // text
  Call,       // an operator of the algebra: op, operands (AND and OR: n-ary)
  Like,       // operands: text, pattern, perhaps escape; negated
  Between,    // operands: x, low, high; negated; flag: SYMMETRIC
  InList,     // operands: x, then values; negated
  InQuery,    // operands: x; query; negated
  Exists,     // query
  Quantified, // operands: x; op; quantifier; query, or else operands after x are a list
  Case,       // operands: (when, then)*, else; flag: operands[0] is compared with each `when`
  Cast,       // operands: x; type
  Function,   // names; operands; call
  Scalar,     // query
  Row,        // operands
};

/// What a function call has besides its arguments.
struct CallParts {
  bool distinct = false;
  bool star = false;            // COUNT(*)
  std::vector<OrderItem> order; // within the parentheses, or WITHIN GROUP
  ExprPtr filter;
  std::shared_ptr<Window> over;
};

struct Expr {
  ExprKind kind = ExprKind::Null;
  Place place;
  std::vector<Name> names;
  std::string text;
  bool flag = false;
  bool negated = false;
  Op op = Op::And;
  Quantifier quantifier = Quantifier::Any;
  TypeName type;
  std::vector<ExprPtr> operands;
  QueryPtr query;
  CallParts call;
  unsigned height = 1;
};

struct SelectItem {
  ExprPtr expr;
  std::optional<Name> alias;
};

enum class GroupKind : uint8_t { Keys, Rollup, Cube, Sets };

/// One element of GROUP BY. Keys: one set of `keys`. Rollup and Cube: each of `elements` is one
/// Keys. Sets: the elements are alternatives.
struct GroupElement {
  GroupKind kind = GroupKind::Keys;
  std::vector<ExprPtr> keys;
  std::vector<GroupElement> elements;
};

enum class TableKind : uint8_t { Named, Derived, Join };

struct TableRef;
using TableRefPtr = std::shared_ptr<const TableRef>;

struct TableRef {
  TableKind kind = TableKind::Named;
  Place place;
  std::vector<Name> names; // of Named: table, or schema and table
  QueryPtr query;          // of Derived
  bool lateral = false;
  std::optional<Name> alias;
  std::vector<Name> columnAliases;

  TableRefPtr left, right; // of Join
  JoinKind join = JoinKind::Inner;
  ExprPtr on;
  std::vector<Name> usingColumns;
  bool natural = false;
  unsigned height = 1;
};

struct NamedWindow {
  Name name;
  Window window;
};

struct Select {
  bool distinct = false;
  std::vector<ExprPtr> distinctOn;
  std::vector<SelectItem> items;
  std::vector<TableRefPtr> from;
  ExprPtr where;
  bool grouped = false; // GROUP BY is written
  std::vector<GroupElement> groupBy;
  ExprPtr having;
  std::vector<NamedWindow> windows;
  ExprPtr qualify;
};

enum class BodyKind : uint8_t { Select, Values, SetOp, Nested };

struct CommonTable {
  Name name;
  std::vector<Name> columns;
  QueryPtr query;
};

/// [WITH] body [ORDER BY] [LIMIT].
struct Query {
  Place place;
  bool recursive = false;
  std::vector<CommonTable> with;
  BodyKind kind = BodyKind::Select;
  Select select;
  std::vector<std::vector<ExprPtr>> rows; // of Values
  SetKind set = SetKind::Union;
  bool all = false;
  std::vector<QueryPtr> inputs; // of SetOp: two, or more for a chain of one UNION; of Nested: one
  std::vector<OrderItem> order;
  ExprPtr limit, offset;
  unsigned height = 1;
};

struct ColumnDefinition {
  Name name;
  TypeName type;
  bool notNull = false;
};

struct KeyDefinition {
  std::vector<Name> columns;
  bool primary = false;
};

struct ForeignKeyDefinition {
  std::vector<Name> columns;
  Name table;
  std::vector<Name> target; // empty: the primary key
};

struct CreateTable {
  Name name;
  std::vector<ColumnDefinition> columns;
  std::vector<KeyDefinition> keys;
  std::vector<ForeignKeyDefinition> foreignKeys;
  std::vector<ExprPtr> checks;
  bool isStrict = false; // WITHOUT ROWID or STRICT: no NULL in SQLite's primary key
};

struct CreateView {
  Name name;
  std::vector<Name> columns;
  QueryPtr query;
};

/// An unknown, deterministic function that queries may call.
struct CreateFunction {
  Name name;
  std::vector<TypeName> parameters;
  TypeName result;
  bool notNull = false; // RETURNS type NOT NULL
};

struct AlterTable { // ADD constraint; CREATE UNIQUE INDEX is one, too
  Name name;
  std::vector<KeyDefinition> keys;
  std::vector<ForeignKeyDefinition> foreignKeys;
  std::vector<ExprPtr> checks;
};

enum class StatementKind : uint8_t { Query, Table, View, Function, Alter, Nothing };

struct Statement {
  StatementKind kind = StatementKind::Query;
  Place place;
  QueryPtr query;
  CreateTable table;
  CreateView view;
  CreateFunction function;
  AlterTable alter;
};

} // namespace imbrex::sql::ast
