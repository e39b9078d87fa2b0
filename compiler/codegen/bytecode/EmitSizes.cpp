// Which sizes a function needs, and where they become known.
#include "compiler/codegen/bytecode/EmitFunction.h"

#include "compiler/passes/memory/PlanMemory.h"

namespace imbrex::codegen {

using namespace mlir;

void FunctionEmitter::need(const DimExpr &size, unsigned depth) {
  if (!sizes.need(size, depth))
    missing("the size " + size.str() + " of an unknown symbol");
}

void FunctionEmitter::needType(Type type, unsigned depth) {
  if (auto t = dyn_cast<relay::TensorType>(type))
    for (const DimExpr &d : t.getDims())
      need(d, depth);
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

/// Where each symbol gets its value from: the first input that has it as a whole dimension.
Status FunctionEmitter::emitSymbols(artifact::FunctionSpec &out) {
  for (relay::SymbolAttr s : func.symbolList()) {
    artifact::SymbolSpec symbol;
    symbol.name = shown(DimExpr::symbol(s.getName().str()));
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

} // namespace imbrex::codegen
