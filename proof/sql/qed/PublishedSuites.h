// Where tests and benchmarks find QED's published suites: the folder sql/ of IMBREX_BENCH_DATA, as
// archives, which are unpacked into a temporary folder, or unpacked already.
#pragma once

#include "support/Result.h"

#include <filesystem>
#include <map>
#include <string>

namespace imbrex::sql {

/// The files of suite "calcite" (444) or "norm" (645): name without folder and ending -> text.
/// E1082 without the data.
Result<std::map<std::string, std::string>> publishedSuite(const std::string &suite);

} // namespace imbrex::sql
