#include "stats/procedures/categorical/ContingencyTable.h"

#include <algorithm>

namespace imbrex::stats {
namespace {

constexpr int64_t countLimit = int64_t{1} << 53; // larger counts are not exact in double precision

std::string nameOf(const std::vector<std::string> &names, const char *kind, size_t index) {
  if (index < names.size())
    return std::string(kind) + " '" + names[index] + "'";
  return std::string(kind) + " " + std::to_string(index + 1);
}

bool hasBadCount(const CountTable &table) {
  int64_t total = 0;
  for (int64_t count : table.counts) {
    if (count < 0 || count > countLimit)
      return true;
    total += count;
    if (total > countLimit)
      return true;
  }
  return false;
}

} // namespace

std::string ContingencyTable::rowName(size_t row) const { return nameOf(rowNames, "row", row); }
std::string ContingencyTable::columnName(size_t column) const {
  return nameOf(columnNames, "column", column);
}

std::vector<double> ContingencyTable::expected() const {
  std::vector<int64_t> rows = counts.rowSums(), columns = counts.columnSums();
  auto total = static_cast<double>(counts.total());
  std::vector<double> result;
  result.reserve(counts.counts.size());
  for (int64_t row : rows)
    for (int64_t column : columns)
      result.push_back(static_cast<double>(row) * (static_cast<double>(column) / total));
  return result;
}

ContingencyTable ContingencyTable::of(std::span<const int64_t> rows,
                                      std::span<const int64_t> columns,
                                      std::vector<std::string> rowNames,
                                      std::vector<std::string> columnNames) {
  ContingencyTable table{
      {rowNames.size(), columnNames.size(), {}}, std::move(rowNames), std::move(columnNames)};
  table.counts.counts.assign(table.counts.rows * table.counts.columns, 0);
  for (size_t i = 0; i < rows.size() && i < columns.size(); ++i)
    ++table.counts.counts[static_cast<size_t>(rows[i]) * table.counts.columns +
                          static_cast<size_t>(columns[i])];
  return table;
}

std::string emptyMargin(const ContingencyTable &table) {
  std::vector<int64_t> rows = table.counts.rowSums(), columns = table.counts.columnSums();
  for (size_t i = 0; i < rows.size(); ++i)
    if (rows[i] == 0)
      return table.rowName(i) + " has no counts";
  for (size_t i = 0; i < columns.size(); ++i)
    if (columns[i] == 0)
      return table.columnName(i) + " has no counts";
  return {};
}

bool acceptTable(TestResult &result, const ContingencyTable &table, EmptyMargins margins) {
  const CountTable &counts = table.counts;
  if (counts.counts.size() != counts.rows * counts.columns || counts.rows < 2 ||
      counts.columns < 2) {
    result.refused("the table has " + std::to_string(counts.rows) + " rows and " +
                   std::to_string(counts.columns) + " columns, but at least 2 of each are needed");
    return false;
  }
  if (hasBadCount(counts)) {
    result.refused("a count is negative, or the counts exceed 2^53");
    return false;
  }
  int64_t total = counts.total();
  result.n = {{"observations", static_cast<double>(total)}};
  if (total == 0)
    result.refused("the table has no counts");
  else if (std::string empty = emptyMargin(table);
           margins == EmptyMargins::Refuse && !empty.empty())
    result.refused(empty + ", so what is expected there is 0; leave it out of the table");
  return result.defined();
}

} // namespace imbrex::stats
