// IN, ANY and ALL over lists and queries.
#include "proof/sql/bind/Binder.h"
#include "proof/sql/query/Builders.h"
#include "proof/sql/query/Rewrite.h"
#include "proof/sql/query/Types.h"

namespace imbrex::sql {

/// x IN (a, b) is x = a OR x = b.
ExprPtr Binder::bindInList(const ast::Expr &expr, const Scope &scope, const CommonScope *common) {
  std::vector<ExprPtr> left = bindRow(expr.operands[0], scope, common);
  std::vector<std::vector<ExprPtr>> values;
  for (size_t i = 1; i < expr.operands.size(); ++i) {
    values.push_back(bindRow(expr.operands[i], scope, common));
    if (values.back().size() != left.size())
      fail(1031, "IN compares rows of different lengths", "", "equal lengths",
           expr.operands[i]->place);
  }
  for (const ExprPtr &part : left)
    chargeCopies(part, values.size(), expr.place);
  // All are compared as one type.
  for (size_t k = 0; k < left.size(); ++k) {
    std::vector<ExprPtr> all = {left[k]};
    for (const auto &value : values)
      all.push_back(value[k]);
    unify(all, expr.place, "IN");
    left[k] = all[0];
    for (size_t i = 0; i < values.size(); ++i)
      values[i][k] = all[i + 1];
  }
  std::vector<ExprPtr> tests;
  for (auto &value : values)
    tests.push_back(compareRows(Op::Equal, left, std::move(value), expr.place));
  ExprPtr result = tests.empty()       ? makeBool(false)
                   : tests.size() == 1 ? tests[0]
                                       : makeCall(Op::Or, std::move(tests));
  return expr.negated ? makeCall(Op::Not, {result}) : result;
}

ExprPtr Binder::bindInQuery(const ast::Expr &expr, const Scope &scope, const CommonScope *common) {
  std::vector<ExprPtr> left = bindRow(expr.operands[0], scope, common);
  QueryPtr query = bindSubquery(expr.query, scope, common).query;
  if (query->columns.size() != left.size())
    fail(1031,
         "IN compares " + std::to_string(left.size()) + " values with a query of " +
             std::to_string(query->columns.size()) + " columns",
         "", "equal numbers", expr.place);
  std::vector<Type> types;
  for (uint32_t i = 0; i < left.size(); ++i) {
    bool isProject = query->kind == QueryKind::Project;
    types.push_back(commonType({left[i], isProject ? query->exprs[i] : makeColumn(*query, i)},
                               expr.place, "IN"));
    left[i] = coerce(left[i], types[i], expr.place, "IN");
  }
  ExprPtr result = makeIn(std::move(left), withColumnTypes(query, types, expr.place));
  return expr.negated ? makeCall(Op::Not, {result}) : result;
}

ExprPtr Binder::bindQuantified(const ast::Expr &expr, const Scope &scope,
                               const CommonScope *common) {
  std::vector<ExprPtr> left = bindRow(expr.operands[0], scope, common);
  bool any = expr.quantifier == Quantifier::Any;
  if (!expr.query) {
    for (const ExprPtr &part : left)
      chargeCopies(part, expr.operands.size() - 1, expr.place);
    std::vector<ExprPtr> tests;
    for (size_t i = 1; i < expr.operands.size(); ++i)
      tests.push_back(
          compareRows(expr.op, left, bindRow(expr.operands[i], scope, common), expr.place));
    return makeCall(any ? Op::Or : Op::And, std::move(tests));
  }
  if (left.size() != 1)
    notSupported("ANY and ALL with rows", expr.place);
  QueryPtr query = bindSubquery(expr.query, scope, common).query;
  if (query->columns.size() != 1)
    fail(1031, "ANY or ALL over a query of " + std::to_string(query->columns.size()) + " columns",
         "", "one column", expr.place);
  bool isProject = query->kind == QueryKind::Project;
  Type type = commonType({left[0], isProject ? query->exprs[0] : makeColumn(*query, 0)}, expr.place,
                         "ANY or ALL");
  return makeQuantified(coerce(left[0], type, expr.place, "ANY or ALL"), expr.op, expr.quantifier,
                        withColumnTypes(query, {type}, expr.place));
}

} // namespace imbrex::sql
