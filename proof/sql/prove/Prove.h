// Proves that two queries have the same result on every database of the catalog: on every
// duplicate-free, NULL-ridden, empty or large one, under the given semantics. Answers Equivalent or
// Unknown, never NotEquivalent (refuting is another part's work). Unknown says why: the construct
// without meaning here, the goal that was left over, or the limit that was met.
#pragma once

#include "proof/sql/Verdict.h"

namespace imbrex::sql {

struct Limits {
  double seconds = 10;
};

/// Both queries are bound over `catalog` and pass verify(). Uses one thread; memory is bounded.
Verdict prove(const Query &a, const Query &b, const Catalog &catalog, const Semantics &semantics,
              const Limits &limits = {});

} // namespace imbrex::sql
