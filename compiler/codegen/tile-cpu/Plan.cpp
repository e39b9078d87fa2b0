#include "compiler/codegen/tile-cpu/Plan.h"

#include "mlir/Dialect/Math/IR/Math.h"

namespace imbrex::codegen {

using namespace mlir;
using namespace tile;

/// How much one use in a loop, or by a broadcast that repeats, counts.
static constexpr int64_t kRepeated = 16;
/// Operations that may be done again rather than kept in memory.
static constexpr int64_t kCheap = 3;

bool isElementwise(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  return (dialect == "arith" || dialect == "math") && op->getNumResults() == 1 &&
         op->getNumOperands() > 0 && isTile(op->getResult(0).getType());
}

bool isFunction(Operation *op) {
  return isElementwise(op) && op->getName().getDialectNamespace() == "math" &&
         !isa<math::FmaOp, math::AbsFOp, math::AbsIOp, math::CopySignOp>(op);
}

bool isViewRead(Operation *op) { return isa<LoadOp, WindowOp, GatherOp>(op); }

bool isSameMemory(Operation *op) {
  auto reshape = dyn_cast_or_null<ReshapeOp>(op);
  return reshape && reshape.getSource().getDefiningOp<ConcatOp>();
}

bool isTurn(Operation *op) {
  auto transpose = dyn_cast_or_null<TransposeOp>(op);
  if (!transpose || !transpose.getSource().getDefiningOp() ||
      !(isa<MmaOp, scf::ForOp>(transpose.getSource().getDefiningOp()) ||
        isSameMemory(transpose.getSource().getDefiningOp())))
    return false;
  RankedTensorType type = transpose.getResult().getType();
  return type.getRank() == 2 && transpose.getOrder()[0] == 1 && type.getElementType().isF32() &&
         type.getDimSize(0) >= 16 && type.getDimSize(1) >= 16;
}

static bool isMovement(Operation *op) {
  return isa<BroadcastOp, ReshapeOp, TransposeOp, SliceOp>(op);
}

/// What can be computed in place at all. A view that is written as well is read where the kernel
/// says.
static bool mayBeInline(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<SplatElementsAttr>(constant.getValue());
  if (isViewRead(op))
    return cast<ViewType>(op->getOperand(0).getType()).getAccess() == Access::read;
  return isElementwise(op) || (isMovement(op) && !isTurn(op) && !isSameMemory(op)) ||
         isa<IotaOp>(op);
}

Plan::Plan(KernelOp kernel) {
  SmallVector<Value> tiles;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value result : op->getResults())
      if (isTile(result.getType()))
        tiles.push_back(result);
  });
  // Users come behind what they use, so they are decided first.
  for (Value tile : llvm::reverse(tiles)) {
    Operation *op = tile.getDefiningOp();
    int64_t again = uses(tile) - 1;
    if (!mayBeInline(op) || (again > 0 && cost(tile) * again > kCheap))
      inMemory.insert(tile);
  }
}

bool Plan::isInline(Value tile) const { return tile.getDefiningOp() && !inMemory.contains(tile); }

void Plan::forEachInline(Value tile, function_ref<void(Operation *)> visit) const {
  Operation *op = tile.getDefiningOp();
  if (!op)
    return;
  visit(op);
  for (Value operand : op->getOperands())
    if (isTile(operand.getType()) && isInline(operand))
      forEachInline(operand, visit);
}

/// Loads are as cheap from the view as from scratch. Undecided operands count as inline.
int64_t Plan::cost(Value tile) const {
  Operation *op = tile.getDefiningOp();
  if (!op || inMemory.contains(tile) || isViewRead(op) || !mayBeInline(op))
    return 0;
  int64_t sum = !isElementwise(op)                                                      ? 0
                : isFunction(op)                                                        ? 8
                : isa<arith::DivFOp, arith::DivSIOp, arith::RemSIOp, arith::RemFOp>(op) ? 4
                                                                                        : 1;
  for (Value operand : op->getOperands())
    if (isTile(operand.getType()))
      sum = std::min<int64_t>(sum + cost(operand), 1 << 20);
  return sum;
}

static Operation *loopOf(Operation *op) {
  while (op && !isa<scf::ForOp, EachPieceOp, KernelOp>(op))
    op = op->getParentOp();
  return op;
}

int64_t Plan::uses(Value tile) const {
  int64_t count = 0;
  for (Operation *user : tile.getUsers()) {
    int64_t each = 1;
    bool passes = mayBeInline(user) && !inMemory.contains(user->getResult(0));
    if (passes)
      each = uses(user->getResult(0));
    auto type = cast<RankedTensorType>(tile.getType());
    if (auto broadcast = dyn_cast<BroadcastOp>(user))
      if (broadcast.getResult().getType().getNumElements() > type.getNumElements())
        each *= kRepeated;
    if (isa<GatherOp>(user))
      each *= kRepeated;
    if (loopOf(user->getParentOp()) != loopOf(tile.getDefiningOp()->getParentOp()))
      each *= kRepeated;
    count = std::min<int64_t>(count + each, 1 << 20);
  }
  return count;
}

bool Plan::flowsOnlyInto(Value value, OpOperand &use) const {
  while (value.hasOneUse()) {
    OpOperand &only = *value.use_begin();
    if (&only == &use)
      return true;
    Operation *user = only.getOwner();
    if (!isElementwise(user) || !isInline(user->getResult(0)) ||
        user->getBlock() != use.getOwner()->getBlock())
      return false;
    value = user->getResult(0);
  }
  return false;
}

/// A reshape that leaves the first axis alone: what lies beyond an edge there or in whole panels of
/// columns still does.
static bool keepsRows(Operation *op) {
  auto reshape = dyn_cast<ReshapeOp>(op);
  return reshape &&
         reshape.getSource().getType().getDimSize(0) == reshape.getResult().getType().getDimSize(0);
}

bool Plan::onlyStored(Value tile, SmallVectorImpl<Operation *> *stores) const {
  SmallVector<Value> work{tile};
  llvm::DenseSet<Value> seen;
  while (!work.empty()) {
    Value v = work.pop_back_val();
    if (!seen.insert(v).second)
      continue;
    for (OpOperand &use : v.getUses()) {
      Operation *user = use.getOwner();
      if (isa<StoreOp, AtomicAddOp>(user)) {
        if (stores)
          stores->push_back(user);
        continue;
      }
      if (isElementwise(user) || keepsRows(user)) {
        work.push_back(user->getResult(0));
      } else if (auto mma = dyn_cast<MmaOp>(user); mma && mma.getAccumulator() == v) {
        work.push_back(mma.getResult());
      } else if (auto loop = dyn_cast<scf::ForOp>(user)) {
        work.push_back(loop.getTiedLoopRegionIterArg(&use));
        work.push_back(loop.getTiedLoopResult(&use));
      } else if (auto yield = dyn_cast<scf::YieldOp>(user)) {
        Operation *parent = yield->getParentOp();
        work.push_back(parent->getResult(use.getOperandNumber()));
        if (auto loop = dyn_cast<scf::ForOp>(parent))
          work.push_back(loop.getRegionIterArg(use.getOperandNumber()));
      } else {
        return false;
      }
    }
  }
  return true;
}

} // namespace imbrex::codegen
