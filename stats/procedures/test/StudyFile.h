// Reads the small studies that IMBREX_BENCH_DATA may point to (its folder tea/); tests skip without
// it.
#pragma once

#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace imbrex::stats {

/// Rows as text by column; no quoting. Nothing when the data are not there.
inline std::optional<std::vector<std::map<std::string, std::string>>>
readStudy(const std::string &name) {
  const char *folder = std::getenv("IMBREX_BENCH_DATA");
  if (!folder)
    return std::nullopt;
  std::ifstream in(std::string(folder) + "/tea/" + name);
  std::string line, cell;
  std::vector<std::string> header;
  std::vector<std::map<std::string, std::string>> rows;
  while (std::getline(in, line)) {
    if (!line.empty() && line.back() == '\r')
      line.pop_back();
    std::stringstream cells(line);
    std::vector<std::string> values;
    while (std::getline(cells, cell, ','))
      values.push_back(cell);
    if (header.empty()) {
      header = values;
      continue;
    }
    rows.emplace_back();
    for (size_t i = 0; i < values.size() && i < header.size(); ++i)
      rows.back()[header[i]] = values[i];
  }
  if (rows.empty())
    return std::nullopt;
  return rows;
}

/// Values of `column` in the rows where `where` is `wanted`.
inline std::vector<double> valuesWhere(const std::vector<std::map<std::string, std::string>> &rows,
                                       const std::string &column, const std::string &where,
                                       const std::string &wanted) {
  std::vector<double> result;
  for (const auto &row : rows)
    if (row.at(where) == wanted)
      result.push_back(std::stod(row.at(column)));
  return result;
}

} // namespace imbrex::stats
