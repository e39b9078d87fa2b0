// Inside of the refuter: a pair of compiled queries that are run on the same databases.
#pragma once

#include "proof/sql/refute/Compare.h"
#include "proof/sql/refute/Databases.h"
#include "proof/sql/refute/Refute.h"

#include <functional>

namespace imbrex::sql::refuter {

struct Pair {
  const Query &first, &second;
  const Catalog &catalog;
  const Semantics &semantics;
  TextPool &pool;
  Evaluator firstEvaluator, secondEvaluator;
  DatabaseGenerator generator;

  static Result<std::unique_ptr<Pair>> make(const Query &first, const Query &second,
                                            const Catalog &catalog, const Semantics &semantics,
                                            TextPool &pool);

  enum class Outcome : uint8_t { Same, Choice, Different, Fault };
  Outcome run(const Instance &instance, const Meaning &meaning);
  RunResult firstResult, secondResult; // of the last run
};

/// A database on which the results differ.
struct Candidate {
  Instance instance;
  Meaning meaning;
};

/// Takes away rows and simplifies values while the results still differ, until it is late.
void minimise(Pair &pair, Candidate &candidate, const std::function<bool()> &isLate);

enum class Confirmation : uint8_t {
  Confirmed,
  Unconfirmed,  // no engine could run the queries, or one disagrees with the evaluator
  Contradicted, // an engine, which knows what the queries' functions mean, shows no difference
};

/// Runs the pair on engines: the texts as written, else the algebra as printed. Fills in verdict,
/// script and defect. An engine gets the `seconds` that are left, and a moment at least, for a
/// query.
Confirmation confirm(Pair &pair, const Candidate &candidate, Engines &engines,
                     const OriginalTexts &originals, double seconds, Refutation &refutation);

} // namespace imbrex::sql::refuter
