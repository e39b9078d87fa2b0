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

void FunctionEmitter::need(const DimExpr &size, unsigned depth) {
  if (!sizes.need(size, depth))
    missing("the size " + size.str() + " of an unknown symbol");
}

void FunctionEmitter::needType(Type type, unsigned depth) {
  if (auto t = dyn_cast<relay::TensorType>(type))
    for (const DimExpr &d : t.getDims())
      need(d, depth);
}

std::vector<SizeSpec> FunctionEmitter::sizesOf(relay::TensorType type) {
  std::vector<SizeSpec> out;
  for (const DimExpr &d : type.getDims())
    out.push_back(sizeOf(d));
  return out;
}

artifact::TypeSpec FunctionEmitter::typeSpec(relay::TensorType type) {
  artifact::TypeSpec out;
  out.dtype = type.getDType();
  for (const DimExpr &d : type.getDims())
    out.dims.push_back({sizeOf(d), d.constant() ? "" : d.str()});
  return out;
}

/// Every size that the function's code or ports mention, in the order in which symbols become
/// known.
void FunctionEmitter::collectSizes() {
  std::vector<std::string> own;
  for (relay::SymbolAttr s : func.symbolList())
    own.push_back(s.getName().str());
  sizes.openStage(own, 0);
  for (Type t : func.getArgumentTypes())
    needType(t, 0);
  auto open = [&](ArrayRef<StringRef> symbols, unsigned depth) {
    if (symbols.empty())
      return;
    std::vector<std::string> names;
    for (StringRef s : symbols)
      names.push_back(s.str());
    sizes.openStage(names, depth);
  };
  std::function<void(Region &, unsigned)> visit = [&](Region &region, unsigned depth) {
    for (Operation &op : region.front()) {
      open(relay::symbolsBoundInside(&op), depth);
      for (Region &inner : op.getRegions())
        visit(inner, depth + 1);
      open(relay::symbolsBoundBy(&op), depth);
      for (Type t : op.getResultTypes())
        needType(t, depth);
      if (auto buffer = dyn_cast<vm::BufferOp>(op); buffer && buffer.getOffset())
        need(parsed(*buffer.getOffset()), depth);
    }
  };
  visit(func.getBody(), 0);
  if (auto arena = func->getAttrOfType<StringAttr>(memory::kArena))
    need(parsed(arena.getValue()), 0);
  for (Type t : func.getResultTypes())
    needType(t, 0);
  sizes.finish();
}

vm::KernelOp FunctionEmitter::kernelOf(vm::LaunchOp op) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<vm::KernelOp>(op, op.getKernelAttr());
  if (!kernel)
    missing("the unknown kernel " + op.getKernel().str());
  return kernel;
}

/// Something else than the arena, a constant or the caller's memory may hold the value.
static bool mayOwnStorage(Value v) {
  Operation *op = vm::storageOf(v).getDefiningOp();
  if (auto buffer = dyn_cast_or_null<vm::BufferOp>(op))
    return !buffer.getOffset();
  return op && isa<relay::CallOp, relay::IfOp, relay::LoopOp>(op);
}

/// Values are counted references, so a register can be dropped after the last use of its own,
/// whoever else holds the bytes. What is returned leaves by itself.
void FunctionEmitter::planReleases() {
  func.walk([&](Operation *op) {
    for (Value v : op->getResults()) {
      if (!mayOwnStorage(v))
        continue;
      Operation *last = op;
      for (Operation *user : v.getUsers())
        if (Operation *here = op->getBlock()->findAncestorOpInBlock(*user);
            here && last->isBeforeInBlock(here))
          last = here;
      if (!isa<relay::ReturnOp>(last))
        dying[last].push_back(v);
    }
  });
}

void FunctionEmitter::releaseAfter(Operation *op) {
  for (Value v : dying.lookup(op))
    code.release(reg(v));
}

