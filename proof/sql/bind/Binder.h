// The binder behind Bind.h; its parts stand in Bind*.cpp. An error leaves by the exception
// BindError, which only Bind.cpp and BindSchema.cpp catch.
#pragma once

#include "proof/sql/bind/Bind.h"
#include "proof/sql/bind/Scope.h"
#include "proof/sql/parse/DialectRules.h"

#include <unordered_map>
#include <unordered_set>

namespace imbrex::sql {

struct BindError {
  Error error;
};

/// WITH: innermost first.
struct CommonScope {
  std::string name; // folded
  NamedQuery query;
  uint32_t level = 0;      // of the scope it was bound in
  bool unfinished = false; // its own query is being bound
  const CommonScope *outer = nullptr;
};

enum class Ordering : uint8_t { Keep, Drop }; // of an ORDER BY without LIMIT

bool isAggregate(const std::string &name); // in capitals

class Binder {
public:
  Binder(const Schema &schema, const Semantics &semantics, std::string file)
      : schema(schema), semantics(semantics), rules(DialectRules::of(semantics.dialect)),
        file(std::move(file)) {}

  // Bind.cpp.
  [[noreturn]] void fail(uint16_t code, std::string what, std::string because, std::string remedy,
                         Place place) const;
  [[noreturn]] void notSupported(const std::string &what, Place place) const;
  std::string folded(const ast::Name &name) const;
  void addRemark(std::string text);
  /// Counts what is read once and used repeatedly; over MaxTreeSize it is too much.
  void charge(uint64_t nodes, Place place);
  void chargeCopies(const ExprPtr &expr, size_t copies, Place place);
  /// Refuses more than MaxColumns of `what`.
  void limitColumns(size_t count, const char *what, Place place) const;
  std::vector<std::string> remarks;

  // BindQuery.cpp.
  NamedQuery bindQuery(const ast::QueryPtr &query, const Scope *outer, const CommonScope *common,
                       Ordering ordering);

  // BindExpr.cpp.
  ExprPtr bindExpr(const ast::ExprPtr &expr, const Scope &scope, const CommonScope *common);
  ExprPtr bindCondition(const ast::ExprPtr &expr, const Scope &scope, const CommonScope *common);

  // Types.
  Type declaredType(const ast::TypeName &type) const;
  bool keepsEveryValue(const Type &from, const ast::TypeName &to) const;
  ExprPtr coerce(ExprPtr expr, const Type &type, Place place, const std::string &what) const;
  Type commonType(const std::vector<ExprPtr> &exprs, Place place, const std::string &what) const;
  void unify(std::vector<ExprPtr> &exprs, Place place, const std::string &what) const;

private:
  struct Item {
    ast::ExprPtr source; // null for a column of *
    ExprPtr raw;         // over the row before grouping
    std::string written;
    std::string name; // folded
    Place place;
    int64_t length = 0; // of VARCHAR(n); 0: not known
  };

  // BindQuery.cpp.
  NamedQuery bindBody(const ast::Query &query, const Scope *outer, const CommonScope *common,
                      Ordering ordering);
  NamedQuery bindValues(const ast::Query &query, const Scope *outer, const CommonScope *common);
  NamedQuery bindSetOp(const ast::Query &query, const Scope *outer, const CommonScope *common);
  NamedQuery sorted(NamedQuery input, const ast::Query &query, const Scope *outer,
                    const CommonScope *common, Ordering ordering);
  QueryPtr withColumnTypes(QueryPtr query, const std::vector<Type> &types, Place place) const;
  ExprPtr bindCount(const ast::ExprPtr &expr, const Scope *outer, const CommonScope *common,
                    const char *what);
  SortKey sortKey(const ast::OrderItem &item, ExprPtr expr) const;
  std::optional<int64_t> ordinal(const ast::ExprPtr &expr, size_t columns, const char *what) const;
  std::string impliedName(const ast::Expr &expr, size_t index) const;

  // BindFrom.cpp.
  Relation bindFrom(const std::vector<ast::TableRefPtr> &from, const Scope *outer,
                    const CommonScope *common);
  Relation bindTable(const ast::TableRef &ref, const Scope *outer, const CommonScope *common);
  [[noreturn]] void noTable(const ast::Name &name) const;
  Relation bindNamed(const ast::TableRef &ref, const Scope *outer, const CommonScope *common);
  /// `before`: stands to the left of the first table, where Calcite's texts mean that.
  Relation bindJoin(const ast::TableRef &ref, const Scope *outer, const CommonScope *common,
                    const Relation *before = nullptr);
  bool reachesBefore(const ast::TableRef &ref, const Relation &before) const;
  Relation relationOf(NamedQuery query, const ast::TableRef &ref, const std::string &alias) const;
  Relation joined(JoinKind kind, const Relation &left, const Relation &right, ExprPtr condition,
                  bool lateral) const;
  ExprPtr usingCondition(const ast::TableRef &ref, const Relation &left, const Relation &right,
                         Relation &both) const;
  void checkAliases(const Relation &left, const Relation &right, Place place) const;

