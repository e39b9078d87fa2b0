// FuseOps: forms relay.fused groups, by the rules of FusionGroups.h.
//
//   %c = relay.apply "conv"(%x, %w)            %r = relay.fused (%a = %x, %b = %w, %d = %y) {
//   %s = relay.apply "add"(%c, %y)      →        conv, add, relu
//   %r = relay.apply "relu"(%s)                  yield relu }
//
// Every operator ends up in a group, if only of one, but for those that no kernel computes: host
// operators, operators on sizes, and operators that open sizes of their own; these stay bare. Small
// constants are cloned into the groups that use them; larger ones are operands.
#include "compiler/passes/graph/FusionGroups.h"
#include "compiler/passes/graph/Passes.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace imbrex::relay {
#define GEN_PASS_DEF_FUSEOPS
#include "compiler/passes/graph/Passes.h.inc"

namespace {

/// Up to here a constant is part of the kernel's code; integers (shapes, axes, bounds) up to the
/// second.
constexpr int64_t kMaxInlineElems = 8;
constexpr int64_t kMaxInlineInts = 64;

bool isInlined(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  if (!constant)
    return false;
  int64_t elems = constant.getValue().getNumElements();
  bool isInt = isInteger(tensorType(value).getDType());
  return elems <= (isInt ? kMaxInlineInts : kMaxInlineElems);
}

class FuseOpsPass : public impl::FuseOpsBase<FuseOpsPass> {
  void runOnOperation() override {
    DimFacts facts = factsAt(getOperation());
    SmallVector<Block *> blocks;
    getOperation()->walk([&](Operation *op) {
      if (!isa<FusedOp>(op))
        for (Region &region : op->getRegions())
          for (Block &block : region)
            blocks.push_back(&block);
    });
    for (Block *block : blocks)
      fuseBlock(*block, facts);
  }

  void fuseBlock(Block &block, const DimFacts &facts) {
    FusionGroups fusion(block, facts);
    for (const FusionGroup &group : fusion.groups()) {
      SmallVector<ApplyOp> members;
      for (unsigned member : group.members)
        members.push_back(fusion.op(member));
      build(members);
    }
  }

  /// Values from outside: operands of the group, and constants to be cloned.
  static void collectInputs(ArrayRef<ApplyOp> members, llvm::SetVector<Value> &inputs,
                            llvm::SetVector<Value> &constants) {
    llvm::SmallPtrSet<Operation *, 8> inside(members.begin(), members.end());
    for (ApplyOp member : members)
      for (Value operand : member.getInputs()) {
        Operation *producer = operand.getDefiningOp();
        if (!producer || !inside.contains(producer))
          (isInlined(operand) ? constants : inputs).insert(operand);
      }
  }

  /// Moves `members` (in order, the last is the sink) into a new relay.fused at the sink's place.
  static void build(ArrayRef<ApplyOp> members) {
    llvm::SetVector<Value> inputs, constants;
    collectInputs(members, inputs, constants);
    ApplyOp sink = members.back();
    OpBuilder builder(sink);
    SmallVector<mlir::Location> places;
    for (ApplyOp member : members)
      places.push_back(member.getLoc());
    auto fused = FusedOp::create(builder, builder.getFusedLoc(places), sink.getResultTypes(),
                                 inputs.getArrayRef());
    Block *body = &fused.getBody().emplaceBlock();
    sink->replaceAllUsesWith(fused);
    builder.setInsertionPointToStart(body);
    mlir::IRMapping inside;
    for (Value constant : constants)
      inside.map(constant, builder.clone(*constant.getDefiningOp())->getResult(0));
    for (Value input : inputs)
      inside.map(input, body->addArgument(input.getType(), input.getLoc()));
    // By the members' operands: an input may have users all over the model.
    for (ApplyOp member : members) {
      for (OpOperand &operand : member->getOpOperands())
        operand.set(inside.lookupOrDefault(operand.get()));
      member->moveBefore(body, body->end());
    }
    builder.setInsertionPointToEnd(body);
    YieldOp::create(builder, sink.getLoc(), sink->getResults());
  }
};

} // namespace

std::unique_ptr<Pass> createFuseOpsPass() { return std::make_unique<FuseOpsPass>(); }

} // namespace imbrex::relay
