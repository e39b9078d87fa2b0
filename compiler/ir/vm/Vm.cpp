#include "compiler/ir/vm/Vm.h"

#include "compiler/ir/vm/Dialect.cpp.inc"
#define GET_OP_CLASSES
#include "compiler/ir/vm/Ops.cpp.inc"

namespace imbrex::vm {

void VmDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "compiler/ir/vm/Ops.cpp.inc"
      >();
}

mlir::Value storageOf(mlir::Value value) {
  while (auto alias = value.getDefiningOp<AliasOp>())
    value = alias.getSource();
  return value;
}

mlir::LogicalResult LaunchOp::verify() {
  for (mlir::Value out : getOutputs())
    if (!storageOf(out).getDefiningOp<BufferOp>())
      return emitOpError("writes a value that is no vm.buffer");
  return mlir::success();
}

mlir::LogicalResult LaunchOp::verifySymbolUses(mlir::SymbolTableCollection &tables) {
  auto kernel = tables.lookupNearestSymbolFrom<KernelOp>(*this, getKernelAttr());
  if (!kernel)
    return emitOpError("names no vm.kernel: ") << getKernelAttr();
  if (static_cast<int64_t>(getInputs().size()) != static_cast<int64_t>(kernel.getOperands()) ||
      static_cast<int64_t>(getOutputs().size()) != static_cast<int64_t>(kernel.getResults()))
    return emitOpError("passes ") << getInputs().size() << " and " << getOutputs().size()
                                  << " tensors to a kernel of " << kernel.getOperands() << " and "
                                  << kernel.getResults();
  return mlir::success();
}

} // namespace imbrex::vm
