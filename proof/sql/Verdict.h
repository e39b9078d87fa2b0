// The answer about two queries, with its evidence.
#pragma once

#include "proof/sql/query/Query.h"
#include "proof/sql/query/Semantics.h"

#include <optional>
#include <string>
#include <vector>

namespace imbrex::sql {

/// Rows of every table of a catalog, in the catalog's order.
struct Database {
  std::vector<std::vector<std::vector<Value>>> tables; // [table][row][column]
};

enum class Answer : uint8_t { Equivalent, NotEquivalent, Unknown };

struct Verdict {
  Answer answer = Answer::Unknown;
  std::string reason; // of Unknown: the construct, the goal left over, or the limit
  std::optional<Database>
      counterexample;      // of NotEquivalent, and of Unknown when no engine confirmed it
  std::string confirmedBy; // "SQLite 3.40.1", "PostgreSQL 15.18"; empty: nobody
  std::string certificate; // of Equivalent (docs/reference/sql-certificates.md)
  double seconds = 0;
};

} // namespace imbrex::sql