void FunctionEmitter::runStage(StringRef symbol) {
  auto stage = sizes.stageOf(symbol);
  if (!stage)
    return missing("the unknown symbol " + symbol.str());
  if (int32_t f = stageFunctions[*stage]; f >= 0)
    code.sizes(static_cast<uint32_t>(f));
}

/// Sets symbols that are whole dimensions of `patterns` from the shapes of `values`.
void FunctionEmitter::openFromTypes(ArrayRef<StringRef> symbols, ValueRange values,
                                    TypeRange patterns) {
  if (symbols.empty())
    return;
  for (StringRef symbol : symbols) {
    bool found = false;
    for (auto [value, type] : llvm::zip(values, patterns)) {
      auto dims = cast<relay::TensorType>(type).getDims();
      auto axis = llvm::find_if(dims, [&](const DimExpr &d) {
        return d.asSymbol() && StringRef(*d.asSymbol()) == symbol;
      });
      if (axis == dims.end())
        continue;
      uint32_t t = fresh();
      code.shapeOf(t, reg(value), static_cast<uint32_t>(axis - dims.begin()));
      code.setSlot(slotOf(symbol), t);
      found = true;
      break;
    }
    if (!found)
      missing("the symbol " + symbol.str() + ", which is no whole dimension of a value");
  }
  runStage(symbols.front());
}

Status FunctionEmitter::emitLaunch(vm::LaunchOp op) {
  auto kernel = kernelOf(op);
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
    dims.push_back(SizeSpec::inSlot(static_cast<int32_t>(slotOf(name))));
  code.launch(index->second, in, out, dims);
  return {};
}

Status FunctionEmitter::emitIf(relay::IfOp op) {
  auto otherwise = code.newLabel(), end = code.newLabel();
  for (Value r : op.getResults())
    define(r);
  code.branchIfZero(reg(op.getCondition()), otherwise);
  auto arm = [&](Region &region, relay::YieldOp yield) -> Status {
    if (auto s = emitRegion(region); !s)
      return s;
    for (auto [to, from] : llvm::zip(op.getResults(), yield.getOperands()))
      code.move(reg(to), reg(from));
    releaseAfter(yield);
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
  // An initial value that nothing else reads is not kept while the loop runs.
  llvm::erase_if(dying[op], [&](Value v) {
    bool goes = llvm::is_contained(op.getInits(), v) &&
                llvm::none_of(v.getUsers(), [&](Operation *u) { return op->isProperAncestor(u); });
    if (goes)
      code.release(reg(v));
    return goes;
  });
  code.place(again);
  openFromTypes(relay::symbolsBoundInside(op), op.getCondRegion().getArguments(),
                op.getCondRegion().getArgumentTypes());
  if (auto s = emitRegion(op.getCondRegion()); !s)
    return s;
  code.branchIfZero(reg(op.condYield().getOperand(0)), end);
  releaseAfter(op.condYield());
  if (auto s = emitRegion(op.getBodyRegion()); !s)
    return s;
  // Through temporaries: a carried value may be the old value of another.
  std::vector<uint32_t> temporaries;
  for (unsigned i = 0; i < n; ++i) {
    temporaries.push_back(fresh());
    code.move(temporaries[i], reg(op.bodyYield().getOperand(i)));
  }
  releaseAfter(op.bodyYield());
  for (unsigned i = 0; i < n; ++i) {
    code.move(carried[i], temporaries[i]);
    code.release(temporaries[i]);
  }
  code.jump(again);
  code.place(end);
  releaseAfter(op.condYield());
  openFromTypes(relay::symbolsBoundBy(op), op.getResults(), op.getResultTypes());
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

/// Where each symbol gets its value from: the first input that has it as a whole dimension.
Status FunctionEmitter::emitSymbols(artifact::FunctionSpec &out) {
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
  if (next > bytecode::maxRegisters || sizes.slotCount() > bytecode::maxSlots)
    return unsupported(603, "the function " + out.name +
                                " needs more registers or sizes than an artifact holds");
  return out;
}

} // namespace imbrex::codegen
