// From kernels over linalg and memref to an ELF file that the runtime loads: the CPU back end.
#pragma once

#include "compiler/MlirPch.h"
#include "compiler/codegen/cpu/Target.h"
#include "support/Result.h"

#include <string>
#include <vector>

namespace llvm {
class TargetMachine;
}

namespace imbrex::codegen {

/// What kernels may call out to, in the order of the import table: the runtime provides these by
/// name.
struct ImportTable {
  std::vector<std::string> names;
  /// The place of `name`, added when new.
  size_t place(llvm::StringRef name);
};

/// Lowers a module of kernels (KernelFrame) to the LLVM dialect, in place. E0610 with the
/// diagnostics. `target`: the one that the module is for; null: the result is for all alike.
Status lowerToLlvm(mlir::ModuleOp module, const CpuTarget *target = nullptr);

/// LLVM's back end for a target. E0611.
Result<std::unique_ptr<llvm::TargetMachine>> machineFor(const CpuTarget &target);

/// Machine code for a module in the LLVM dialect: one relocatable object, in which only its public
/// functions can be called, as `prefix` + their names. E0611.
Result<std::vector<char>> emitObject(mlir::ModuleOp module, const CpuTarget &target,
                                     llvm::StringRef prefix = "");

/// Names for what objects define: (exported name, the object's symbol).
using SymbolNames = std::vector<std::pair<std::string, std::string>>;

/// Links objects into a shared ELF file without NEEDED entries that exports `exported` and calls
/// out only through the symbol `imx_imports`, an array of pointers that the loader fills in the
/// table's order. E0612.
Result<std::vector<char>> linkShared(const std::vector<std::vector<char>> &objects,
                                     const CpuTarget &target, const SymbolNames &exported,
                                     ImportTable &imports);

/// Machine code of one target.
struct CodeVariant {
  CpuTarget target;
  std::vector<char> elf;
};

struct EmitOptions {
  std::string cache;    // folder for machine code (KernelCache.h); "": none is kept
  unsigned threads = 1; // 0: as many as this process may use
};

struct EmitReport {
  size_t units = 0, compiled = 0; // over all targets
  std::vector<std::string> remarks;
};

/// All of the above for each target; `kernels` (linalg and tile level) stays as it is. The import
/// table is shared. The result does not depend on the options.
Result<std::vector<CodeVariant>> emitVariants(mlir::ModuleOp kernels,
                                              const std::vector<CpuTarget> &targets,
                                              const std::vector<std::string> &exported,
                                              ImportTable &imports, const EmitOptions &options = {},
                                              EmitReport *report = nullptr);

/// The dialects that kernels are made of and lower through, and their translations.
void registerKernelDialects(mlir::DialectRegistry &registry);

} // namespace imbrex::codegen
