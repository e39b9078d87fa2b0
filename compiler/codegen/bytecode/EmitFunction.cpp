#include "compiler/codegen/bytecode/EmitFunction.h"

#include "compiler/passes/memory/PlanMemory.h"

namespace imbrex::codegen {

using namespace mlir;
using artifact::SizeSpec;

/// A size that was printed into an attribute by DimExpr::str().
static DimExpr parsed(StringRef text) {
  auto e = DimExpr::parse(text.str());
  assert(e && "an attribute holds a size that does not parse");
  return *e;
}

uint32_t FunctionEmitter::reg(Value v) {
  auto [it, inserted] = registers.try_emplace(v, next);
  if (inserted)
    ++next;
  return it->second;
}

void FunctionEmitter::needType(Type type) {
  if (auto t = dyn_cast<relay::TensorType>(type))
    for (const DimExpr &d : t.getDims())
      sizes.need(d);
}

std::vector<SizeSpec> FunctionEmitter::sizesOf(relay::TensorType type) {
  std::vector<SizeSpec> out;
  for (const DimExpr &d : type.getDims())
    out.push_back(sizes.of(d));
  return out;
}

artifact::TypeSpec FunctionEmitter::typeSpec(relay::TensorType type) {
  artifact::TypeSpec out;
  out.dtype = type.getDType();
  for (const DimExpr &d : type.getDims())
    out.dims.push_back({sizes.of(d), d.constant() ? "" : d.str()});
  return out;
}

/// Every size that the function's code or ports mention, in the order in which symbols become
/// known.
void FunctionEmitter::collectSizes() {
  std::vector<std::string> own;
  for (relay::SymbolAttr s : func.symbolList())
    own.push_back(s.getName().str());
  sizes.openStage(own);
  for (Type t : func.getArgumentTypes())
    needType(t);
  auto open = [&](ArrayRef<StringRef> symbols) {
    if (symbols.empty())
      return;
    std::vector<std::string> names;
    for (StringRef s : symbols)
      names.push_back(s.str());
    sizes.openStage(names);
  };
  std::function<void(Region &)> visit = [&](Region &region) {
    for (Operation &op : region.front()) {
      open(relay::symbolsBoundInside(&op));
      for (Region &inner : op.getRegions())
        visit(inner);
      open(relay::symbolsBoundBy(&op));
      for (Type t : op.getResultTypes())
        needType(t);
      if (auto launch = dyn_cast<vm::LaunchOp>(op)) {
        auto kernel =
            SymbolTable::lookupNearestSymbolFrom<vm::KernelOp>(launch, launch.getKernelAttr());
        sizes.need(parsed(kernel.getGrid()));
      }
      if (auto buffer = dyn_cast<vm::BufferOp>(op); buffer && buffer.getOffset())
        sizes.need(parsed(*buffer.getOffset()));
    }
  };
  visit(func.getBody());
  if (auto arena = func->getAttrOfType<StringAttr>(memory::kArena))
    sizes.need(parsed(arena.getValue()));
  for (Type t : func.getResultTypes())
    needType(t);
  sizes.finish();
}

void FunctionEmitter::runStage(StringRef symbol) {
  int32_t f = stageFunctions[sizes.stageOf(symbol)];
  if (f >= 0)
    code.sizes(static_cast<uint32_t>(f));
}

/// Sets symbols that are whole dimensions of `patterns` from the shapes of `values`.
void FunctionEmitter::openFromTypes(ArrayRef<StringRef> symbols, ValueRange values,
                                    TypeRange patterns) {
  if (symbols.empty())
    return;
  for (StringRef symbol : symbols)
    for (auto [value, type] : llvm::zip(values, patterns)) {
      auto dims = cast<relay::TensorType>(type).getDims();
      auto axis = llvm::find_if(dims, [&](const DimExpr &d) {
        return d.asSymbol() && StringRef(*d.asSymbol()) == symbol;
      });
      if (axis == dims.end())
        continue;
      uint32_t t = fresh();
      code.shapeOf(t, reg(value), static_cast<uint32_t>(axis - dims.begin()));
      code.setSlot(sizes.slotOfSymbol(symbol), t);
      break;
    }
  runStage(symbols.front());
}

Status FunctionEmitter::emitLaunch(vm::LaunchOp op) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<vm::KernelOp>(op, op.getKernelAttr());
  std::vector<uint32_t> in, out;
  for (Value v : op.getInputs())
    in.push_back(reg(v));
  for (Value v : op.getOutputs())
    out.push_back(reg(v));
  std::vector<SizeSpec> dims;
  for (auto name : kernel.getDims().getAsValueRange<StringAttr>())
    dims.push_back(SizeSpec::inSlot(static_cast<int32_t>(sizes.slotOfSymbol(name))));
  code.launch(tables.kernels.lookup(op.getKernel()), sizes.of(parsed(kernel.getGrid())),
              SizeSpec::literal(0), in, out, dims);
  return {};
}

Status FunctionEmitter::emitIf(relay::IfOp op) {
  auto otherwise = code.newLabel(), end = code.newLabel();
  for (Value r : op.getResults())
    reg(r);
  code.branchIfZero(reg(op.getCondition()), otherwise);
  auto arm = [&](Region &region, relay::YieldOp yield) -> Status {
    if (auto s = emitRegion(region); !s)
      return s;
    for (auto [to, from] : llvm::zip(op.getResults(), yield.getOperands()))
      code.move(reg(to), reg(from));
    return {};
  };
  if (auto s = arm(op.getThenRegion(), op.thenYield()); !s)
    return s;
  code.jump(end);
  code.place(otherwise);
  if (auto s = arm(op.getElseRegion(), op.elseYield()); !s)
    return s;
  code.place(end);
  openFromTypes(relay::symbolsBoundBy(op), op.getResults(), op.getResultTypes());
  return {};
}

