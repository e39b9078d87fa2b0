// Reads pairs/known.sqlpairs: pairs of queries with known answers, for tests and benchmarks.
#pragma once

#include "proof/sql/query/Query.h"
#include "proof/sql/query/Semantics.h"

#include <string>
#include <vector>

namespace imbrex::sql {

struct KnownPair {
  std::string id;
  bool equal = false;
  std::string schema; // CREATE TABLE statements
  Dialect dialect = Dialect::Standard;
  std::string first, second;
};

/// E1121: the file is missing or damaged.
Result<std::vector<KnownPair>> readKnownPairs(const std::string &path);

} // namespace imbrex::sql
