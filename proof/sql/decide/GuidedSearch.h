// The refuter with the solver beside it: random databases first, then those that models of the
// solver propose and databases around these, then random ones again.
#pragma once

#include "proof/sql/refute/Refute.h"

namespace imbrex::sql {

/// As refute(). What differs usually differs on one of the first few thousand databases, so the
/// solver is asked only then, and for a part of the time.
Refutation refuteGuided(const Query &first, const Query &second, const Catalog &catalog,
                        const Semantics &semantics, const RefuteLimits &limits, Engines &engines,
                        const OriginalTexts &originals = {});

} // namespace imbrex::sql
