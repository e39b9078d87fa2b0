// Compares two results as the semantics say: as bags, sets or lists, where rows that ORDER BY
// leaves tied may come in any order, so that each side stands for a set of lists.
#pragma once

#include "proof/sql/evaluate/Evaluator.h"

namespace imbrex::sql {

enum class Difference : uint8_t {
  None,
  Choice, // the possible lists are not the same, but some are common
  Sure,   // no possible result is common
};

/// Neither run ended in a fault. Equal up to a collision of 64-bit hashes.
Difference compareResults(const RunResult &first, const RunResult &second, Comparison comparison,
                          const TextPool &pool);

} // namespace imbrex::sql
