// Quantified parts that facts at hand make true, and redundant variables of quantifiers; by
// matching terms only.
#pragma once

#include "proof/algebra/Recorder.h"

#include <set>

namespace imbrex::algebra {

/// Is some instance of the quantified formula made of facts (a set of formulas that hold)?
/// The instance goes to `record`, its guard left to the caller.
bool followsFrom(Pool &pool, Id quantified, const std::set<Id> &facts, Chain *record = nullptr);

/// Finds a variable and a value for it such that every conjunct with the variable becomes another
/// conjunct: `some x, y (p(x) and p(y) and q(y))` needs no x. The value is put in.
bool foldVariable(Pool &pool, std::vector<Variable> &variables, std::vector<Id> &conjuncts,
                  Chain *record = nullptr);

} // namespace imbrex::algebra
