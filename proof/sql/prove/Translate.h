// Queries as sums: a bag is a list of summands, each with variables, a guard, a multiplicity and
// the cells of its row. NULL is a pair (is it null?, value); a predicate is a pair of formulas, one
// for TRUE and one for FALSE; no quantifier is needed for three-valued logic.
//
// Tables. A table with a key of columns that are never NULL has at most one row for each key, so
// its rows are named by their keys: one variable per key column, the predicate "in:T" says which
// keys occur, and every other column is a function of the key. Keys therefore need no rule. A table
// without such a key has a multiplicity "rows:T" of whole rows, with a variable for each part.
//
// A cell whose value is the sort's default wherever it is NULL is `normal`: those can be compared
// part by part.
#pragma once

#include "proof/algebra/Scope.h"
#include "proof/sql/query/Query.h"
#include "proof/sql/query/Semantics.h"

#include <functional>
#include <set>

namespace imbrex::sql {

using algebra::Id;
using algebra::Pool;
using algebra::Variable;

struct SymbolicCell {
  Id null;
  Id value;
  bool normal = false;
};
using SymbolicRow = std::vector<SymbolicCell>;

/// TRUE and FALSE of a predicate; NULL where neither holds.
struct Truth {
  Id yes;
  Id no;
};

struct BagTerm {
  std::vector<Variable> variables;
  Id guard;
  Id factor; // an integer >= 0
  SymbolicRow row;
};
using SymbolicBag = std::vector<BagTerm>;

/// Thrown inside the translation at a construct without meaning here; Prove.cpp catches it.
struct NotCovered {
  std::string what;
};

class Translator {
public:
  Translator(Pool &pool, const Catalog &catalog, const Semantics &semantics)
      : pool(pool), catalog(catalog), semantics(semantics) {}

  /// The rows of a whole query. Call once per query of the question; operators whose choice is not
  /// determined get equal names in both, in the order in which they stand.
  SymbolicBag translate(const Query &query);
  /// The rows with those keys of the outermost Sort appended that order something; `order` receives
  /// them.
  SymbolicBag translateList(const Query &query, std::vector<SortKey> &order);

  /// How often the row with these cells occurs.
  Id multiplicity(const SymbolicBag &bag, const SymbolicRow &row);

  algebra::Sort sortOf(const Type &type);
  SymbolicRow freshRow(const std::vector<Column> &columns, std::vector<Variable> &variables);
  /// A row of the table named by the arguments of its predicate or multiplicity.
  SymbolicRow tableRow(uint32_t table, const std::vector<Id> &arguments);
  /// Columns of the key that names rows; null: rows are named by all their cells.
  const Key *namingKey(uint32_t table) const;
  Id tablePredicate(uint32_t table, const std::vector<Id> &key);
  /// The predicate or multiplicity of a row of the table, over new variables.
  Id rowPredicate(uint32_t table);
  std::string prefix(uint32_t table) const { return std::to_string(table); }

  Truth truth(const Expr &expr, const SymbolicRow &row); // a predicate over one row
  Id same(const SymbolicCell &a, const SymbolicCell &b); // null-safe
  Id normalValue(const SymbolicCell &cell);

private:
  using Rows = std::vector<const SymbolicRow *>; // outermost first; the last one is depth 0

  // Queries.
  SymbolicBag query(const Query &query, const Rows &outer);
  SymbolicBag scan(uint32_t table);
  SymbolicBag values(const Query &query, const Rows &outer);
  SymbolicBag filter(const Query &query, const Rows &outer);
  SymbolicBag project(const Query &query, const Rows &outer);
  SymbolicBag join(const Query &query, const Rows &outer);
  SymbolicBag sideOfJoin(const Query &query, const Rows &outer, const BagTerm *left);
  SymbolicBag setOp(const Query &query, const Rows &outer);
  SymbolicBag setOpAll(SetKind set, const std::vector<Column> &columns, const SymbolicBag &left,
                       const SymbolicBag &right);
  SymbolicBag distinct(const SymbolicBag &bag, const std::vector<Column> &columns);
  SymbolicBag group(const Query &query, const Rows &outer);
  SymbolicBag sort(const Query &query, const Rows &outer);
  SymbolicBag sorted(const Query &query, const Rows &outer, std::vector<SortKey> &order);
  void dropIdleKeys(SymbolicBag &bag, size_t width, std::vector<SortKey> &order);
  QueryPtr mergedLimits(const Query &query);
  SymbolicBag list(const Query &query, const Rows &outer, std::vector<SortKey> &order);
  SymbolicBag top(const Query &query, const std::vector<SortKey> &order, const Rows &outer,
                  const SymbolicBag &bag);
  SymbolicBag topOfRows(const Query &query, const std::vector<SortKey> &order,
                        const std::string &name, const std::vector<Id> &bounds,
                        const SymbolicBag &bag);
  SymbolicBag topOfTerm(const std::string &name, std::vector<Id> bounds, size_t width,
                        const BagTerm &term);
  bool ordersTotally(const Query &query, const SymbolicBag &bag);
  SymbolicBag window(const Query &query, const Rows &outer);
  BagTerm renamed(const BagTerm &term);
  Id before(const std::vector<SortKey> &order, const Rows &a, const Rows &b);
  void simplify(SymbolicBag &bag);
  bool merge(BagTerm &a, const BagTerm &b);
  SymbolicBag coerced(SymbolicBag bag, const std::vector<Column> &columns);

