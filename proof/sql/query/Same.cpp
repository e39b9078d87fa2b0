#include "proof/sql/query/Rewrite.h"
#include "proof/sql/query/Types.h"

namespace imbrex::sql {
namespace {

/// `b` stands under `level` more rows than `a`; `bound` rows are bound on both sides.
struct Comparer {
  uint32_t level;

  bool equal(const ExprPtr &a, const ExprPtr &b, uint32_t bound) const {
    if (!a || !b)
      return !a && !b;
    return equal(*a, *b, bound);
  }

  template <class T>
  bool all(const std::vector<T> &a, const std::vector<T> &b, uint32_t bound) const {
    if (a.size() != b.size())
      return false;
    for (size_t i = 0; i < a.size(); ++i)
      if (!equal(a[i], b[i], bound))
        return false;
    return true;
  }

  bool equal(const Expr &a, const Expr &b, uint32_t bound) const {
    if (a.kind != b.kind || !sameBase(a.type, b.type) || a.index != b.index || a.op != b.op ||
        a.quantifier != b.quantifier || a.name != b.name || a.value != b.value)
      return false;
    if (a.kind == ExprKind::Column && (a.depth < bound ? a.depth : a.depth + level) != b.depth)
      return false;
    if (!all(a.operands, b.operands, bound) || !a.query != !b.query)
      return false;
    return !a.query || equal(*a.query, *b.query, bound + 1);
  }

  bool equal(const Aggregate &a, const Aggregate &b, uint32_t bound) const {
    return a.kind == b.kind && a.name == b.name && a.distinct == b.distinct &&
           sameBase(a.type, b.type) && all(a.arguments, b.arguments, bound) &&
           equal(a.filter, b.filter, bound);
  }

  bool equal(const SortKey &a, const SortKey &b, uint32_t bound) const {
    return a.direction == b.direction && a.nulls == b.nulls && equal(a.expr, b.expr, bound);
  }

  bool equal(const FrameBound &a, const FrameBound &b, uint32_t bound) const {
    return a.kind == b.kind && equal(a.offset, b.offset, bound);
  }

  bool equal(const WindowFunction &a, const WindowFunction &b, uint32_t bound) const {
    return a.kind == b.kind && a.name == b.name && equal(a.aggregate, b.aggregate, bound) &&
           all(a.partition, b.partition, bound) && all(a.order, b.order, bound) &&
           a.unit == b.unit && equal(a.from, b.from, bound) && equal(a.to, b.to, bound);
  }

  bool equal(const Query &a, const Query &b, uint32_t bound) const {
    if (a.kind != b.kind || a.inputs.size() != b.inputs.size() || a.table != b.table ||
        a.join != b.join || a.lateral != b.lateral || a.set != b.set || a.all != b.all ||
        a.groupingSets != b.groupingSets || a.groupingCalls != b.groupingCalls ||
        a.columns.size() != b.columns.size() || a.rows.size() != b.rows.size())
      return false;
    for (size_t i = 0; i < a.inputs.size(); ++i) {
      bool lateral = a.kind == QueryKind::Join && a.lateral && i == 1;
      if (!equal(*a.inputs[i], *b.inputs[i], bound + lateral))
        return false;
    }
    for (size_t i = 0; i < a.rows.size(); ++i)
      if (!all(a.rows[i], b.rows[i], bound))
        return false;
    return equal(a.condition, b.condition, bound) && all(a.exprs, b.exprs, bound) &&
           all(a.aggregates, b.aggregates, bound) && all(a.windows, b.windows, bound) &&
           all(a.order, b.order, bound) && equal(a.limit, b.limit, bound) &&
           equal(a.offset, b.offset, bound);
  }
};

uint64_t sizeOf(const ExprPtr &expr) { return expr ? treeSize(*expr) : 0; }

} // namespace

bool same(const Expr &a, const Expr &b, uint32_t level) { return Comparer{level}.equal(a, b, 0); }
bool same(const Query &a, const Query &b) { return Comparer{0}.equal(a, b, 0); }

uint64_t treeSize(const Expr &expr) {
  uint64_t size = 1;
  for (const ExprPtr &operand : expr.operands)
    size += treeSize(*operand);
  return expr.query ? size + treeSize(*expr.query) : size;
}

uint64_t treeSize(const Query &query) {
  uint64_t size = 1 + query.columns.size() + sizeOf(query.condition) + sizeOf(query.limit) +
                  sizeOf(query.offset);
  for (const QueryPtr &input : query.inputs)
    size += treeSize(*input);
  for (const auto &row : query.rows)
    for (const ExprPtr &expr : row)
      size += sizeOf(expr);
  for (const ExprPtr &expr : query.exprs)
    size += sizeOf(expr);
  auto aggregate = [&](const Aggregate &a) {
    size += 1 + sizeOf(a.filter);
    for (const ExprPtr &expr : a.arguments)
      size += sizeOf(expr);
  };
  for (const Aggregate &a : query.aggregates)
    aggregate(a);
  for (const WindowFunction &w : query.windows) {
    aggregate(w.aggregate);
    for (const ExprPtr &expr : w.partition)
      size += sizeOf(expr);
    for (const SortKey &key : w.order)
      size += sizeOf(key.expr);
  }
  for (const SortKey &key : query.order)
    size += sizeOf(key.expr);
  return size;
}

} // namespace imbrex::sql
