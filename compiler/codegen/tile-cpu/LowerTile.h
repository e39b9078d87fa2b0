// Tile kernels as functions of the kernel ABI for a CPU. README.md says how tiles become registers.
#pragma once

#include "compiler/codegen/cpu/Target.h"
#include "compiler/codegen/tile-cpu/TileKernelRecord.h"
#include "compiler/ir/tile/Tile.h"

namespace imbrex::codegen {

/// The function that plans a kernel's launches (runtime/abi/kernel.h).
inline std::string planName(llvm::StringRef kernel) { return (kernel + ".plan").str(); }

/// Appends the kernel to `into` as a function of its name and one of its plan, over vector, memref,
/// scf and arith, for `target`. Precondition: tile-verify accepted the kernel. E0613 for what this
/// back end cannot do.
Result<TileKernelRecord> lowerTileKernel(mlir::ModuleOp into, tile::KernelOp kernel,
                                         const CpuTarget &target);

/// Replaces every tile.kernel of a module by its function.
Result<std::vector<TileKernelRecord>> lowerTileKernels(mlir::ModuleOp module,
                                                       const CpuTarget &target);

/// Registers the pass `tile-to-cpu{target=cpu:x86-64-v4}`.
void registerTileToCpuPass();

} // namespace imbrex::codegen
