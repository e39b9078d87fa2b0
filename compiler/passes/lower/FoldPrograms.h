// Computes what a Program needs of constants only, once, while compiling.
//
//   w.rows[mo, k, mi] = w[8*mo + mi, k], w constant        ->  a constant operand
#pragma once

#include "support/opmeaning/Program.h"

namespace imbrex::lower {

/// Evaluates every definition that reads constant operands only and turns it into a new constant
/// operand. Outputs stay definitions. Errors are the evaluator's.
Status foldConstantDefs(opmeaning::Program &program);

} // namespace imbrex::lower
