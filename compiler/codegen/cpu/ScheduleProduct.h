// The schedule of a packed product's tile: from a linalg operation over two panels to a loop over k
// that keeps its accumulators in registers.
//
//   linalg.generic (k, mi, ni) a[k, 8], b[k, 32], c[8, 32]
// becomes, for a micro tile of R x C,
//   for r, for c: acc = read c;  for k: acc = outerproduct a[k, r:r+R], b[k, c:c+C], acc;  write
//   acc
//
// By upstream passes, in the one order that works: tile, vectorize to vector.contract, hoist the
// accumulator out of the loop, then lower the contraction to outer products and these to fused
// multiply-adds.
#pragma once

#include "compiler/MlirPch.h"
#include "compiler/codegen/cpu/Target.h"

namespace imbrex::codegen {

/// Applies the schedule to every operation marked kPackedProduct in `module`.
llvm::LogicalResult scheduleProducts(mlir::ModuleOp module, const CpuTarget &target);

} // namespace imbrex::codegen
