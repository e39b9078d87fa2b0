// Small databases to try, from models of the solver: one in which a part of one query has a row
// that the other query lacks, as far as the prover's terms say. A proposal proves nothing: the
// refuter runs both queries on it, and on databases around it.
#pragma once

#include "proof/sql/Verdict.h"
#include "proof/sql/query/Semantics.h"

namespace imbrex::sql {

/// Several at most, fewer when the time is over; none where a construct has no meaning to the
/// prover.
std::vector<Database> proposeDatabases(const Query &first, const Query &second,
                                       const Catalog &catalog, const Semantics &semantics,
                                       double seconds);

} // namespace imbrex::sql
