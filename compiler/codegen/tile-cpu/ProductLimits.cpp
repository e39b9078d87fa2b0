// How far a product's operands reach: rows, columns and words of k behind which only zeros follow.
#include "compiler/codegen/tile-cpu/Product.h"
#include "compiler/codegen/tile-cpu/TileOrigin.h"

namespace imbrex::codegen {

using namespace mlir;
using namespace tile;

/// Zeros follow only behind a load's edge, and only when the load pads with 0. For a right side in
/// panels the axis of k, or that of panels, must be an axis of the view.
std::optional<ProductEmitter::Limit> ProductEmitter::limitOf(Value operand, int64_t axis) {
  while (Operation *cast = operand.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::TruncFOp, arith::ExtSIOp, arith::ExtUIOp>(cast) ||
        !e.plan.isInline(cast->getResult(0)))
      break;
    operand = cast->getOperand(0);
  }
  auto type = cast<RankedTensorType>(operand.getType());
  SmallVector<int64_t> zero{0, 0}, one{axis == 0 ? 1 : 0, axis == 1 ? 1 : 0};
  int64_t unit = 1; // elements of the operand's axis in one step of the view's axis
  LoadOp load = loadBehind(operand, zero);
  if (!load || !e.plan.isInline(load.getResult()) || load.getPad())
    return std::nullopt;
  if (load.getResult() != operand && operand == op.getRight()) {
    unit = axis == 0 ? s.group : s.width();
    if (type.getDimSize(static_cast<unsigned>(axis)) % unit ||
        type.getDimSize(static_cast<unsigned>(axis)) == unit)
      return std::nullopt;
    one = {axis == 0 ? unit : 0, axis == 1 ? unit : 0};
  }
  loadBehind(operand, one);
  std::optional<size_t> viewAxis;
  for (size_t d = 0; d < zero.size(); ++d)
    if (zero[d] != one[d]) {
      if (viewAxis || one[d] - zero[d] != 1)
        return std::nullopt;
      viewAxis = d;
    }
  if (!viewAxis || load.getResult().getType().getDimSize(static_cast<unsigned>(*viewAxis)) * unit !=
                       type.getDimSize(static_cast<unsigned>(axis)))
    return std::nullopt;
  Place place = e.placeOf(load);
  if (place.whole[*viewAxis])
    return std::nullopt;
  Limit limit;
  Value left = e.sub(place.view->extents[*viewAxis], place.start[*viewAxis]);
  limit.elems =
      e.smallest(e.mul(left, e.index(unit)), e.index(type.getDimSize(static_cast<unsigned>(axis))));
  limit.extent = place.view->dims[*viewAxis] * unit;
  limit.tileIndex = load.getIndices()[*viewAxis];
  return limit;
}

void ProductEmitter::findLimits() {
  auto l = limitOf(op.getLeft(), 1), r = limitOf(op.getRight(), 0);
  wordCount = e.index(kWords);
  if (l && r) { // behind the longer of the two both sides are zero
    Value elems = e.largest(l->elems, r->elems);
    wordCount = e.div(e.add(elems, e.index(s.group - 1)), s.group);
    if (l->extent == r->extent && l->tileIndex == r->tileIndex)
      kLimit = l;
  }
  if (e.plan.onlyStored(op.getResult())) {
    rowLimit = limitOf(op.getLeft(), 0);
    columnLimit = limitOf(op.getRight(), 1);
  }
}

} // namespace imbrex::codegen
