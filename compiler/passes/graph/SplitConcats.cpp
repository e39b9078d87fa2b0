// SplitConcats: makes a tree of a concatenation of many operands.
//
// clang-format off
//   %y = concat(%a0, %a1, … %a99)   →   %b0 = concat(%a0, … %a15)   …   %b6 = concat(%a96, … %a99)
//                                       %y = concat(%b0, … %b6)
// clang-format on
//
// A kernel chooses an element's operand by comparing its place with each border in turn, so one
// kernel for all of them costs the square of their number, in compiling as in running. Each level
// of the tree copies once more; levels of equal parts are kernels that differ in numbers only. Runs
// after simplification, which sees the operands together, and before fusion.
#include "compiler/passes/graph/Passes.h"

using namespace mlir;

namespace imbrex::relay {
#define GEN_PASS_DEF_SPLITCONCATS
#include "compiler/passes/graph/Passes.h.inc"

namespace {

constexpr size_t kMaxOperands = 16;

class SplitConcatsPass : public impl::SplitConcatsBase<SplitConcatsPass> {
  void runOnOperation() override {
    SmallVector<ApplyOp> large;
    getOperation()->walk([&](ApplyOp op) {
      if (op.getOperatorName() == "concat" && op.getInputs().size() > kMaxOperands)
        large.push_back(op);
    });
    if (large.empty())
      return;
    const DimFacts facts = factsAt(getOperation());
    for (ApplyOp op : large)
      if (failed(split(op, facts)))
        return signalPassFailure();
  }

  static LogicalResult split(ApplyOp op, const DimFacts &facts) {
    OpBuilder b(op);
    SmallVector<Value> parts(op.getInputs());
    while (parts.size() > 1) {
      SmallVector<Value> joined;
      for (ArrayRef<Value> rest = parts; !rest.empty();
           rest = rest.drop_front(std::min(rest.size(), kMaxOperands))) {
        ArrayRef<Value> some = rest.take_front(kMaxOperands);
        if (some.size() == 1) {
          joined.push_back(some[0]);
          continue;
        }
        auto made = buildApply(b, op.getLoc(), "concat", some, attrsOf(op), facts);
        if (!made)
          return op.emitError() << made.error().str();
        joined.push_back((*made)->getResult(0));
      }
      parts = joined;
    }
    if (parts[0].getType() != op.getResult(0).getType())
      return op.emitError() << "the parts have another type than the whole";
    op->replaceAllUsesWith(ValueRange{parts[0]});
    op.erase();
    return success();
  }
};

} // namespace

std::unique_ptr<Pass> createSplitConcatsPass() { return std::make_unique<SplitConcatsPass>(); }

} // namespace imbrex::relay
