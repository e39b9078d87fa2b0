#include "stats/data/Csv.h"

#include "stats/data/CsvScanner.h"
#include "stats/data/Encoding.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

namespace imbrex::stats {
namespace {

std::string shown(char delimiter) {
  return delimiter == '\t' ? "tab" : delimiter ? std::string(1, delimiter) : "none";
}

class CsvReader {
public:
  CsvReader(RawTable &table, const CsvOptions &options, const std::string &name)
      : table(table), options(options), name(name) {}

  Status read() {
    chooseDelimiter();
    CsvScanner scanner(table.text, table.report.delimiter, name);
    if (namedByTheFile())
      scanner.skipLine();
    if (Status s = readHeader(scanner); !s)
      return s;
    if (Status s = readRows(scanner); !s)
      return s;
    if (Status s = scanner.failure(); !s)
      return s;
    finish(scanner);
    return {};
  }

private:
  /// Spreadsheets may write `sep=;` as the first line.
  std::optional<char> namedByTheFile() const {
    const std::string &text = table.text;
    bool named = text.starts_with("sep=") && text.size() > 5 && text[4] != '"' &&
                 (text[5] == '\n' || text[5] == '\r');
    return named ? std::optional(text[4]) : std::nullopt;
  }

  void chooseDelimiter() {
    ImportReport &report = table.report;
    std::optional<char> named = namedByTheFile();
    report.delimiterReason = options.delimiter ? "declared"
                             : named           ? "named by the file's first line"
                                               : "detected";
    report.delimiter = options.delimiter ? *options.delimiter
                       : named           ? *named
                                         : detectDelimiter(table.text);
  }

  Status readHeader(CsvScanner &scanner) {
    std::vector<Cell> fields;
    if (!scanner.next(fields))
      return scanner.failure().ok()
                 ? Status(badInput(1201, "the data file is empty", "it has no header line",
                                   "a first line with the names of the columns", {name, 0, 0}))
                 : scanner.failure();
    for (const Cell &field : fields)
      names.emplace_back(std::string_view(table.text).substr(field.offset, field.length));
    scanner.setColumnLimit(fields.size() + 1);
    return {};
  }

  /// Names are only final when the first row has shown whether there is a column of row names.
  Status makeColumns(size_t fields) {
    if (fields == names.size() + 1) {
      names.insert(names.begin(), "");
      table.report.notes.push_back("rows have one field more than the header: the first column "
                                   "has no name");
    }
    std::map<std::string, size_t> seen;
    for (size_t i = 0; i < names.size(); ++i) {
      std::string &column = names[i];
      while (!column.empty() && column.back() == ' ')
        column.pop_back();
      column.erase(0, column.find_first_not_of(' ') == std::string::npos
                          ? 0
                          : column.find_first_not_of(' '));
      if (column.empty()) {
        column = "column" + std::to_string(i + 1);
        table.report.notes.push_back("column " + std::to_string(i + 1) + " has no name: called " +
                                     column);
      }
      if (!seen.emplace(column, i).second)
        return badInput(1205, "two columns are called '" + column + "'",
                        "columns " + std::to_string(seen[column] + 1) + " and " +
                            std::to_string(i + 1),
                        "other names in the header", {name, 1, 0});
      table.columns.push_back({column, {}});
      keep.push_back(!options.wanted || options.wanted->contains(column));
    }
    return {};
  }

  Status readRows(CsvScanner &scanner) {
    std::vector<Cell> fields;
    while (scanner.next(fields)) {
      if (table.columns.empty())
        if (Status s = makeColumns(fields.size()); !s)
          return s;
      if (fields.size() != table.columns.size())
        return badInput(1204,
                        "a row with " + std::to_string(fields.size()) + " fields where there are " +
                            std::to_string(table.columns.size()) + " columns",
                        "fields are separated by " + shown(table.report.delimiter) + " here (" +
                            table.report.delimiterReason + ")",
                        "quotes around fields that hold the delimiter, or `delimiter:` in the "
                        "study's data block",
                        {name, scanner.recordLine(), 1});
      for (size_t i = 0; i < fields.size(); ++i)
        if (keep[i])
          table.columns[i].cells.push_back(fields[i]);
      ++table.rows;
    }
    return table.columns.empty() ? makeColumns(names.size()) : Status();
  }

  void finish(const CsvScanner &scanner) {
    table.report.rows = table.rows;
    table.report.columns = table.columns.size();
    table.report.lineEnds = scanner.lineEnds();
    if (scanner.blankLines())
      table.report.notes.push_back(std::to_string(scanner.blankLines()) +
                                   " blank lines were skipped");
  }

  RawTable &table;
  const CsvOptions &options;
  const std::string &name;
  std::vector<std::string> names;
  std::vector<bool> keep;
};

} // namespace

FileLocation RawTable::locate(const RawColumn &column, size_t row) const {
  if (!isFile || row >= column.cells.size())
    return {report.source, static_cast<uint32_t>(row + 1), 0};
  size_t offset = column.cells[row].offset;
  uint32_t line = 1;
  size_t start = 0;
  for (size_t i = 0; i < offset; ++i)
    if (text[i] == '\n' || (text[i] == '\r' && text[i + 1] != '\n')) {
      ++line;
      start = i + 1;
    }
  return {report.source, line, static_cast<uint32_t>(offset - start + 1)};
}

Result<RawTable> parseCsv(std::string bytes, const CsvOptions &options, const std::string &name) {
  Result<DecodedText> decoded = decodeText(std::move(bytes), options.encoding);
  if (!decoded) {
    Error error = decoded.takeError();
    error.where.file = name;
    return error;
  }
  if (decoded->text.size() >= (1ull << 40))
    return badInput(1206, "the data file is larger than 1 TiB", "", "a database", {name, 0, 0});
  RawTable table;
  table.text = std::move(decoded->text);
  table.report.source = name;
  table.report.encoding = decoded->encoding;
  table.report.encodingReason = decoded->reason;
  if (Status s = CsvReader(table, options, name).read(); !s)
    return s.takeError();
  return table;
}

Result<RawTable> readCsv(const std::string &path, const CsvOptions &options) {
  std::error_code failure;
  if (std::filesystem::is_directory(path, failure))
    return badInput(1200, "cannot read the data file " + path, "it is a folder",
                    "the path in the study, or --data FILE");
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  auto size = in ? static_cast<std::streamoff>(in.tellg()) : -1;
  std::string bytes;
  if (size >= 0) {
    bytes.resize(static_cast<size_t>(size));
    in.seekg(0);
    in.read(bytes.data(), size);
  }
  if (!in || size < 0)
    return badInput(1200, "cannot read the data file " + path,
                    errno ? std::strerror(errno) : "it is no regular file",
                    "the path in the study, or --data FILE");
  return parseCsv(std::move(bytes), options, path);
}

} // namespace imbrex::stats
