// Tables of Parquet, Arrow and DuckDB files, through DuckDB's library.
#pragma once

#include "stats/data/RawTable.h"

#include <optional>
#include <set>

namespace imbrex::stats {

enum class DuckdbFile : uint8_t { Parquet, Arrow, Database };

/// By the file's first bytes; nothing for other files.
std::optional<DuckdbFile> duckdbFileOf(const std::string &path);

struct DuckdbSource {
  std::string path;
  DuckdbFile kind = DuckdbFile::Parquet;
  std::string sql;     // a query, in which a Parquet or Arrow file is the table `data`; empty: all
  std::string library; // of DuckDB; empty: where the system finds it
  std::optional<std::set<std::string>> wanted; // columns whose cells are read; absent: all
};

/// All columns by name, with cells for the wanted ones; NULL is an empty cell. E0820 and E0821 as
/// support/duckdb says, E1213 for Arrow files without DuckDB's extension for them.
Result<RawTable> readDuckdb(const DuckdbSource &source);

} // namespace imbrex::stats