  // BindSelect.cpp, BindGroup.cpp, BindWindow.cpp.
  NamedQuery bindSelect(const ast::Query &query, const Scope *outer, const CommonScope *common,
                        Ordering ordering);
  std::vector<Item> expandItems(const ast::Select &select, const Scope &scope) const;
  void expandStar(const ast::Expr &star, const Scope &scope, std::vector<Item> &items) const;
  std::vector<SortKey> bindOrder(const ast::Query &query, const Scope &scope,
                                 const CommonScope *common, std::vector<Item> &items);
  ExprPtr bindGroupKey(const ast::ExprPtr &key, const Scope &scope, const CommonScope *common,
                       const std::vector<Item> &items);
  void bindGroupBy(const ast::Select &select, const Scope &scope, const CommonScope *common,
                   const std::vector<Item> &items, std::vector<ExprPtr> &keys,
                   std::vector<std::vector<uint32_t>> &sets);
  ast::Window resolvedWindow(const ast::Window &window, const Calls &calls, unsigned depth) const;

  // BindExpr.cpp and its neighbours.
  ExprPtr resolve(const std::vector<ast::Name> &names, const Scope &scope, Place place);
  ExprPtr repaired(const std::vector<ast::Name> &names, const Scope &scope);
  ExprPtr repairedText(const ast::Expr &expr, const Scope &scope);
  ExprPtr repairedForeign(const ast::ExprPtr &expr, const Scope &scope);
  ExprPtr bindKind(const ast::ExprPtr &expr, const Scope &scope, const CommonScope *common);
  ExprPtr bindNumber(const ast::Expr &expr) const;
  ExprPtr typedLiteral(const std::string &text, const Type &type, Place place) const;
  ExprPtr bindOperator(const ast::Expr &expr, const Scope &scope, const CommonScope *common);
  ExprPtr bindComparison(const ast::Expr &expr, const Scope &scope, const CommonScope *common);
  ExprPtr compare(Op op, ExprPtr left, ExprPtr right, Place place) const;
  ExprPtr compareRows(Op op, std::vector<ExprPtr> left, std::vector<ExprPtr> right,
                      Place place) const;
  ExprPtr arithmetic(Op op, ExprPtr left, ExprPtr right, Place place) const;
  /// 1.0 and 1.00 are equal numbers with different texts.
  void refuseDigits(const ExprPtr &number, Place place) const;
  ExprPtr toCondition(ExprPtr expr, Place place) const;
  ExprPtr bindBetween(const ast::Expr &expr, const Scope &scope, const CommonScope *common);
  ExprPtr bindInQuery(const ast::Expr &expr, const Scope &scope, const CommonScope *common);
  ExprPtr bindInList(const ast::Expr &expr, const Scope &scope, const CommonScope *common);
  ExprPtr bindQuantified(const ast::Expr &expr, const Scope &scope, const CommonScope *common);
  ExprPtr bindCase(const ast::Expr &expr, const Scope &scope, const CommonScope *common);
  ExprPtr bindCast(const ast::Expr &expr, const Scope &scope, const CommonScope *common);
  std::vector<ExprPtr> bindAll(const std::vector<ast::ExprPtr> &exprs, const Scope &scope,
                               const CommonScope *common);
  /// As bindAll, where the name of a table stands for its row.
  std::vector<ExprPtr> bindArguments(const std::vector<ast::ExprPtr> &exprs, const Scope &scope,
                                     const CommonScope *common);
  /// The operands of a row, or the one expression.
  std::vector<ExprPtr> bindRow(const ast::ExprPtr &expr, const Scope &scope,
                               const CommonScope *common);
  NamedQuery bindSubquery(const ast::QueryPtr &query, const Scope &scope,
                          const CommonScope *common);

  // BindFunction.cpp, BindAggregate.cpp.
  ExprPtr bindFunction(const ast::Expr &expr, const Scope &scope, const CommonScope *common);
  ExprPtr bindScalarFunction(const std::string &name, const ast::Expr &expr, const Scope &scope,
                             const CommonScope *common);
  ExprPtr bindConditional(const std::string &name, const ast::Expr &expr,
                          std::vector<ExprPtr> operands);
  ExprPtr bindExtreme(Op wins, std::vector<ExprPtr> operands, Place place);
  ExprPtr bindAggregate(const std::string &name, const ast::Expr &expr, const Scope &scope,
                        const CommonScope *common);
  ExprPtr bindGroupingCall(const ast::Expr &expr, const Scope &scope, const CommonScope *common);
  ExprPtr bindWindow(const std::string &name, const ast::Expr &expr, const Scope &scope,
                     const CommonScope *common);
  void refuseOuterAggregate(const Aggregate &aggregate, Place place) const;
  Aggregate makeAggregate(const std::string &name, const ast::Expr &expr, const Scope &scope,
                          const CommonScope *common);

  const Schema &schema;
  const Semantics &semantics;
  const DialectRules rules;
  const std::string file;
  std::unordered_map<const Expr *, Place> places;    // of columns, for messages
  std::unordered_map<const Expr *, int64_t> lengths; // of VARCHAR(n) columns
  std::vector<ExprPtr> placed;                       // keeps them alive
  /// What SQLite computes as REAL for sure. A column of another type of numbers, or a CASE with an
  /// integer in it, may hold integers there, whose division truncates.
  mutable std::unordered_set<ExprPtr> reals;
  uint64_t expanded = 0;
};

} // namespace imbrex::sql
