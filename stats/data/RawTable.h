// A table as text: what readers of files and databases deliver, before columns have types.
#pragma once

#include "support/Result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace imbrex::stats {

/// A piece of RawTable::text. 8 bytes, because a table has tens of millions.
struct Cell {
  static constexpr uint64_t maxLength = (1u << 23) - 1;
  uint64_t offset : 40;
  uint64_t length : 23;
  uint64_t quoted : 1; // quoted text is never a missing value by an NA word
};

struct RawColumn {
  std::string name;
  std::vector<Cell> cells; // empty when nobody asked for this column
};

/// How a source was understood; printed, so that nothing is decided silently.
struct ImportReport {
  std::string source, encoding, encodingReason, lineEnds;
  char delimiter = 0;          // 0: a single column, or no text file
  std::string delimiterReason; // "declared", "detected"
  char decimal = '.';          // set when columns get their types
  char thousands = 0;          // 0: none
  std::string decimalReason;   // empty: no number needed the decision
  size_t rows = 0, columns = 0;
  std::vector<std::string> notes; // renamed columns, blank lines, ambiguous numbers, …
};

struct RawTable {
  std::string text; // holds the cells
  std::vector<RawColumn> columns;
  size_t rows = 0;
  bool isFile = true; // text is the file, so that a cell has a line number
  ImportReport report;

  std::string_view cell(const RawColumn &column, size_t row) const {
    const Cell &c = column.cells[row];
    return std::string_view(text).substr(c.offset, c.length);
  }
  const RawColumn *find(std::string_view name) const {
    for (const RawColumn &column : columns)
      if (column.name == name)
        return &column;
    return nullptr;
  }
  /// Where the cell stands in the file; for a database the row number. Linear in the file: for
  /// errors only.
  FileLocation locate(const RawColumn &column, size_t row) const;
};

} // namespace imbrex::stats
