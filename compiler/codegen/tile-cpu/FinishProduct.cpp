// A product whose sums go through elementwise operations into what a loop carries: these are
// computed as a register tile's sums leave the registers.
//
//   %s = tile.mma %x, %w, %zeros : … tensor<16x32xi32>
//   %t = arith.sitofp %s            never in memory, like %s
//   %u = math.fma %t, %scale, %sum
//   scf.yield %u                    written over %sum, vector by vector
//
// Products of short k, such as those of blocks of quantized weights, are limited by what becomes of
// their sums.
#include "compiler/codegen/tile-cpu/Product.h"
#include "compiler/codegen/tile-cpu/TileOrigin.h"

namespace imbrex::codegen {

using namespace mlir;
using namespace tile;

bool KernelEmitter::isFinishedByYield(MmaOp op) const {
  Value value = op.getResult();
  while (value.hasOneUse()) {
    OpOperand &use = *value.use_begin();
    Operation *user = use.getOwner();
    if (user->getBlock() != op->getBlock())
      return false;
    if (isa<scf::YieldOp>(user)) {
      auto loop = dyn_cast<scf::ForOp>(user->getParentOp());
      return loop && value != op.getResult() &&
             plan.flowsOnlyInto(loop.getRegionIterArg(use.getOperandNumber()), use);
    }
    if (!isElementwise(user) || !plan.isInline(user->getResult(0)))
      return false;
    value = user->getResult(0);
  }
  return false;
}

/// The products whose sums `tree` is computed from and that are not computed yet.
SmallVector<MmaOp> KernelEmitter::unfinishedBehind(Value tree) const {
  SmallVector<MmaOp> found;
  if (unfinished.contains(tree))
    found.push_back(tree.getDefiningOp<MmaOp>());
  else if (Operation *op = tree.getDefiningOp(); op && !isOwn(tree) && isElementwise(op))
    for (Value operand : op->getOperands())
      found.append(unfinishedBehind(operand));
  return found;
}

/// Some element of the buffer is read for the tile.
bool KernelEmitter::reads(Value tree, const Buffer &buffer) const {
  if (isOwn(tree))
    return buffers.at(tree).pointer == buffer.pointer;
  Operation *op = tree.getDefiningOp();
  return op && llvm::any_of(op->getOperands(),
                            [&](Value v) { return isTile(v.getType()) && reads(v, buffer); });
}

void KernelEmitter::finishProducts(Value value, const Buffer &into) {
  SmallVector<MmaOp> products = unfinishedBehind(value);
  if (products.empty())
    return materialize(value, into);
  // Where terms are added one by one, those that are added first go into the buffer first.
  Value added;
  for (Value at = value; products.size() > 1;) {
    SmallVector<Value> behind;
    for (Value operand : at.getDefiningOp()->getOperands())
      if (!unfinishedBehind(operand).empty())
        behind.push_back(operand);
    at = behind.front();
    if (behind.size() == 1)
      continue;
    if (auto first = llvm::find_if(behind, [&](Value v) { return reads(v, into); });
        first != behind.end()) {
      added = *first;
      finishProducts(added, into);
      buffers[added] = into;
    }
    products = unfinishedBehind(value);
    break;
  }
  MmaOp last = products.pop_back_val();
  for (MmaOp op : products) // several at the same place: one by one, into memory
    emitSums(op);
  unfinished.erase(last.getResult());
  ProductEmitter(*this, last).finish(value, into);
  if (added)
    buffers.erase(added);
}

/// What a tree repeats along an axis is read for each vector of sums: it is computed once. Returns
/// what lies in scratch for that.
SmallVector<Value> ProductEmitter::keepRepeated(Value tree) {
  SmallVector<Value> sources, all;
  if (!e.isOwn(tree))
    e.plan.forEachInline(tree, [&](Operation *inner) {
      auto broadcast = dyn_cast<BroadcastOp>(inner);
      if (broadcast && isTile(broadcast.getSource().getType()))
        sources.push_back(broadcast.getSource());
    });
  for (Value source : sources) {
    if (e.isOwn(source) || source.getDefiningOp<arith::ConstantOp>())
      continue;
    auto type = cast<RankedTensorType>(source.getType());
    Buffer kept = e.allocate(type.getShape(), type.getElementType());
    e.materialize(source, kept);
    e.buffers[source] = kept;
    all.push_back(source);
  }
  return all;
}

/// What the kernel makes of sums that are not computed is never stored: the rows of the outputs end
/// where those of the left side do. (Other columns are computed.)
void ProductEmitter::keepStoredLimits() {
  columnLimit.reset();
  SmallVector<Operation *> stores;
  e.plan.onlyStored(op.getResult(), &stores);
  const bool same = rowLimit && llvm::all_of(stores, [&](Operation *user) {
                      auto store = dyn_cast<StoreOp>(user);
                      return store && store.getIndices()[0] == rowLimit->tileIndex &&
                             store.getView().getType().getDims()[0] == rowLimit->extent;
                    });
  if (!same)
    rowLimit.reset();
}

void ProductEmitter::finish(Value value, const Buffer &to) {
  if (n % s.width()) {
    e.emitSums(op);
    return e.materialize(value, to);
  }
  into = to;
  finished = value;
  findLimits();
  keepStoredLimits();
  SmallVector<Value> kept = keepRepeated(value);
  kept.append(keepRepeated(op.getAccumulator()));
  Left a = left();
  Right r = right();
  Value all = e.both(e.insideOfTree(value), e.insideOfTree(op.getAccumulator()));
  if (r.parts)
    for (Value part : r.parts.getSources())
      all = e.both(all, e.insideOfTree(part));
  e.versions(all, [&](bool all) {
    inside = all;
    registerTiles(a, r);
  });
  for (Value source : kept)
    e.buffers.erase(source);
}

/// Up to how many rows want words that are computed as they are needed.
static constexpr int64_t kFewRows = 3;

bool ProductEmitter::computesWordsOf(ConcatOp parts) {
  RankedTensorType type = parts.getResult().getType();
  if (m > kFewRows || k % s.group || n % s.width() || kWords > kStraight || parts.getAxis() != 1 ||
      type.getElementType() != s.packed || !e.isFinishedByYield(op) ||
      type.getShape() != ArrayRef<int64_t>{n / s.width(), kWords, s.width() * s.group})
    return false;
  for (int64_t row = 0; row < k; ++row)
    for (int64_t column = 0; column < n; ++column) {
      SmallVector<int64_t> at{row, column};
      const int64_t line = column % s.width() * s.group + row % s.group;
      if (tileBehind(op.getRight(), at) != parts.getResult() ||
          at != SmallVector<int64_t>{column / s.width(), row / s.group, line})
        return false;
    }
  return true;
}

/// A vector of a word, of the part that it lies in.
Value ProductEmitter::computedVector(const RegisterTile &t, int64_t word, int64_t vector) {
  const int64_t lanes = s.lanes * s.group;
  Point p;
  p.axis = 2;
  p.lanes = lanes;
  p.inside = inside;
  p.at = {e.add(t.firstPanel, e.index(vector / ProductShape::kVectors)), Value(),
          e.index(vector % ProductShape::kVectors * lanes)};
  for (Value part : ConcatOp(t.parts).getSources()) {
    const int64_t words = cast<RankedTensorType>(part.getType()).getDimSize(1);
    if (word >= words) {
      word -= words;
      continue;
    }
    p.at[1] = e.index(word);
    return LLVM::BitcastOp::create(b, loc, VectorType::get({s.lanes}, s.word), e.eval(part, p));
  }
  llvm_unreachable("a word outside of all parts");
}

/// The product that uses what is joined, through other shapes only.
bool KernelEmitter::isComputedByProduct(ConcatOp op) {
  Value value = op.getResult();
  while (value.hasOneUse()) {
    OpOperand &use = *value.use_begin();
    if (auto mma = dyn_cast<MmaOp>(use.getOwner()))
      return use == mma.getRightMutable() && mma->getBlock() == op->getBlock() &&
             ProductEmitter(*this, mma).computesWordsOf(op);
    if (!isa<ReshapeOp, TransposeOp>(use.getOwner()))
      return false;
    value = use.getOwner()->getResult(0);
  }
  return false;
}

} // namespace imbrex::codegen
