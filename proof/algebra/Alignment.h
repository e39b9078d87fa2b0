// Which variables of two scopes may correspond, most promising first.
#pragma once

#include "proof/algebra/Scope.h"

namespace imbrex::algebra {

/// Orders of `to`'s variables that fit `from`'s one by one: same shapes, at most `limit`, those
/// first that agree on where variables stand in predicates. Both scopes have the same shapes.
std::vector<std::vector<Variable>> alignVariables(const Pool &pool, const Summand &from,
                                                  const Summand &to, size_t limit);

/// Terms that comparisons anywhere in `guard` put beside the variable and that are free of it.
std::vector<Id> candidateValues(Pool &pool, Id guard, const Variable &variable);

/// Do two sums or collections have the same kind, function and shapes?
bool mayBeEqual(const Pool &pool, Id a, Id b);

} // namespace imbrex::algebra
