// Rebuilding trees: replaced parts get new types upward. Shared parts are visited once per path.
#pragma once

#include "proof/sql/query/Query.h"

#include <functional>

namespace imbrex::sql {

/// Called for each expression from the outside in, with the number of rows between it and the root
/// (Query.h: how many more its depths count). A result replaces the expression; null goes on below.
using ExprMap = std::function<ExprPtr(const ExprPtr &expr, uint32_t level)>;

ExprPtr rewrite(const ExprPtr &expr, const ExprMap &map, uint32_t level = 0);
/// Below the operators of `query`; its own operators' expressions are at `level`.
QueryPtr rewrite(const QueryPtr &query, const ExprMap &map, uint32_t level);

/// The same under `by` more rows: columns beyond the root's own rows count `by` further out. For an
/// expression all columns of depth 0 and more do, for a query those its operators do not bind.
ExprPtr shifted(const ExprPtr &expr, uint32_t by);
QueryPtr shifted(const QueryPtr &query, uint32_t by);

/// Equal but for nullability and column names. `level`: `b` stands under that many more rows, so
/// its columns of depth `level` and more count that many further.
bool same(const Expr &a, const Expr &b, uint32_t level = 0);
bool same(const Query &a, const Query &b);

/// Operators and expressions, counted once per path.
uint64_t treeSize(const Query &query);
uint64_t treeSize(const Expr &expr);

} // namespace imbrex::sql
