// One product as a kernel of the tile dialect, with what becomes of its result element by element:
//
//   c[m, n] = sum(k) a[m, k] * b[k, n];  y[m, n] = max(c[m, n] + bias[m], 0)
// becomes
//   tile.kernel { sum = for k: mma(load a, load b, sum);  store max(sum + load bias, 0) into y }
//
// The kernel goes through tile-verify like every other one before it is used.
#pragma once

#include "compiler/MlirPch.h"
#include "compiler/passes/lower/BuildKernel.h"
#include "compiler/passes/lower/TileContraction.h"

namespace imbrex::lower {

/// Appends the kernel of product `product`, and of `reader` when it is fused, to `module`. E0601
/// when the verifier refuses it, which would be this compiler's fault.
Result<KernelRecord> buildTileKernel(mlir::ModuleOp module, opmeaning::Program &program,
                                     uint32_t product, const TileProduct &form,
                                     std::optional<uint32_t> reader, const DimFacts &facts,
                                     llvm::StringRef name);

} // namespace imbrex::lower
