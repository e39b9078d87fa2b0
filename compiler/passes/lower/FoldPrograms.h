// Computes what a Program needs of constants only, once, while compiling.
//
//   w.rows[mo, k, mi] = w[8*mo + mi, k], w constant        ->  a constant operand
#pragma once

#include "support/opmeaning/Program.h"

namespace imbrex::lower {

/// Evaluates every definition that reads constant operands only and turns it into a new constant
/// operand. Outputs stay definitions, and so does what would make the artifact grow much (more than
/// twice the bytes it is made of), takes very long, or reaches an undefined result: that is left to
/// run time.
void foldConstantDefs(opmeaning::Program &program);

} // namespace imbrex::lower
