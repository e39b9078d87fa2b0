// The values that tables of random databases are filled with: few, so that rows meet in joins, and
// close to the constants of the queries, so that conditions are met and just missed.
#pragma once

#include "proof/sql/evaluate/Cell.h"
#include "proof/sql/query/Query.h"
#include "proof/sql/refute/Lineage.h"

#include <array>
#include <vector>

namespace imbrex::sql {

constexpr size_t BaseTypes = size_t(BaseType::Other) + 1;

struct Domains {
  /// For each base type: values that every query may meet, then those of the queries' constants.
  std::array<std::vector<Cell>, BaseTypes> plain, constants;
  ColumnConstants ofColumns;
  /// Numbers of rows from which on a LIMIT cuts, or a comparison with a constant may turn.
  std::vector<uint32_t> sizes;

  void withoutEmptyText(const TextPool &pool);
};

/// Constants with their neighbours (numbers one above and below, texts one character longer).
Domains collectDomains(const Query &first, const Query &second, const Catalog &catalog,
                       TextPool &pool);

/// Larger constants give no size: runs take time quadratic in the rows.
constexpr uint32_t LargestTable = 130;

/// Tables that the queries scan, and those that foreign keys of these name.
std::vector<bool> usedTables(const Query &first, const Query &second, const Catalog &catalog);

/// Calls `use` for every expression of the query, at all depths.
template <class Use> void forEachExpr(const Query &query, const Use &use);
template <class Use> void forEachExpr(const ExprPtr &expr, const Use &use) {
  if (!expr)
    return;
  use(*expr);
  for (const ExprPtr &operand : expr->operands)
    forEachExpr(operand, use);
  if (expr->query)
    forEachExpr(*expr->query, use);
}
template <class Use> void forEachExpr(const Aggregate &aggregate, const Use &use) {
  for (const ExprPtr &argument : aggregate.arguments)
    forEachExpr(argument, use);
  forEachExpr(aggregate.filter, use);
}
template <class Use> void forEachExpr(const Query &query, const Use &use) {
  for (const QueryPtr &input : query.inputs)
    forEachExpr(*input, use);
  for (const auto &row : query.rows)
    for (const ExprPtr &expr : row)
      forEachExpr(expr, use);
  for (const ExprPtr &expr : query.exprs)
    forEachExpr(expr, use);
  for (const Aggregate &aggregate : query.aggregates)
    forEachExpr(aggregate, use);
  for (const WindowFunction &window : query.windows) {
    forEachExpr(window.aggregate, use);
    for (const ExprPtr &expr : window.partition)
      forEachExpr(expr, use);
    for (const SortKey &key : window.order)
      forEachExpr(key.expr, use);
  }
  for (const SortKey &key : query.order)
    forEachExpr(key.expr, use);
  for (const ExprPtr &expr : {query.condition, query.limit, query.offset})
    forEachExpr(expr, use);
}

} // namespace imbrex::sql
