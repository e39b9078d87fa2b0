// Which table columns a query compares with which constants, where that can be seen: so that rows
// are drawn that meet conditions like `a = 5 AND s = 'foo'` together.
#pragma once

#include "proof/sql/evaluate/Cell.h"
#include "proof/sql/query/Query.h"

#include <vector>

namespace imbrex::sql {

/// For each table and column, constants that it is compared with, and their neighbours.
using ColumnConstants = std::vector<std::vector<std::vector<Cell>>>;

/// Follows columns through all operators that pass them on. O(size of the query), times its width.
void collectColumnConstants(const Query &query, const Catalog &catalog, TextPool &pool,
                            ColumnConstants &constants);

/// `cell` and values just beside it.
std::vector<Cell> withNeighbours(const Cell &cell, TextPool &pool);

} // namespace imbrex::sql
