// FoldIf: replaces a relay.if with a constant condition by the chosen branch.
//
// clang-format off
//   %c = relay.constant dense<true> : tensor<i1>
//   %r = relay.if %c opens(k) -> ([k]) { A; yield %a : [n] } else { B; … }   →   A      // k is n in all types
// clang-format on
//
// Names are bound once in a function, so the branch moves out without renaming.
#include "compiler/passes/graph/Passes.h"

using namespace mlir;

namespace imbrex::relay {
#define GEN_PASS_DEF_FOLDIF
#include "compiler/passes/graph/Passes.h.inc"

namespace {

class FoldIfPass : public impl::FoldIfBase<FoldIfPass> {
  void runOnOperation() override {
    SmallVector<IfOp> ifs;
    getOperation()->walk<WalkOrder::PostOrder>([&](IfOp op) { ifs.push_back(op); });
    for (IfOp op : ifs)
      fold(op);
    setResultTypes(getOperation());
  }

  void fold(IfOp op) {
    ConstantOp constant = definingConstant(op.getCondition());
    if (!constant)
      return;
    Result<HostTensor> condition = toHostTensor(constant.getValue());
    if (!condition)
      return;
    Region &chosen = condition->toInt(0) != 0 ? op.getThenRegion() : op.getElseRegion();
    auto yield = cast<YieldOp>(chosen.front().getTerminator());
    Result<Substitution> sizes =
        matchTypes(op.getResultTypes(), yield.getOperandTypes(), symbolsBoundBy(op));
    if (!sizes)
      return;
    op.replaceAllUsesWith(ValueRange(yield.getOperands()));
    Block *block = op->getBlock();
    block->getOperations().splice(op->getIterator(), chosen.front().getOperations(),
                                  chosen.front().begin(), yield->getIterator());
    op.erase();
    if (!sizes->empty())
      substituteSymbols(getOperation(), *sizes);
  }
};

} // namespace

std::unique_ptr<Pass> createFoldIfPass() { return std::make_unique<FoldIfPass>(); }

} // namespace imbrex::relay
