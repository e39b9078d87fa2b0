#include "proof/sql/query/Rewrite.h"

#include "proof/sql/query/Builders.h"
#include "proof/sql/query/Types.h"

namespace imbrex::sql {
namespace {

/// The same node over new operands or with a new query; its type follows.
ExprPtr rebuilt(Expr expr) {
  Type type = expr.type;
  bool operandNullable = false;
  for (const ExprPtr &operand : expr.operands)
    operandNullable |= operand->type.nullable;
  switch (expr.kind) {
  case ExprKind::Call:
    if (expr.op == Op::Cast) {
      type.nullable |= operandNullable;
    } else if (expr.op != Op::Function) {
      Result<Type> derived = callType(expr.op, expr.operands);
      // A quotient may be NULL where its operands are not.
      bool mayFail = expr.op == Op::Divide || expr.op == Op::Modulo;
      if (derived)
        type.nullable = derived->nullable || (mayFail && type.nullable);
    } else {
      type.nullable |= operandNullable;
    }
    break;
  case ExprKind::In:
  case ExprKind::Quantified:
    type.nullable = membershipNullable(expr.operands, *expr.query);
    break;
  case ExprKind::Scalar:
    type.nullable |= expr.query->columns[0].type.nullable;
    break;
  default:
    break;
  }
  expr.type = type;
  return std::make_shared<const Expr>(std::move(expr));
}

class Rewriter {
public:
  explicit Rewriter(const ExprMap &map) : map(map) {}

  ExprPtr expr(const ExprPtr &e, uint32_t level) {
    if (!e)
      return e;
    if (ExprPtr replaced = map(e, level))
      return replaced;
    bool changed = false;
    Expr copy = *e;
    for (ExprPtr &operand : copy.operands)
      changed |= replace(operand, expr(operand, level));
    if (copy.query)
      changed |= replace(copy.query, query(copy.query, level + 1));
    return changed ? rebuilt(std::move(copy)) : e;
  }

  QueryPtr query(const QueryPtr &q, uint32_t level) {
    bool changed = false;
    Query copy = *q;
    for (size_t i = 0; i < copy.inputs.size(); ++i) {
      bool lateral = copy.kind == QueryKind::Join && copy.lateral && i == 1;
      changed |= replace(copy.inputs[i], query(copy.inputs[i], level + lateral));
    }
    auto visit = [&](ExprPtr &e) { changed |= replace(e, expr(e, level)); };
    for (auto &row : copy.rows)
      for (ExprPtr &e : row)
        visit(e);
    visit(copy.condition);
    for (ExprPtr &e : copy.exprs)
      visit(e);
    for (Aggregate &a : copy.aggregates)
      aggregate(a, visit);
    for (WindowFunction &w : copy.windows)
      window(w, visit);
    for (SortKey &key : copy.order)
      visit(key.expr);
    visit(copy.limit);
    visit(copy.offset);
    if (!changed)
      return q;
    deriveAggregateTypes(copy);
    if (Result<std::vector<Column>> columns = derivedColumns(copy, {})) {
      for (size_t i = 0; i < columns->size(); ++i)
        (*columns)[i].name = copy.columns[i].name;
      copy.columns = columns.take();
    }
    return std::make_shared<const Query>(std::move(copy));
  }

private:
  template <class T> static bool replace(T &old, T fresh) {
    bool differs = old != fresh;
    old = std::move(fresh);
    return differs;
  }

  template <class Visit> static void aggregate(Aggregate &a, const Visit &visit) {
    for (ExprPtr &e : a.arguments)
      visit(e);
    visit(a.filter);
  }

  template <class Visit> static void window(WindowFunction &w, const Visit &visit) {
    aggregate(w.aggregate, visit);
    for (ExprPtr &e : w.partition)
      visit(e);
    for (SortKey &key : w.order)
      visit(key.expr);
    visit(w.from.offset);
    visit(w.to.offset);
  }

  const ExprMap &map;
};

ExprMap shift(uint32_t by, uint32_t bound) {
  return [=](const ExprPtr &e, uint32_t level) -> ExprPtr {
    if (e->kind != ExprKind::Column || e->depth < level + bound)
      return nullptr;
    return makeColumn(e->depth + by, e->index, e->type);
  };
}

} // namespace

ExprPtr rewrite(const ExprPtr &expr, const ExprMap &map, uint32_t level) {
  return Rewriter(map).expr(expr, level);
}

QueryPtr rewrite(const QueryPtr &query, const ExprMap &map, uint32_t level) {
  return Rewriter(map).query(query, level);
}

ExprPtr shifted(const ExprPtr &expr, uint32_t by) {
  return by ? rewrite(expr, shift(by, 0)) : expr;
}

QueryPtr shifted(const QueryPtr &query, uint32_t by) {
  return by ? rewrite(query, shift(by, 1), 0) : query;
}

} // namespace imbrex::sql
