// The suites of the benchmark, and the list of pairs that are wrong as published.
#pragma once

#include "proof/sql/suite/Suite.h"
#include "support/json/Json.h"

#include <map>
#include <string>
#include <vector>

namespace imbrex::sql::bench {

inline constexpr const char *SuiteNames[] = {"calcite-232", "qed-calcite-444",
                                             "qed-cockroach-norm-645", "literature"};

using BenchCase = SuiteCase;

struct BenchSuite {
  std::string name;
  std::vector<BenchCase> cases;
  bool countsRefuted = false; // a pair counts when it gets its answer, whichever that is
};

Result<BenchSuite> loadSuite(const std::string &name);

/// "suite/pair" to the reason why it is wrong.
using WrongList = std::map<std::string, std::string>;
Result<WrongList> readWrongList();

/// "suite/pair" to what is malformed in it.
Result<std::map<std::string, std::string>> readUnreadableList();

} // namespace imbrex::sql::bench
