#include "compiler/codegen/bytecode/EmitBytecode.h"

#include "compiler/codegen/bytecode/EmitFunction.h"

namespace imbrex::codegen {

using namespace mlir;

/// The bytes of a constant as the artifact stores them: one byte a Bool.
static Status addConstant(relay::ConstantOp op, ArtifactTables &tables,
                          artifact::ArtifactSpec &spec, std::vector<HostTensor> &keep) {
  if (tables.constants.contains(op.getValueAttr()))
    return {};
  auto value = relay::toHostTensor(op.getValueAttr());
  if (!value)
    return value.takeError();
  keep.push_back(value.take());
  const HostTensor &t = keep.back();
  tables.constants[op.getValueAttr()] = static_cast<uint32_t>(spec.constants.size());
  artifact::ConstantSpec c;
  if (auto name = dyn_cast<NameLoc>(op.getLoc()))
    c.name = name.getName().str();
  c.dtype = t.type();
  c.shape = t.shape();
  c.bytes = t.bytes();
  spec.constants.push_back(std::move(c));
  return {};
}

static artifact::KernelSpec kernelSpec(vm::KernelOp op) {
  artifact::KernelSpec k;
  k.name = k.entry = op.getSymName().str();
  k.operands = static_cast<uint16_t>(op.getOperands());
  k.results = static_cast<uint16_t>(op.getResults());
  k.dims = static_cast<uint16_t>(op.getDims().size());
  for (auto s : op.getChecks().getAsValueRange<StringAttr>())
    k.checks.push_back(s.str());
  for (auto s : op.getSources().getAsValueRange<StringAttr>())
    k.sources.push_back(s.str());
  k.flops = op.getFlops();
  return k;
}

Result<BytecodeModule> emitBytecode(ModuleOp module, ModuleOp kernels, StringRef entry) {
  BytecodeModule out;
  ArtifactTables tables;
  for (vm::KernelOp op : module.getOps<vm::KernelOp>()) {
    tables.kernels[op.getSymName()] = static_cast<uint32_t>(out.spec.kernels.size());
    out.spec.kernels.push_back(kernelSpec(op));
  }
  for (relay::FuncOp func : module.getOps<relay::FuncOp>()) {
    auto index = static_cast<uint32_t>(tables.functions.size());
    tables.functions[func.getSymName()] = index;
    if (func.getSymName() == entry)
      out.spec.entry = index;
  }
  Status status;
  module.walk([&](relay::ConstantOp op) {
    if (status)
      status = addConstant(op, tables, out.spec, out.constants);
  });
  if (!status)
    return status.takeError();
  for (relay::FuncOp func : module.getOps<relay::FuncOp>()) {
    auto f = FunctionEmitter(func, kernels, tables, out.spec).emit();
    if (!f)
      return f.takeError();
    out.spec.functions.push_back(f.take());
  }
  return out;
}

} // namespace imbrex::codegen
