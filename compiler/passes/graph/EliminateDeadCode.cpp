// EliminateDeadCode: removes what no result depends on, and symbols that no type mentions.
//
//   relay.open %s[0] as "k" : …                         // no type mentions k
//   %a = relay.apply "exp"(%x) : …                      // unused           →   nothing
//   %b = relay.apply "reshape"(%a, %s) opens(j) : …     // unused, and so is j
//
// Upstream passes keep an operation that binds a symbol, since they cannot see who mentions it.
// Kept: random and collective operators, and calls.
#include "compiler/passes/graph/Passes.h"

#include "mlir/IR/Iterators.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace imbrex::relay {
#define GEN_PASS_DEF_ELIMINATEDEADCODE
#include "compiler/passes/graph/Passes.h.inc"

namespace {

/// Has `op` or anything in it an effect besides binding symbols?
bool hasEffect(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        if (isa<CallOp>(inner))
          return WalkResult::interrupt();
        auto apply = dyn_cast<ApplyOp>(inner);
        return apply && apply.op().effect != opmeaning::Effect::Pure ? WalkResult::interrupt()
                                                                     : WalkResult::advance();
      })
      .wasInterrupted();
}

/// How often types mention each symbol.
void collectMentioned(FuncOp func, llvm::StringMap<unsigned> &mentions) {
  auto add = [&](Type type) {
    if (auto tensor = dyn_cast<TensorType>(type); tensor && !tensor.isStatic())
      for (const std::string &name : tensor.symbols())
        ++mentions[name];
  };
  func->walk([&](Operation *op) {
    llvm::for_each(op->getResultTypes(), add);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArgumentTypes(), add);
  });
  llvm::for_each(func.getResultTypes(), add);
}

/// Does an operator read as a size what `open` names, though no type mentions it? One that requires
/// two sizes to add up to a third may name one of them by the others.
bool isReadAsSize(OpenOp open) {
  return llvm::any_of(open.getTensor().getUsers(), [&](Operation *user) {
    auto apply = dyn_cast<ApplyOp>(user);
    if (!apply || !apply.op().meaning)
      return isa<FusedOp>(user); // what is in there may
    auto program = programOf(apply, factsAt(apply));
    if (!program)
      return false;
    auto operands = apply.operatorOperands();
    return llvm::any_of(program->opens, [&](const opmeaning::OpenDim &size) {
      return size.source.kind == opmeaning::Source::Kind::Operand &&
             operands[size.source.index] == open.getTensor() && ArrayRef(size.at) == open.getAt();
    });
  });
}

class EliminateDeadCodePass : public impl::EliminateDeadCodeBase<EliminateDeadCodePass> {
  void runOnOperation() override {
    while (removeOnce())
      ;
  }

  /// Is each symbol that `op` binds mentioned by `op`'s own results only?
  static bool symbolsUnused(Operation *op, const llvm::StringMap<unsigned> &mentions) {
    llvm::StringMap<unsigned> own;
    for (Type type : op->getResultTypes())
      for (const std::string &name : cast<TensorType>(type).symbols())
        ++own[name];
    return llvm::all_of(symbolsBoundBy(op),
                        [&](StringRef name) { return mentions.lookup(name) == own.lookup(name); });
  }

  bool removeOnce() {
    llvm::StringMap<unsigned> mentions;
    collectMentioned(getOperation(), mentions);
    bool changed = false;
    // Backwards, so that a chain goes in one round.
    getOperation()->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
      if (isa<FuncOp>(op) || op->hasTrait<OpTrait::IsTerminator>() || !op->use_empty() ||
          !symbolsUnused(op, mentions) || hasEffect(op))
        return;
      if (auto open = dyn_cast<OpenOp>(op); open && isReadAsSize(open))
        return;
      op->walk([&](Operation *inner) { forget(inner, mentions); });
      op->erase();
      changed = true;
    });
    return changed;
  }

  /// Takes back what `op` mentioned.
  static void forget(Operation *op, llvm::StringMap<unsigned> &mentions) {
    auto remove = [&](Type type) {
      for (const std::string &name : cast<TensorType>(type).symbols())
        --mentions[name];
    };
    llvm::for_each(op->getResultTypes(), remove);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArgumentTypes(), remove);
  }
};

} // namespace

std::unique_ptr<Pass> createEliminateDeadCodePass() {
  return std::make_unique<EliminateDeadCodePass>();
}

} // namespace imbrex::relay
