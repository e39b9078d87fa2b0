// Branches, loops, and when registers are dropped.
#include "compiler/codegen/bytecode/EmitFunction.h"

namespace imbrex::codegen {

using namespace mlir;

/// Something else than the arena, a constant or the caller's memory may hold the value.
static bool mayOwnStorage(Value v) {
  Operation *op = vm::storageOf(v).getDefiningOp();
  if (auto buffer = dyn_cast_or_null<vm::BufferOp>(op))
    return !buffer.getOffset();
  return op && isa<relay::CallOp, relay::IfOp, relay::LoopOp, vm::HostOp>(op);
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

} // namespace imbrex::codegen
