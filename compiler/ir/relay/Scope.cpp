// Binding and visibility of dimension symbols.
//
// Binders: a function's `symbols` and a loop's `entry` (seen inside), relay.open and the `opens` of
// apply, if, loop and call (seen by what they dominate). A name is bound once in a function, so
// nothing shadows and code may move between regions without renaming.
#include "compiler/ir/relay/Scope.h"

#include "compiler/ir/relay/Syntax.h"
#include "compiler/ir/relay/Traits.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace imbrex::relay {

SmallVector<StringRef> symbolsBoundBy(Operation *op) {
  if (auto open = dyn_cast<OpenOp>(op))
    return {open.getSymbol()};
  if (isa<ApplyOp, IfOp, LoopOp, CallOp>(op) || op->hasTrait<BindsSymbols>())
    if (auto names = op->getAttrOfType<ArrayAttr>("opens"))
      return namesOf(names);
  return {};
}

SmallVector<StringRef> symbolsBoundInside(Operation *op) {
  if (auto func = dyn_cast<FuncOp>(op))
    return llvm::map_to_vector(func.symbolList(), [](SymbolAttr s) { return s.getName(); });
  if (auto loop = dyn_cast<LoopOp>(op))
    return namesOf(loop.getEntry());
  return {};
}

static bool isWholeDimension(StringRef name, TypeRange types) {
  return llvm::any_of(types, [&](Type type) {
    return llvm::any_of(cast<TensorType>(type).getSizes(), [&](Attribute size) {
      auto text = dyn_cast<StringAttr>(size);
      return text && text.getValue() == name;
    });
  });
}

LogicalResult verifySymbolsDetermined(FuncOp func) {
  Result<DimFacts> facts = func.dimFacts();
  for (SymbolAttr symbol : func.symbolList()) {
    StringRef name = symbol.getName();
    if (isWholeDimension(name, func.getArgumentTypes()))
      continue;
    DimExpr self = DimExpr::symbol(std::string_view(name.data(), name.size()));
    if (facts->simplify(self) == self)
      return func.emitOpError()
             << "binds '" << name
             << "', but no argument has it as a whole dimension and no equality gives "
                "its value";
  }
  return success();
}

namespace {
/// Walks a function in order with the set of symbols in scope.
class ScopeChecker {
public:
  LogicalResult function(FuncOp func) { return regions(func, symbolsBoundInside(func)); }

private:
  llvm::StringSet<> visible;
  llvm::StringMap<Operation *> binders; // of all symbols met so far, in scope or not

  LogicalResult bind(Operation *op, StringRef name) {
    auto [known, inserted] = binders.try_emplace(name, op);
    if (!inserted) {
      InFlightDiagnostic diag = op->emitError()
                                << "the symbol '" << name << "' is bound twice in one function";
      diag.attachNote(known->second->getLoc()) << "first bound here";
      return diag;
    }
    visible.insert(name);
    return success();
  }

  LogicalResult type(Operation *op, Type type) {
    auto tensor = dyn_cast<TensorType>(type);
    if (!tensor)
      return op->emitError() << "values of the relay dialect are relay tensors, not " << type;
    if (tensor.isStatic())
      return success();
    for (const std::string &name : tensor.symbols())
      if (!visible.contains(name))
        return op->emitError() << tensor << " mentions '" << name << "', "
                               << (binders.contains(name)
                                       ? "whose binder does not dominate this place"
                                       : "which nothing binds before this place");
    return success();
  }

  LogicalResult regions(Operation *op, ArrayRef<StringRef> inside) {
    for (StringRef name : inside)
      if (failed(bind(op, name)))
        return failure();
    for (Region &region : op->getRegions())
      for (Block &body : region)
        if (failed(block(op, body)))
          return failure();
    for (StringRef name : inside)
      visible.erase(name);
    return success();
  }

  LogicalResult block(Operation *parent, Block &body) {
    SmallVector<StringRef> bound;
    for (Type argument : body.getArgumentTypes())
      if (failed(type(parent, argument)))
        return failure();
    for (Operation &op : body) {
      if (failed(regions(&op, symbolsBoundInside(&op))))
        return failure();
      for (StringRef name : symbolsBoundBy(&op)) {
        if (failed(bind(&op, name)))
          return failure();
        bound.push_back(name);
      }
      for (Type result : op.getResultTypes())
        if (failed(type(&op, result)))
          return failure();
    }
    for (StringRef name : bound)
      visible.erase(name);
    return success();
  }
};
} // namespace

LogicalResult verifyScopes(FuncOp func) { return ScopeChecker().function(func); }

Value outerValue(Value value) {
  while (auto argument = dyn_cast<BlockArgument>(value)) {
    auto fused = dyn_cast_or_null<FusedOp>(argument.getOwner()->getParentOp());
    if (!fused || argument.getArgNumber() >= fused.getInputs().size())
      break;
    value = fused.getInputs()[argument.getArgNumber()];
  }
  return value;
}

OpenOp findOpen(Value tensor, ArrayRef<int64_t> at, Block *block) {
  OpenOp best;
  for (Operation *user : tensor.getUsers()) {
    auto open = dyn_cast<OpenOp>(user);
    if (!open || open.getAt() != at)
      continue;
    // Is the open's block around `block`, and inside of the best so far?
    Region *region = open->getParentRegion();
    if (!region->isAncestor(block->getParent()))
      continue;
    if (!best || best->getParentRegion()->isProperAncestor(region))
      best = open;
  }
  return best;
}

} // namespace imbrex::relay