  // Groups.
  struct Member {
    std::vector<Variable> variables;
    Id guard;
    Id factor;
    const SymbolicRow *row;
  };
  SymbolicCell aggregate(const Aggregate &aggregate, const std::vector<Member> &members,
                         const Rows &outer);
  SymbolicCell aggregateValues(const Aggregate &aggregate, const std::vector<Member> &members,
                               const std::vector<SymbolicRow> &arguments);
  SymbolicCell average(Id sum, Id count, Id none, algebra::Sort sort);
  SymbolicCell ofCollection(const std::string &name, const Aggregate &aggregate,
                            const std::vector<Member> &members,
                            const std::vector<SymbolicRow> &arguments);
  Id isOneOf(Id value, Id argument, algebra::Symbol function);
  SymbolicCell ofBag(const Aggregate &aggregate, const std::vector<Member> &members,
                     const std::vector<SymbolicRow> &arguments);
  Id some(const Member &member, Id condition);

  // Windows.
  SymbolicCell groupCell(const WindowFunction &window, const BagTerm &term,
                         const SymbolicBag &input, const Rows &outer);
  SymbolicCell determinedCell(const WindowFunction &window, const BagTerm &term,
                              const SymbolicBag &input, const Rows &outer);
  bool hasTies(const WindowFunction &window, const SymbolicBag &input, const Rows &outer);
  SymbolicBag chosenWindow(const WindowFunction &window, const SymbolicBag &input,
                           std::vector<Column> columns, const Rows &outer);

  // Expressions.
  SymbolicCell cell(const Expr &expr, const Rows &rows);
  SymbolicCell cellOfType(const Expr &expr, const Type &type, const Rows &rows);
  SymbolicCell literal(const Value &value, const Type &type);
  SymbolicCell call(const Expr &expr, const Rows &rows);
  SymbolicCell arithmetic(const Expr &expr, const Rows &rows);
  SymbolicCell divide(const Expr &expr, const SymbolicCell &a, const SymbolicCell &b);
  Id truncated(Id dividend, Id divisor);
  SymbolicCell caseOf(const Expr &expr, const Rows &rows);
  SymbolicCell cast(const Expr &expr, const Rows &rows);
  SymbolicCell function(const std::string &name, const Type &type, const SymbolicRow &arguments);
  SymbolicCell scalar(const Expr &expr, const Rows &rows);
  Truth truth(const Expr &expr, const Rows &rows);
  Id likeOf(Id text, Id pattern);
  Truth compare(Op op, const SymbolicCell &a, const SymbolicCell &b);
  Truth in(const Expr &expr, const Rows &rows);
  Truth quantified(const Expr &expr, const Rows &rows);
  SymbolicCell ofTruth(const Truth &truth);
  Truth truthOf(const SymbolicCell &cell);
  /// Does a row of the bag fulfil the condition?
  Id someRow(const SymbolicBag &bag, const std::function<Id(const SymbolicRow &)> &condition);
  Id occurs(const BagTerm &term, Id condition);

  Id fallback(algebra::Sort sort);
  SymbolicCell nullCell(const Type &type);
  SymbolicCell convert(const SymbolicCell &cell, algebra::Sort sort);
  Id yes() { return pool.boolean(true); }
  Id no() { return pool.boolean(false); }
  Id both(Id a, Id b) { return pool.conjunction({a, b}); }
  Id either(Id a, Id b) { return pool.disjunction({a, b}); }
  Id invert(Id a) { return pool.negation(a); }

  Pool &pool;
  const Catalog &catalog;
  const Semantics &semantics;
  uint32_t undetermined = 0; // operators with a choice so far in this query
  uint32_t correlated = 0;   // enclosing subqueries that run once per outer row
};

} // namespace imbrex::sql
