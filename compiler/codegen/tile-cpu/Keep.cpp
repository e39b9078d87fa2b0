// Functions that two loops compute alike, kept between them.
//
//   total = loop(n, sum + exp(x[r, j] - top))          writes exp(…) of all j to scratch
//   store   loop(n, exp(x[r, j] - top) / total)        reads it
//
// Only where it fits when the kernel runs: otherwise both compute it. A function counts as the same
// when its operands do: the same operations on the same elements of views that are only read. So
// results do not depend on what is kept.
#include "compiler/codegen/tile-cpu/KernelEmitter.h"

namespace imbrex::codegen {

using namespace mlir;
using namespace tile;

/// The most elements that are kept: half a first-level cache of f32, and the row beside it.
static constexpr int64_t kMostKept = 8192;

namespace {

/// Whether values of two loops' bodies are the same in the same iteration. Linear in the operations
/// that they are computed by.
class Alike {
public:
  Alike(scf::ForOp first, scf::ForOp second, const Plan &plan)
      : first(first), second(second), plan(plan) {}
  bool operator()(Value x, Value y) {
    if (x == y || (x == first.getInductionVar() && y == second.getInductionVar()) ||
        known.contains({x, y}))
      return true;
    Operation *p = x.getDefiningOp(), *q = y.getDefiningOp();
    if (!p || !q || !sameOperation(p, q) ||
        (isTile(x.getType()) ? !plan.isInline(x) || !plan.isInline(y) : !isPure(p)))
      return false;
    for (auto [left, right] : llvm::zip_equal(p->getOperands(), q->getOperands()))
      if (!(*this)(left, right))
        return false;
    known.insert({x, y});
    return true;
  }

private:
  static bool sameOperation(Operation *p, Operation *q) {
    auto meaning = [](Operation *op) {
      NamedAttrList attributes(op->getAttrDictionary());
      if (auto load = dyn_cast<LoadOp>(op))
        attributes.erase(load.getAheadAttrName());
      return attributes.getDictionary(op->getContext());
    };
    return p->getName() == q->getName() && p->getResultTypes() == q->getResultTypes() &&
           p->getNumOperands() == q->getNumOperands() && p->getNumRegions() == 0 &&
           meaning(p) == meaning(q);
  }
  scf::ForOp first, second;
  const Plan &plan;
  llvm::DenseSet<std::pair<Value, Value>> known;
};

} // namespace

static bool countsFromZero(scf::ForOp loop) {
  return isConstantIntValue(loop.getLowerBound(), 0) && isConstantIntValue(loop.getStep(), 1);
}

/// All of what the function gives is computed in each iteration: the loop yields it, element by
/// element.
static bool isYielded(Value function) {
  SmallVector<Value> work{function};
  llvm::DenseSet<Value> seen;
  while (!work.empty()) {
    Value v = work.pop_back_val();
    if (!seen.insert(v).second)
      continue;
    for (Operation *user : v.getUsers()) {
      if (user->getBlock() != function.getParentBlock())
        continue;
      if (isa<scf::YieldOp>(user))
        return true;
      if (isElementwise(user))
        work.push_back(user->getResult(0));
    }
  }
  return false;
}

void KernelEmitter::findKept(scf::ForOp first) {
  // A loop within one that is emitted twice is so, too.
  for (Operation *op = first; op; op = op->getParentOp())
    if (keeps.contains(op))
      return;
  if (!countsFromZero(first) || mayFail(first))
    return;
  for (Operation *next = first->getNextNode(); next; next = next->getNextNode()) {
    auto second = dyn_cast<scf::ForOp>(next);
    if (!second || !countsFromZero(second) || mayFail(second) || keeps.contains(second))
      continue;
    Alike alike(first, second, plan);
    if (!alike(first.getUpperBound(), second.getUpperBound()))
      continue;
    for (Operation &mine : *first.getBody())
      for (Operation &theirs : *second.getBody()) {
        if (!isFunction(&mine) || !isFunction(&theirs) || !isYielded(mine.getResult(0)) ||
            !alike(mine.getResult(0), theirs.getResult(0)))
          continue;
        auto type = cast<RankedTensorType>(mine.getResult(0).getType());
        const int64_t count = kMostKept / type.getNumElements();
        if (count < 1)
          continue;
        SmallVector<int64_t> shape{count};
        llvm::append_range(shape, type.getShape());
        Value fits =
            compare(arith::CmpIPredicate::sle, scalar(first.getUpperBound()), index(count));
        Buffer row = allocate(shape, type.getElementType());
        keeps[first] = {&mine, fits, row, Keep::Writes};
        keeps[second] = {&theirs, fits, row, Keep::Reads};
        return;
      }
  }
}

Value KernelEmitter::keptOf(Operation *op, const Point &p, function_ref<Value()> compute) {
  auto found = keeps.find(op->getParentOp());
  if (found == keeps.end() || found->second.function != op || !found->second.now)
    return compute();
  const Keep &keep = found->second;
  Point at = p;
  at.at.insert(at.at.begin(), scalar(cast<scf::ForOp>(op->getParentOp()).getInductionVar()));
  at.axis += at.lanes ? 1 : 0;
  if (keep.role == Keep::Reads)
    return readBuffer(keep.row, at);
  Value value = compute();
  writeBuffer(keep.row, at, value);
  return value;
}

} // namespace imbrex::codegen
