// From kernels over linalg and memref to an ELF file that the runtime loads: the CPU back end.
#pragma once

#include "compiler/MlirPch.h"
#include "compiler/codegen/cpu/Target.h"
#include "support/Result.h"

#include <string>
#include <vector>

namespace imbrex::codegen {

/// What kernels may call out to, in the order of the import table: the runtime provides these by
/// name.
struct ImportTable {
  std::vector<std::string> names;
  /// The place of `name`, added when new.
  size_t place(llvm::StringRef name);
};

/// Lowers a module of kernels (KernelFrame) to the LLVM dialect, in place. E0610 with the
/// diagnostics.
Status lowerToLlvm(mlir::ModuleOp module, const CpuTarget &target);

/// Machine code for a module in the LLVM dialect: one relocatable object. E0611.
Result<std::vector<char>> emitObject(mlir::ModuleOp module, const CpuTarget &target);

/// Links an object into a shared ELF file without NEEDED entries that exports `exported` and calls
/// out only through the symbol `imx_imports`, an array of pointers that the loader fills in the
/// table's order. E0612.
Result<std::vector<char>> linkShared(const std::vector<char> &object, const CpuTarget &target,
                                     const std::vector<std::string> &exported,
                                     ImportTable &imports);

/// Machine code of one target.
struct CodeVariant {
  CpuTarget target;
  std::vector<char> elf;
};

/// All of the above for each target; `kernels` (linalg level) stays as it is. The import table is
/// shared.
Result<std::vector<CodeVariant>> emitVariants(mlir::ModuleOp kernels,
                                              const std::vector<CpuTarget> &targets,
                                              const std::vector<std::string> &exported,
                                              ImportTable &imports);

/// The dialects that kernels are made of and lower through, and their translations.
void registerKernelDialects(mlir::DialectRegistry &registry);

} // namespace imbrex::codegen
