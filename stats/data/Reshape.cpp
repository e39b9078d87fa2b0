#include "stats/data/Reshape.h"

#include <algorithm>

namespace imbrex::stats {
namespace {

Column repeated(const Column &column, size_t times) {
  Column out{column.name, column.kind};
  out.categories = column.categories;
  out.missing = column.missing * times;
  for (double v : column.numbers)
    out.numbers.insert(out.numbers.end(), times, v);
  for (int32_t c : column.codes)
    out.codes.insert(out.codes.end(), times, c);
  return out;
}

Column rowNumbers(const std::string &name, size_t rows, size_t times) {
  Column out{name, ColumnKind::Number};
  for (size_t row = 0; row < rows; ++row)
    out.numbers.insert(out.numbers.end(), times, static_cast<double>(row + 1));
  return out;
}

/// The columns that become rows: all of one kind.
Result<std::vector<const Column *>> sourcesOf(const Table &wide, const ReshapeSpec &spec) {
  std::vector<const Column *> sources;
  for (const std::string &name : spec.columns) {
    const Column *column = wide.find(name);
    bool fits = column && (sources.empty() || (column->kind == sources[0]->kind &&
                                               column->categories == sources[0]->categories));
    if (!fits)
      return badInput(1221, "cannot reshape column '" + name + "'",
                      column ? "it holds other values than '" + spec.columns[0] + "'"
                             : "the data has no such column",
                      "columns of numbers, or of the same categories");
    sources.push_back(column);
  }
  return sources;
}

/// Which column each value comes from, and the values, row by row.
std::pair<Column, Column> stacked(const std::vector<const Column *> &sources, size_t rows,
                                  const ReshapeSpec &spec) {
  Column levels{spec.levels, ColumnKind::Category}, values{spec.values};
  levels.categories = spec.columns;
  if (!sources.empty()) {
    values.kind = sources[0]->kind;
    values.categories = sources[0]->categories;
  }
  for (size_t row = 0; row < rows; ++row)
    for (size_t i = 0; i < sources.size(); ++i) {
      levels.codes.push_back(static_cast<int32_t>(i));
      if (values.kind == ColumnKind::Number)
        values.numbers.push_back(sources[i]->numbers[row]);
      else
        values.codes.push_back(sources[i]->codes[row]);
      values.missing += sources[i]->isMissing(row);
    }
  return {std::move(levels), std::move(values)};
}

} // namespace

Result<Table> wideToLong(const Table &wide, const ReshapeSpec &spec) {
  Result<std::vector<const Column *>> found = sourcesOf(wide, spec);
  if (!found)
    return found.takeError();
  const std::vector<const Column *> &sources = *found;
  size_t k = sources.size();
  Table table;
  table.report = wide.report;
  table.rows = wide.rows * k;
  for (const Column &column : wide.columns) {
    bool source =
        std::find(spec.columns.begin(), spec.columns.end(), column.name) != spec.columns.end();
    if (source)
      continue;
    if (column.name == spec.levels || column.name == spec.values)
      return badInput(1221, "the data already has a column '" + column.name + "'",
                      "reshaping would make a second one", "another name after `reshape:`");
    table.columns.push_back(repeated(column, k));
  }
  if (!spec.key.empty() && !table.find(spec.key))
    table.columns.push_back(rowNumbers(spec.key, wide.rows, k));
  auto [levels, values] = stacked(sources, wide.rows, spec);
  table.columns.push_back(std::move(levels));
  table.columns.push_back(std::move(values));
  table.report.notes.push_back(std::to_string(wide.rows) + " rows with " + std::to_string(k) +
                               " columns each were reshaped to " + std::to_string(table.rows) +
                               " rows");
  return table;
}

} // namespace imbrex::stats
