// Tables and queries of SQLite files as RawTables.
#pragma once

#include "stats/data/RawTable.h"

#include <optional>
#include <set>

namespace imbrex::stats {

/// `sql` is one query. Opens read-only. Only columns that `wanted` names have cells; all do without
/// it. E1212 for a BLOB; errors of SQLite as they are. Numbers keep 17 digits.
Result<RawTable> readSqlite(const std::string &path, const std::string &sql,
                            const std::optional<std::set<std::string>> &wanted = std::nullopt);

/// `SELECT * FROM "table"`, with the name quoted.
std::string selectAll(const std::string &table);

} // namespace imbrex::stats
