// f32 element functions as straight-line arithmetic, on scalars and vectors alike, so that a lane's
// result does not depend on how a loop was cut into vectors.
//
//   %y = math.exp %x : vector<16xf32>     a dozen multiplications, additions and shifts
//
// Errors against the real function, of samples of all f32 (FastMathTest.cpp): exp 1 ulp, erf 6,
// tanh 6. Special values are right: exp of -inf is 0, of +inf and of what overflows +inf, subnormal
// results are rounded once; erf and tanh keep the sign of 0 and never exceed 1; NaN stays NaN.
// Elements of other types are left as they are.
#pragma once

#include "compiler/MlirPch.h"

namespace imbrex::codegen {

/// Whether vectors of 16 have an instruction for y times 2^n. Results are the same bits.
enum class Scaling : uint8_t { Integers, InstructionOf16 };

/// Rewrites of math.exp, math.erf and math.tanh of f32, and of arith.maximumf and minimumf of f32
/// and f64, which are NaN when an operand is; of zeros with two signs either is taken.
void populateFastMath(mlir::RewritePatternSet &patterns, Scaling scaling);

} // namespace imbrex::codegen
