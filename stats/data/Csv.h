// CSV and its relatives (RFC 4180, tabs, semicolons) to a RawTable.
//
// Accepted: LF, CRLF and CR; quoted fields with doubled quotes and line breaks; a byte order mark;
// an unnamed column; rows with one field more than the header (R's row names); blank lines
// (counted, skipped). Refused, with the line: a row of another length, a quote that does not end,
// text after a closing quote, two columns of one name.
#pragma once

#include "stats/data/RawTable.h"

#include <optional>
#include <set>

namespace imbrex::stats {

struct CsvOptions {
  std::optional<char> delimiter; // detected when absent
  std::string encoding;          // detected when empty
  /// Columns whose cells are kept; absent: all. Names that the file lacks are no error here.
  std::optional<std::set<std::string>> wanted;
};

/// E1200 when the file cannot be read. See parseCsv.
Result<RawTable> readCsv(const std::string &path, const CsvOptions &options);

/// `bytes` as in the file. E1201 no header, E1202 encoding, E1203 quoting, E1204 rows of different
/// lengths, E1205 names of columns, E1206 a field longer than 8 MiB or more than 100,000 columns.
/// Linear; keeps the text and 8 bytes a cell.
Result<RawTable> parseCsv(std::string bytes, const CsvOptions &options, const std::string &name);

} // namespace imbrex::stats
