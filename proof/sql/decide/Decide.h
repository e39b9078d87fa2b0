// Are two queries the same? The refuter and the prover together: a quick search for a database on
// which they differ, then a proof, then a longer search. For the command line and for programs that
// test optimizers.
//
//   Engines engines;
//   Decision d = decide({a.query, b.query}, schema.catalog, Semantics::of(Dialect::Postgres), {},
//   engines);
#pragma once

#include "proof/sql/prove/Prove.h"
#include "proof/sql/refute/Refute.h"

namespace imbrex::sql {

struct QueryPair {
  QueryPtr first, second;
  OriginalTexts originals; // as the user wrote them, where she did
};

struct DecideLimits {
  double seconds = 10; // for all of it, but for the start of a server (Engines::startSeconds)
  uint64_t seed = 1;
  Evidence evidence = Evidence::Verdict;
};

struct Decision {
  Verdict verdict; // NotEquivalent has a reason in place of a database where the columns do not fit
  Comparison comparison = Comparison::Automatic; // of the results: decided, unless nothing ran
  std::string script; // of a counterexample, to be pasted into the engine
  /// Our own parts contradict each other (E1130), or one of them failed (E1131). The verdict is
  /// Unknown then.
  std::optional<Error> defect;
};

/// Never throws. Queries with different numbers or types of columns are not equivalent; integers
/// and decimals compare by value.
Decision decide(const QueryPair &pair, const Catalog &catalog, const Semantics &semantics,
                const DecideLimits &limits, Engines &engines);

/// Gives both queries the same column types, or says why they cannot have them.
std::optional<std::string> alignColumns(QueryPtr &first, QueryPtr &second,
                                        const Semantics &semantics);

} // namespace imbrex::sql
