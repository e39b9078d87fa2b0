// Cuts the last axis of what only moves or maps elements where its reads divide it.
//
//   y[i, j] = x[j mod 2, i, j div 2]      ->  y'[i, q, r] = x[r, i, q],     y = y' in memory
//   y[i, j] = x[i, j div 4] + z[i, j]     ->  y'[i, q, r] = x[i, q] + z[i, 4*q + r]
//
// so that the loop over r is unrolled and the one over q, whose loads are consecutive, becomes
// vectors; with divisions in it each element would be gathered.
#pragma once

#include "support/opmeaning/Program.h"

#include <optional>

namespace imbrex::lower {

/// The same elements in the same order, with one axis more; nothing where no read divides the last
/// axis, or not by what divides its size.
std::optional<opmeaning::Def> splitLastAxis(opmeaning::Program &program, const opmeaning::Def &def,
                                            const DimFacts &facts);

} // namespace imbrex::lower
