#include "compiler/codegen/bytecode/EmitFunction.h"

#include "compiler/passes/memory/PlanMemory.h"

namespace imbrex::codegen {

using namespace mlir;
using artifact::SizeSpec;

void FunctionEmitter::missing(const std::string &what) {
  if (problem)
    problem = internalError(602, "the function " + func.getSymName().str() + " refers to " + what);
}

/// A size that was printed into an attribute by DimExpr::str().
DimExpr FunctionEmitter::parsed(StringRef text) {
  if (auto e = DimExpr::parse(text.str()))
    return *e;
  missing("a size that is none: " + text.str());
  return 0;
}

uint32_t FunctionEmitter::define(Value v) {
  auto [it, inserted] = registers.try_emplace(v, next);
  if (inserted)
    ++next;
  return it->second;
}

uint32_t FunctionEmitter::reg(Value v) {
  if (auto it = registers.find(v); it != registers.end())
    return it->second;
  missing("a value before it is made");
  return 0;
}

uint32_t FunctionEmitter::slotOf(StringRef symbol) {
  auto slot = sizes.slotOfSymbol(symbol);
  if (!slot)
    missing("the unknown symbol " + symbol.str());
  return slot.value_or(0);
}

SizeSpec FunctionEmitter::sizeOf(const DimExpr &size) {
  auto known = sizes.of(size);
  if (known && (!known->isLiteral() || known->value >= 0))
    return *known;
  missing("the impossible or unknown size " + size.str());
  return SizeSpec::literal(0);
}

std::vector<SizeSpec> FunctionEmitter::sizesOf(relay::TensorType type) {
  std::vector<SizeSpec> out;
  for (const DimExpr &d : type.getDims())
    out.push_back(sizeOf(d));
  return out;
}

/// A size as messages show it: in the model's names.
std::string FunctionEmitter::shown(const DimExpr &size) const {
  auto names = func->getAttrOfType<DictionaryAttr>(relay::kSymbolNames);
  if (!names)
    return size.str();
  return size
      .substitute([&](std::string_view symbol) -> std::optional<DimExpr> {
        auto name = names.getAs<StringAttr>(StringRef(symbol));
        return name ? std::optional(DimExpr::symbol(name.str())) : std::nullopt;
      })
      .str();
}

artifact::TypeSpec FunctionEmitter::typeSpec(relay::TensorType type) {
  artifact::TypeSpec out;
  out.dtype = type.getDType();
  for (const DimExpr &d : type.getDims())
    out.dims.push_back({sizeOf(d), d.constant() ? "" : shown(d)});
  return out;
}

Status FunctionEmitter::emitLaunch(vm::LaunchOp op) {
  vm::KernelOp kernel = tables.records.lookup(op.getKernel());
  auto index = tables.kernels.find(op.getKernel());
  if (!kernel || index == tables.kernels.end())
    return internalError(602, "a launch of the unknown kernel " + op.getKernel().str());
  std::vector<uint32_t> in, out;
  for (Value v : op.getInputs())
    in.push_back(reg(v));
  for (Value v : op.getOutputs())
    out.push_back(reg(v));
  std::vector<SizeSpec> dims;
  for (auto name : kernel.getDims().getAsValueRange<StringAttr>())
    if (int64_t number = 0; !name.getAsInteger(10, number)) // of a function that several share
      dims.push_back(SizeSpec::literal(number));
    else
      dims.push_back(SizeSpec::inSlot(static_cast<int32_t>(slotOf(name))));
  code.launch(index->second, in, out, dims);
  return {};
}

Status FunctionEmitter::emitOpen(relay::OpenOp op) {
  // The place in row-major order.
  auto type = relay::tensorType(op.getTensor());
  int64_t place = 0;
  for (auto [at, dim] : llvm::zip(op.getAt(), type.getDims())) {
    auto extent = dim.constant();
    if (!extent && type.getRank() > 1)
      return unsupported(602, "a size is an element of a tensor of open sizes",
                         "the place of " + op.getSymbol().str() + " is not known");
    place = place * extent.value_or(0) + at;
  }
  if (static_cast<int64_t>(op.getAt().size()) != static_cast<int64_t>(type.getRank()) ||
      place < 0 || place > UINT32_MAX)
    return internalError(602, "the place of the size " + op.getSymbol().str() + " is none");
  uint32_t t = fresh();
  code.readElement(t, reg(op.getTensor()), static_cast<uint32_t>(place));
  code.setSlot(slotOf(op.getSymbol()), t);
  runStage(op.getSymbol());
  return {};
}

Status FunctionEmitter::emitHost(vm::HostOp op) {
  auto index = tables.hostOps.find(op.getFunction());
  if (index == tables.hostOps.end())
    return internalError(602, "a host operation that the artifact does not name");
  std::vector<uint32_t> in, out;
  for (Value v : op.getInputs())
    in.push_back(reg(v));
  for (Value v : op.getResults())
    out.push_back(define(v));
  code.hostOp(index->second, in, out);
  openFromTypes(relay::symbolsBoundBy(op), op.getResults(), op.getResultTypes());
  return {};
}

Status FunctionEmitter::emitCall(relay::CallOp op) {
  auto callee = tables.functions.find(op.getCallee());
  if (callee == tables.functions.end())
    return internalError(602, "a call of the unknown function " + op.getCallee().str());
  std::vector<uint32_t> in, out;
  for (Value v : op.getInputs())
    in.push_back(reg(v));
  for (Value v : op.getResults())
    out.push_back(define(v));
  code.call(callee->second, in, out);
  openFromTypes(relay::symbolsBoundBy(op), op.getResults(), op.getResultTypes());
  return {};
}

Status FunctionEmitter::emitOp(Operation *op) {
  if (auto c = dyn_cast<relay::ConstantOp>(op)) {
    auto it = tables.constants.find(c.getValueAttr());
    if (it == tables.constants.end())
      return internalError(602, "a constant that the artifact does not hold");
    code.constant(define(c.getResult()), it->second);
  } else if (auto buffer = dyn_cast<vm::BufferOp>(op)) {
    auto type = relay::tensorType(buffer.getResult());
    uint32_t r = define(buffer.getResult());
    if (buffer.getOffset())
      code.planned(r, sizeOf(parsed(*buffer.getOffset())), type.getDType(), sizesOf(type));
    else
      code.allocate(r, type.getDType(), sizesOf(type));
  } else if (auto alias = dyn_cast<vm::AliasOp>(op)) {
    uint32_t source = reg(alias.getSource());
    code.reshape(define(alias.getResult()), source, sizesOf(relay::tensorType(alias.getResult())));
  } else if (auto launch = dyn_cast<vm::LaunchOp>(op)) {
    return emitLaunch(launch);
  } else if (auto host = dyn_cast<vm::HostOp>(op)) {
    return emitHost(host);
  } else if (auto branch = dyn_cast<relay::IfOp>(op)) {
    return emitIf(branch);
  } else if (auto loop = dyn_cast<relay::LoopOp>(op)) {
    return emitLoop(loop);
  } else if (auto open = dyn_cast<relay::OpenOp>(op)) {
    return emitOpen(open);
  } else if (auto call = dyn_cast<relay::CallOp>(op)) {
    return emitCall(call);
  } else if (auto ret = dyn_cast<relay::ReturnOp>(op)) {
    std::vector<uint32_t> values;
    for (Value v : ret.getOperands())
      values.push_back(reg(v));
    code.ret(values);
  } else if (!isa<relay::YieldOp>(op)) {
    return internalError(602, "no bytecode for " + op->getName().getStringRef().str());
  }
  return {};
}

Status FunctionEmitter::emitRegion(Region &region) {
  for (Operation &op : region.front()) {
    if (auto s = emitOp(&op); !s)
      return s;
    // What a region yields is moved by the operation around it first.
    if (!isa<relay::YieldOp>(op))
      releaseAfter(&op);
  }
  return {};
}

Result<artifact::FunctionSpec> FunctionEmitter::emit() {
  collectSizes();
  planReleases();
  artifact::FunctionSpec out;
  out.name = func.getSymName().str();
  for (size_t i = 0; i < sizes.stageCount(); ++i) {
    auto made = sizes.emit(i, "sizes_" + out.name + "_" + std::to_string(i), kernels);
    stageFunctions.push_back(made ? static_cast<int32_t>(spec.sizes.size()) : -1);
    if (made)
      spec.sizes.push_back(std::move(*made));
  }
  out.sizes = stageFunctions[0];
  for (auto [i, arg] : llvm::enumerate(func.entry().getArguments())) {
    define(arg);
    out.inputs.push_back({func.argName(i).str(), typeSpec(relay::tensorType(arg))});
  }
  for (auto [i, t] : llvm::enumerate(func.getResultTypes()))
    out.outputs.push_back({func.resultName(i).str(), typeSpec(cast<relay::TensorType>(t))});
  if (auto s = emitSymbols(out); !s)
    return s.takeError();
  if (auto s = emitRegion(func.getBody()); !s)
    return s.takeError();
  auto arena = func->getAttrOfType<StringAttr>(memory::kArena);
  out.arena = sizeOf(arena ? parsed(arena.getValue()) : DimExpr(0));
  if (!problem)
    return problem.takeError();
  out.code = code.take();
  out.registers = next;
  out.sizeSlots = sizes.slotCount();
  out.slotNames = sizes.slotTexts();
  if (auto equalities = func.getEqualities())
    for (auto pair : equalities->getAsRange<ArrayAttr>())
      out.facts.push_back(cast<StringAttr>(pair[0]).str() + " = " +
                          cast<StringAttr>(pair[1]).str());
  if (next > bytecode::maxRegisters || sizes.slotCount() > bytecode::maxSlots)
    return unsupported(603, "the function " + out.name +
                                " needs more registers or sizes than an artifact holds");
  return out;
}

} // namespace imbrex::codegen
