// From functions over the vm dialect to the artifact's functions, kernels and constants.
#pragma once

#include "compiler/ir/vm/Vm.h"
#include "runtime/module/format/ArtifactSpec.h"

#include "mlir/IR/BuiltinOps.h"

namespace imbrex::codegen {

/// The artifact's tables but for code variants, and the tensors that its constants borrow from.
struct BytecodeModule {
  artifact::ArtifactSpec spec;
  std::vector<HostTensor> constants;
};

/// Sizes functions and the kernels' plans are appended to `kernels`. `module` must outlive the
/// result's constants. E0602 for an operation that has no bytecode, E0603 when a count leaves the
/// format's limits.
Result<BytecodeModule> emitBytecode(mlir::ModuleOp module, mlir::ModuleOp kernels,
                                    llvm::StringRef entry);

} // namespace imbrex::codegen
