// Random well-typed queries over a small catalog, for tests that compare the evaluator with engines
// and the prover with the refuter. The same seed gives the same query.
#pragma once

#include "proof/sql/query/Query.h"
#include "proof/sql/refute/Databases.h"

namespace imbrex::sql {

/// t(a, b, s), u(c PRIMARY KEY, d, p), w(x, y): integers but for s TEXT, p BOOLEAN, x DECIMAL.
Catalog randomQueryCatalog();

struct RandomQueryOptions {
  unsigned size = 4; // operators on top of each other, at most
  bool lateral = true;
  bool setsWithDuplicates = true; // INTERSECT ALL, EXCEPT ALL
  bool windows = true;
  bool limits = true;
};

QueryPtr randomQuery(Random &random, const Catalog &catalog, const RandomQueryOptions &options);

} // namespace imbrex::sql
