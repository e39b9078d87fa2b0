// Wide tables (one column a level) to long ones (one row an observation).
#pragma once

#include "stats/data/Table.h"

namespace imbrex::stats {

struct ReshapeSpec {
  std::vector<std::string> columns; // of one kind; their names become the categories
  std::string levels;               // the new categorical column
  std::string values;               // the new column of their values
  std::string key;                  // kept; when the table has none of that name, rows are numbered
};

/// Each row becomes one for each of `columns`, in their order; other columns repeat. E1221 when a
/// column is missing or of another kind or other categories, or a new name is taken. Memory: the
/// long table.
Result<Table> wideToLong(const Table &wide, const ReshapeSpec &spec);

} // namespace imbrex::stats
