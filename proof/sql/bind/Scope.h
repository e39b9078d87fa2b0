// Which columns an expression can name.
#pragma once

#include "proof/sql/parse/Ast.h"
#include "proof/sql/query/Query.h"

#include <string>
#include <vector>

namespace imbrex::sql {

/// Aggregates and window functions are pulled out of the expressions of a SELECT while these are
/// bound; columns with these indices stand for them until the operators exist.
constexpr uint32_t AggregateBase = 1u << 24, GroupingBase = 1u << 25, WindowBase = 1u << 26;

/// Stands for any column: of VALUES without rows, which has as many columns as are asked for.
inline const std::string AnyColumn = "*";

struct GroupingCall {
  std::vector<ExprPtr> keys; // over the row before grouping
  Place place;
};

/// What the expressions of one SELECT contain.
struct Calls {
  std::vector<Aggregate> aggregates;
  std::vector<GroupingCall> groupings;
  std::vector<WindowFunction> windows;
  bool emptyGroups = true; // may a group have no row?
  const std::vector<ast::NamedWindow> *namedWindows = nullptr;
};

/// The expressions of a window function, to read or replace.
template <class Visit> void forEachPart(WindowFunction &window, const Visit &visit) {
  for (ExprPtr &expr : window.aggregate.arguments)
    visit(expr);
  visit(window.aggregate.filter);
  for (ExprPtr &expr : window.partition)
    visit(expr);
  for (SortKey &key : window.order)
    visit(key.expr);
  visit(window.from.offset);
  visit(window.to.offset);
}

struct ScopeColumn {
  std::string table; // folded; empty: none
  std::string name;  // folded
  std::string written;
  ExprPtr expr;                           // over the row
  bool merged = false;                    // part of a USING column: found by table.name only
  std::vector<ast::ExprPtr> sources = {}; // NamedQuery
  int64_t length = 0;                     // of VARCHAR(n); 0: not known
};

/// A table of the catalog within the row, for functional dependencies.
struct ScopeTable {
  uint32_t table = 0;  // in the catalog
  uint32_t offset = 0; // of its first column in the row
};

struct Relation {
  QueryPtr query;
  std::vector<ScopeColumn> columns;
  std::vector<ScopeTable> tables;
};

/// A row that expressions are bound over, and the rows around it.
struct Scope {
  const std::vector<ScopeColumn> *columns = nullptr;
  const Scope *outer = nullptr;
  uint32_t level = 0;     // how many rows are around
  Calls *calls = nullptr; // null: neither aggregates nor windows may be called here
  bool windowsAllowed = false;
  const char *clause = "";                           // for messages: "WHERE"
  const std::vector<ScopeColumn> *aliases = nullptr; // names that are tried last
};

} // namespace imbrex::sql
