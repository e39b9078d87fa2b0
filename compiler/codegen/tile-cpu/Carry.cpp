// Loops that carry few vectors and only compute: what they carry stays in registers.
//
//   s = loop(n, zeros[1, 64], s + x[r, j])      4 vectors of 16 floats, one addition each
//
// Others carry tiles in scratch memory, which costs a load and a store per vector and iteration.
#include "compiler/codegen/tile-cpu/KernelEmitter.h"

namespace imbrex::codegen {

using namespace mlir;
using namespace tile;

/// The carried value reaches nothing but what the loop yields, element by element.
static bool staysInPlace(Value carried, scf::ForOp loop, const Plan &plan) {
  SmallVector<Value> work{carried};
  llvm::DenseSet<Value> seen;
  while (!work.empty()) {
    Value v = work.pop_back_val();
    if (!seen.insert(v).second)
      continue;
    for (Operation *user : v.getUsers()) {
      if (user == loop.getBody()->getTerminator())
        continue;
      if (!isElementwise(user) || !plan.isInline(user->getResult(0)))
        return false;
      work.push_back(user->getResult(0));
    }
  }
  return true;
}

std::optional<Point> KernelEmitter::carriedInRegisters(scf::ForOp op) {
  if (op.getNumResults() == 0 || mayFail(op))
    return std::nullopt;
  ArrayRef<int64_t> shape;
  for (Value carried : op.getRegionIterArgs()) {
    auto type = dyn_cast<RankedTensorType>(carried.getType());
    if (!type || type.getElementType().isInteger(1) ||
        (!shape.empty() && type.getShape() != shape) || !staysInPlace(carried, op, plan))
      return std::nullopt;
    shape = type.getShape();
  }
  for (Operation &each : op.getBody()->without_terminator())
    if (each.getNumRegions() > 0 || each.getNumResults() != 1 ||
        (isTile(each.getResult(0).getType()) && !plan.isInline(each.getResult(0))))
      return std::nullopt;
  Point like;
  for (Value next : op.getBody()->getTerminator()->getOperands()) {
    Point each = lanesFor(shape, next);
    if (like.axis < 0 || each.lanes < like.lanes)
      like = each;
  }
  const int64_t lanes = std::max<int64_t>(like.lanes, 1);
  if (like.axis >= 0 && shape[static_cast<size_t>(like.axis)] % lanes != 0)
    return std::nullopt;
  // Half of the registers: the others are for computing.
  const int64_t most = target.vectorBits >= 512 ? 16 : 8;
  const int64_t elems = cast<RankedTensorType>(op.getResultTypes().front()).getNumElements();
  if (static_cast<int64_t>(op.getNumResults()) * (elems / lanes) > most)
    return std::nullopt;
  return like;
}

/// The first elements of the vectors that a tile consists of.
SmallVector<Point> KernelEmitter::vectorsOf(ArrayRef<int64_t> shape, const Point &like) {
  SmallVector<Point> points(1, like);
  for (auto [d, extent] : llvm::enumerate(shape)) {
    const int64_t step = static_cast<int64_t>(d) == like.axis ? like.lanes : 1;
    SmallVector<Point> more;
    for (Point &point : points)
      for (int64_t i = 0; i < extent; i += step) {
        more.push_back(point);
        more.back().at.push_back(index(i));
      }
    points = std::move(more);
  }
  return points;
}

/// What the loop yields of the vectors it carries.
KernelEmitter::Values KernelEmitter::yieldsOf(scf::ForOp op, ArrayRef<Point> points,
                                              ValueRange carried, bool inside) {
  known.clear();
  Values next;
  for (size_t v = 0; v < points.size(); ++v) {
    Point p = points[v];
    p.inside = inside;
    for (auto [n, argument] : llvm::enumerate(op.getRegionIterArgs()))
      known.push_back({argument, p, carried[n * points.size() + v]});
  }
  for (Value yielded : op.getBody()->getTerminator()->getOperands())
    for (const Point &point : points) {
      Point p = point;
      p.inside = inside;
      next.push_back(eval(yielded, p));
    }
  known.clear();
  return next;
}

void KernelEmitter::emitInRegisters(scf::ForOp op, const Point &like) {
  auto type = cast<RankedTensorType>(op.getResultTypes().front());
  const SmallVector<Point> points = vectorsOf(type.getShape(), like);
  Values inits;
  for (Value init : op.getInitArgs()) {
    if (!isOwn(init) && !matchPattern(init, m_Constant())) {
      auto of = cast<RankedTensorType>(init.getType());
      Buffer start = allocate(of.getShape(), of.getElementType());
      materialize(init, start);
      for (const Point &p : points)
        inits.push_back(readBuffer(start, p));
      continue;
    }
    for (const Point &p : points)
      inits.push_back(isOwn(init) ? readBuffer(buffers.at(init), p) : evalNew(init, p));
  }
  auto loop = scf::ForOp::create(b, loc, scalar(op.getLowerBound()), scalar(op.getUpperBound()),
                                 scalar(op.getStep()), inits);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    scalars.map(op.getInductionVar(), loop.getInductionVar());
    for (Operation &each : op.getBody()->without_terminator())
      if (!isTile(each.getResult(0).getType()))
        emitOp(&each);
    Value inside;
    for (Value yielded : op.getBody()->getTerminator()->getOperands())
      inside = both(inside, insideOfTree(yielded));
    ValueRange carried = loop.getRegionIterArgs();
    Values next;
    if (!inside) {
      next = yieldsOf(op, points, carried, true);
    } else {
      auto choice = scf::IfOp::create(b, loc, carried.getTypes(), inside, true);
      for (Block *block : {choice.thenBlock(), choice.elseBlock()}) {
        b.setInsertionPointToStart(block);
        scf::YieldOp::create(b, loc, yieldsOf(op, points, carried, block == choice.thenBlock()));
      }
      b.setInsertionPointAfter(choice);
      next.assign(choice.getResults().begin(), choice.getResults().end());
    }
    scf::YieldOp::create(b, loc, next);
  }
  for (auto [n, result] : llvm::enumerate(op.getResults())) {
    auto of = cast<RankedTensorType>(result.getType());
    Buffer into = isOwn(result) ? buffers.at(result) : allocate(of.getShape(), of.getElementType());
    for (size_t v = 0; v < points.size(); ++v)
      writeBuffer(into, points[v], loop.getResult(static_cast<unsigned>(n * points.size() + v)));
    buffers[result] = into;
  }
}

} // namespace imbrex::codegen
