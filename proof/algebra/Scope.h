// A guarded scope: variables, a guard over them, and terms that matter only where it holds.
#pragma once

#include "proof/algebra/Pool.h"

namespace imbrex::algebra {

struct ScopeStep;
struct SumEvent;

struct Scope {
  std::vector<Variable> variables;
  Id guard;
  std::vector<Id> payload;
};

enum class Eliminate : uint8_t { No, Yes };

/// Rewrites guard and payload to equal ones:
///   a fact of the guard is used everywhere else:  p and f(p)      ->  p and f(true)
///   equalities are used from heavy to light:      x = 5 and f(x)  ->  x = 5 and f(5)
///   an equated variable goes (Eliminate::Yes):    sum over x of [x = e] f(x)  ->  f(e)
/// Each fact is applied to all others before the next one is looked at, so no fact can justify its
/// own removal. The steps go to `record`.
void simplify(Pool &pool, Scope &scope, Eliminate eliminate,
              std::vector<ScopeStep> *record = nullptr);

/// The parts of a conjunction and of factors that hang together through the variables.
struct Component {
  std::vector<Variable> variables;
  std::vector<Id> conjuncts;
  std::vector<Id> factors;
};
/// The first component has no variables.
std::vector<Component> components(const Pool &pool, const std::vector<Variable> &variables,
                                  std::span<const Id> conjuncts, std::span<const Id> factors);

/// One summand of a number under unbounded sums: coefficient, variables, guard, product of factors.
struct Summand {
  Number coefficient{1, 1};
  std::vector<Variable> variables;
  Id guard;
  std::vector<Id> factors;
  uint32_t handle = 0; // where steps are recorded
};
/// Sums of products: choices become guards, sums within products are opened and merged.
/// The number stands under the variables, guard and coefficient of `start`.
std::vector<Summand> summands(Pool &pool, Id number, Summand start,
                              std::vector<SumEvent> *events = nullptr);

} // namespace imbrex::algebra
