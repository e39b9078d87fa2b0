// Records and fields of CSV text, one after the other. Unescapes doubled quotes in place, so that a
// field is always one piece of the text; the text keeps its length and its line breaks.
#pragma once

#include "stats/data/RawTable.h"

namespace imbrex::stats {

/// The delimiter (comma, semicolon, tab, bar) under which the first lines have equally many fields,
/// and the most of them; 0 when there is none, which makes a table of one column.
char detectDelimiter(std::string_view text);

class CsvScanner {
public:
  /// `delimiter` 0: one field a record. `text` must outlive this.
  CsvScanner(std::string &text, char delimiter, std::string file)
      : text(text), delimiter(delimiter), file(std::move(file)) {}

  /// Leaves a line out that is no record.
  void skipLine();
  /// The next record that is not blank. False at the end and after a failure.
  bool next(std::vector<Cell> &fields);
  Status failure() const { return error; }
  uint32_t recordLine() const { return recordStart; }
  size_t blankLines() const { return blanks; }
  std::string lineEnds() const;
  /// More fields in a record end the scan, which bounds memory.
  void setColumnLimit(size_t limit) { columnLimit = limit; }

private:
  bool field(std::vector<Cell> &fields);
  bool quotedField(Cell &cell);
  bool endLine();
  bool fail(Error e);

  std::string &text;
  char delimiter;
  std::string file;
  size_t at = 0, blanks = 0, columnLimit = 100'000;
  uint32_t line = 1, recordStart = 1;
  size_t lineFeeds = 0, pairs = 0, returns = 0;
  Status error;
};

} // namespace imbrex::stats
