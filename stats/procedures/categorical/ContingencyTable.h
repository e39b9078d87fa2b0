// A table of counts with the names of its rows and columns, and what tests of such tables require.
#pragma once

#include "stats/procedures/TestResult.h"
#include "stats/procedures/counting/TableCounts.h"

#include <span>
#include <string>
#include <vector>

namespace imbrex::stats {

struct ContingencyTable {
  CountTable counts;
  std::vector<std::string> rowNames;    // empty: row 1, row 2, …
  std::vector<std::string> columnNames; // empty: column 1, column 2, …

  std::string rowName(size_t row) const;
  std::string columnName(size_t column) const;
  bool fourfold() const { return counts.rows == 2 && counts.columns == 2; }
  /// Counts expected under independence.
  std::vector<double> expected() const;

  /// Counts of the pairs of codes; codes are below the numbers of names.
  static ContingencyTable of(std::span<const int64_t> rows, std::span<const int64_t> columns,
                             std::vector<std::string> rowNames,
                             std::vector<std::string> columnNames);
};

enum class EmptyMargins { Refuse, Accept };

/// Fills in n and a refusal: a shape below 2 x 2, a negative count, an empty table, a row or column
/// without counts (named).
bool acceptTable(TestResult &result, const ContingencyTable &table, EmptyMargins margins);

/// "no counts in row 'b'" or nothing.
std::string emptyMargin(const ContingencyTable &table);

} // namespace imbrex::stats
