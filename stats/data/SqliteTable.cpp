#include "stats/data/SqliteTable.h"

#include "support/sqlite/Sqlite.h"

#include <charconv>

namespace imbrex::stats {
namespace {

std::string numberText(double value) {
  char buffer[40];
  auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, end);
}

/// False for a BLOB. NULL is an empty cell.
bool textOf(const sqlite::Cell &cell, std::string &out) {
  if (const auto *integer = std::get_if<int64_t>(&cell))
    out = std::to_string(*integer);
  else if (const auto *real = std::get_if<double>(&cell))
    out = numberText(*real);
  else if (const auto *text = std::get_if<std::string>(&cell))
    out = *text;
  else
    return std::holds_alternative<std::monostate>(cell);
  return true;
}

} // namespace

std::string selectAll(const std::string &table) {
  std::string name;
  for (char c : table)
    name += c == '"' ? "\"\"" : std::string(1, c);
  return "SELECT * FROM \"" + name + "\"";
}

Result<RawTable> readSqlite(const std::string &path, const std::string &sql,
                            const std::optional<std::set<std::string>> &wanted) {
  Result<sqlite::Database> database = sqlite::Database::open(path, sqlite::Access::ReadOnly);
  if (!database)
    return database.takeError();
  Result<sqlite::Statement> statement = database->prepare(sql);
  if (!statement)
    return statement.takeError();
  RawTable table;
  table.isFile = false;
  table.report.source = path;
  table.report.encoding = "UTF-8";
  table.report.encodingReason = "a database's text";
  for (int i = 0; i < statement->columnCount(); ++i)
    table.columns.push_back({statement->columnName(i), {}});
  std::vector<size_t> places;
  for (size_t i = 0; i < table.columns.size(); ++i)
    if (!wanted || wanted->contains(table.columns[i].name))
      places.push_back(i);
  std::string text;
  while (true) {
    Result<sqlite::Step> step = statement->step();
    if (!step)
      return step.takeError();
    if (*step == sqlite::Step::Done)
      break;
    for (size_t i : places) {
      text.clear();
      if (!textOf(statement->cell(static_cast<int>(i)), text))
        return badInput(1212, "column '" + table.columns[i].name + "' holds a BLOB",
                        "row " + std::to_string(table.rows + 1), "a query without it",
                        {path, 0, 0});
      if (text.size() > Cell::maxLength)
        return badInput(1206, "a field is longer than 8 MiB", "", "", {path, 0, 0});
      Cell cell{};
      cell.offset = table.text.size();
      cell.length = text.size();
      table.columns[i].cells.push_back(cell);
      table.text += text;
    }
    ++table.rows;
  }
  table.report.rows = table.rows;
  table.report.columns = table.columns.size();
  return table;
}

} // namespace imbrex::stats
