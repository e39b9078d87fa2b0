// Tables and queries of SQLite files as RawTables.
#pragma once

#include "stats/data/RawTable.h"

namespace imbrex::stats {

/// `sql` is one query. Opens read-only. E1212 for a BLOB; errors of SQLite as they are. Numbers
/// keep 17 digits.
Result<RawTable> readSqlite(const std::string &path, const std::string &sql);

/// `SELECT * FROM "table"`, with the name quoted.
std::string selectAll(const std::string &table);

} // namespace imbrex::stats
