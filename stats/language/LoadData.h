// The table that a study declares.
#pragma once

#include "stats/language/Study.h"

namespace imbrex::stats {

/// Reads `override`, or the study's file (relative to the study's own folder), types and reshapes
/// it. A file that starts with SQLite's magic is a database. E1233 when the study names no data;
/// else errors of stats/data.
Result<Table> loadData(const Study &study, const std::string &override = {});

} // namespace imbrex::stats
