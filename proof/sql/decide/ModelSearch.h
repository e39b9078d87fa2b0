// Small databases to try, from models of the solver: rows that fulfil the conditions of one query
// and not those of the other, as far as the prover's terms say. Random rows rarely meet equations
// between columns or many conditions at once; a model does. A proposal proves nothing: the refuter
// runs both queries on it, and on databases around it.
#pragma once

#include "proof/sql/Verdict.h"
#include "proof/sql/query/Semantics.h"

namespace imbrex::sql {

/// Several at most, fewer when the time is over; none where a construct has no meaning to the
/// prover. The same questions in the same order give the same databases, but for the time.
std::vector<Database> proposeDatabases(const Query &first, const Query &second,
                                       const Catalog &catalog, const Semantics &semantics,
                                       double seconds);

} // namespace imbrex::sql
