// Looks for a small database on which two queries differ.
//
// Random databases are run through the evaluator; one on which the results differ is made as small
// and simple as it can be, and then both queries run on a real engine: SQLite, or PostgreSQL where
// SQLite lacks something. Only a difference that the engine shows is an answer. An engine that
// returns something else than the evaluator is a defect of ours, reported as such and never as an
// answer.
#pragma once

#include "proof/sql/Verdict.h"
#include "proof/sql/engine/Engines.h"

#include <chrono>

namespace imbrex::sql {

struct RefuteLimits {
  std::chrono::milliseconds time{1000};
  uint64_t instances = 200'000;
  uint64_t seed = 1;
  std::vector<Database> start = {}; // tried first, alone and with random rows beside theirs
};

/// The queries as the user wrote them; empty when they came in another form.
struct OriginalTexts {
  std::string first;
  std::string second;
};

/// Engines for confirmation. PostgreSQL starts when it is first needed, and stops with this object.
class Engines {
public:
  /// Null when there is no server; `whyNot` then says why.
  PostgresServer *postgres(std::string &whyNot);
  /// How long starting took so far. Time limits do not count it, and `seconds` of verdicts do not.
  double startSeconds() const { return started; }

private:
  double started = 0;
  std::unique_ptr<PostgresServer> server;
  std::string failure;
};

struct Refutation {
  /// NotEquivalent with a confirmed database; or Unknown: with a reason, and with a database when
  /// no engine could confirm it.
  Verdict verdict;
  uint64_t instances = 0;      // that were run
  uint64_t faults = 0;         // of these, runs that count for nothing (errors, open choices)
  std::string script;          // of a counterexample: tables, rows, queries, results; can be pasted
  std::optional<Error> defect; // E1130: the engine and the evaluator disagree
};

Refutation refute(const Query &first, const Query &second, const Catalog &catalog,
                  const Semantics &semantics, const RefuteLimits &limits, Engines &engines,
                  const OriginalTexts &originals = {});

} // namespace imbrex::sql
