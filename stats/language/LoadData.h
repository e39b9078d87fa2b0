// The table that a study declares.
#pragma once

#include "stats/language/Study.h"

namespace imbrex::stats {

struct LoadOptions {
  std::string file;          // instead of the study's
  std::string duckdbLibrary; // empty: where the system finds it
};

/// Reads the study's file (relative to the study's own folder), types and reshapes it. What a file
/// is, its first bytes say: SQLite, Parquet, Arrow, DuckDB, else text. E1233 when the study names
/// no data, or no table of a database; else errors of stats/data.
Result<Table> loadData(const Study &study, const LoadOptions &options = {});

} // namespace imbrex::stats
