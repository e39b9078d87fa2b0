// Typed columns: numbers, or codes of categories. Missing values are part of the type: NaN, and the
// code -1.
#pragma once

#include "stats/data/Numbers.h"
#include "stats/data/RawTable.h"

#include <map>
#include <optional>

namespace imbrex::stats {

enum class ColumnKind : uint8_t { Number, Category };

struct Column {
  std::string name;
  ColumnKind kind = ColumnKind::Number;
  std::vector<double> numbers = {}; // Number; NaN is missing
  std::vector<int32_t> codes = {};  // Category; -1 is missing, else an index into categories
  std::vector<std::string> categories = {}; // as declared, or in order of first appearance
  size_t missing = 0;

  static constexpr int32_t missingCode = -1;
  size_t rows() const { return kind == ColumnKind::Number ? numbers.size() : codes.size(); }
  bool isMissing(size_t row) const {
    return kind == ColumnKind::Number ? numbers[row] != numbers[row] : codes[row] < 0;
  }
};

struct Table {
  std::vector<Column> columns;
  size_t rows = 0;
  ImportReport report;

  const Column *find(std::string_view name) const;
};

/// What a column shall become.
struct ColumnSpec {
  enum class Kind : uint8_t {
    Number,   // every cell is a number or missing
    Category, // of `categories`; where that is empty, of whatever stands there
    Inferred, // a number where every cell is one, else a category
  };
  enum class Others : uint8_t { Refused, Missing }; // values that are in no declared category

  std::string name;
  Kind kind = Kind::Inferred;
  std::vector<std::string> categories = {};
  std::optional<double> low = {}, high = {}; // inclusive
  Others others = Others::Refused;
};

struct TypingOptions {
  std::optional<char> decimal, thousands; // found out when absent
  /// Cells that mean "no value", besides the empty one; numbers among them match as numbers. Of
  /// categories only unquoted cells, and a declared category of that name wins.
  std::vector<std::string> missingWords = {"NA", "N/A", "#N/A", "NaN", "nan", "NULL", "null"};
};

/// The columns that `specs` name, in that order. E1207 no such column (with the nearest name),
/// E1208 no number, E1209 in no declared category, E1210 outside the declared range, E1211
/// contradicting decimal marks: each with line and column of the first such cell and how many there
/// are. Linear; frees the raw cells of a column once it is typed.
Result<Table> typeColumns(RawTable raw, const std::vector<ColumnSpec> &specs,
                          const TypingOptions &options);

} // namespace imbrex::stats