Status FunctionEmitter::emitLoop(relay::LoopOp op) {
  auto again = code.newLabel(), end = code.newLabel();
  const unsigned n = op.getInits().size();
  std::vector<uint32_t> carried;
  for (unsigned i = 0; i < n; ++i) {
    carried.push_back(fresh());
    code.move(carried[i], reg(op.getInits()[i]));
    for (Region *r : {&op.getCondRegion(), &op.getBodyRegion()})
      registers[r->getArgument(i)] = carried[i];
    registers[op.getResult(i)] = carried[i];
  }
  code.place(again);
  openFromTypes(relay::symbolsBoundInside(op), op.getCondRegion().getArguments(),
                op.getCondRegion().getArgumentTypes());
  if (auto s = emitRegion(op.getCondRegion()); !s)
    return s;
  code.branchIfZero(reg(op.condYield().getOperand(0)), end);
  if (auto s = emitRegion(op.getBodyRegion()); !s)
    return s;
  // Through temporaries: a carried value may be the old value of another.
  std::vector<uint32_t> temporaries;
  for (unsigned i = 0; i < n; ++i) {
    temporaries.push_back(fresh());
    code.move(temporaries[i], reg(op.bodyYield().getOperand(i)));
  }
  for (unsigned i = 0; i < n; ++i)
    code.move(carried[i], temporaries[i]);
  code.jump(again);
  code.place(end);
  openFromTypes(relay::symbolsBoundBy(op), op.getResults(), op.getResultTypes());
  return {};
}

Status FunctionEmitter::emitOp(Operation *op) {
  if (auto c = dyn_cast<relay::ConstantOp>(op)) {
    code.constant(reg(c.getResult()), tables.constants.lookup(c.getValueAttr()));
  } else if (auto buffer = dyn_cast<vm::BufferOp>(op)) {
    auto type = relay::tensorType(buffer.getResult());
    if (buffer.getOffset())
      code.planned(reg(buffer.getResult()), sizes.of(parsed(*buffer.getOffset())), type.getDType(),
                   sizesOf(type));
    else
      code.allocate(reg(buffer.getResult()), type.getDType(), sizesOf(type));
  } else if (auto alias = dyn_cast<vm::AliasOp>(op)) {
    code.reshape(reg(alias.getResult()), reg(alias.getSource()),
                 sizesOf(relay::tensorType(alias.getResult())));
  } else if (auto launch = dyn_cast<vm::LaunchOp>(op)) {
    return emitLaunch(launch);
  } else if (auto branch = dyn_cast<relay::IfOp>(op)) {
    return emitIf(branch);
  } else if (auto loop = dyn_cast<relay::LoopOp>(op)) {
    return emitLoop(loop);
  } else if (auto open = dyn_cast<relay::OpenOp>(op)) {
    uint32_t t = fresh();
    auto at = open.getAt();
    code.readElement(t, reg(open.getTensor()), at.empty() ? 0 : static_cast<uint32_t>(at[0]));
    code.setSlot(sizes.slotOfSymbol(open.getSymbol()), t);
    runStage(open.getSymbol());
  } else if (auto call = dyn_cast<relay::CallOp>(op)) {
    std::vector<uint32_t> in, out;
    for (Value v : call.getInputs())
      in.push_back(reg(v));
    for (Value v : call.getResults())
      out.push_back(reg(v));
    code.call(tables.functions.lookup(call.getCallee()), in, out);
    openFromTypes(relay::symbolsBoundBy(call), call.getResults(), call.getResultTypes());
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
  for (Operation &op : region.front())
    if (auto s = emitOp(&op); !s)
      return s;
  return {};
}

Result<artifact::FunctionSpec> FunctionEmitter::emit() {
  collectSizes();
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
    reg(arg);
    out.inputs.push_back({func.argName(i).str(), typeSpec(relay::tensorType(arg))});
  }
  for (auto [i, t] : llvm::enumerate(func.getResultTypes()))
    out.outputs.push_back({func.resultName(i).str(), typeSpec(cast<relay::TensorType>(t))});
  for (relay::SymbolAttr s : func.symbolList()) {
    artifact::SymbolSpec symbol;
    symbol.name = s.getName().str();
    symbol.lo = s.getLo();
    symbol.hi = s.getHi();
    symbol.divisor = s.getDivisor();
    bool bound = false;
    for (auto [i, t] : llvm::enumerate(func.getArgumentTypes()))
      for (auto [axis, d] : llvm::enumerate(cast<relay::TensorType>(t).getDims()))
        if (!bound && d.asSymbol() && StringRef(*d.asSymbol()) == s.getName()) {
          symbol.input = static_cast<uint32_t>(i);
          symbol.axis = static_cast<uint32_t>(axis);
          bound = true;
        }
    if (!bound)
      return unsupported(602, "the symbol " + symbol.name + " is no whole dimension of an input",
                         "its value would have to be solved for");
    out.symbols.push_back(std::move(symbol));
  }
  if (auto s = emitRegion(func.getBody()); !s)
    return s.takeError();
  auto arena = func->getAttrOfType<StringAttr>(memory::kArena);
  out.arena = sizes.of(arena ? parsed(arena.getValue()) : DimExpr(0));
  out.code = code.take();
  out.registers = next;
  out.sizeSlots = sizes.slotCount();
  if (next > bytecode::maxRegisters || sizes.slotCount() > bytecode::maxSlots)
    return unsupported(603, "the function " + out.name +
                                " needs more registers or sizes than an artifact holds");
  return out;
}

} // namespace imbrex::codegen
