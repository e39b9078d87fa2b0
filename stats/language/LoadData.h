// The table that a study declares.
#pragma once

#include "stats/language/Study.h"

#include <optional>
#include <set>

namespace imbrex::stats {

struct LoadOptions {
  std::string file;          // instead of the study's
  std::string duckdbLibrary; // empty: where the system finds it
};

/// The file at `path` as text, with the cells of the wanted columns; of all when `wanted` is
/// absent. Of `source` counts how it is read, not which file it names. What a file is, its first
/// bytes say: SQLite, Parquet, Arrow, DuckDB, else text. E1233, at `place`, when no table of a
/// database is named; else errors of stats/data.
Result<RawTable> readSource(const DataSource &source, const std::string &path,
                            const std::optional<std::set<std::string>> &wanted,
                            const LoadOptions &options, const FileLocation &place = {});

/// Reads the study's file (relative to the study's own folder) by readSource,
/// types and reshapes it. E1233 when the study names no data.
Result<Table> loadData(const Study &study, const LoadOptions &options = {});

} // namespace imbrex::stats
