// Verifiers of the operations on memory: shapes, types and what the view's access allows. That
// indices are in bounds and stores disjoint is tile-verify's work.
#include "compiler/ir/tile/Tile.h"

using namespace mlir;

namespace imbrex::tile {

/// The view is an argument of the kernel that allows this access.
static LogicalResult verifyAccess(Operation *op, Value view, ArrayRef<Access> allowed,
                                  StringRef what) {
  auto kernel = op->getParentOfType<KernelOp>();
  if (!kernel)
    return op->emitOpError("stands outside a tile.kernel");
  Access access = cast<ViewType>(view.getType()).getAccess();
  if (!llvm::is_contained(allowed, access))
    return op->emitOpError() << what << " '" << kernel.viewName(view)
                             << "', which the kernel may only " << stringifyAccess(access);
  return success();
}

static LogicalResult verifyTile(Operation *op, ViewType view, RankedTensorType tile,
                                size_t indices) {
  if (tile.getRank() != view.getRank())
    return op->emitOpError("has a tile of ")
           << tile.getRank() << " axes for a view of " << view.getRank();
  if (static_cast<int64_t>(indices) != view.getRank())
    return op->emitOpError("gives ")
           << indices << " coordinates for a view of " << view.getRank() << " axes";
  if (tile.getElementType() != view.getElementType())
    return op->emitOpError("has elements of type ")
           << tile.getElementType() << ", but the view has " << view.getElementType();
  return success();
}

static LogicalResult verifyPad(Operation *op, std::optional<TypedAttr> pad, ViewType view) {
  if (pad && pad->getType() != view.getElementType())
    return op->emitOpError("pads a view of ")
           << view.getElementType() << " with a value of type " << pad->getType();
  return success();
}

LogicalResult LoadOp::verify() {
  ViewType view = getView().getType();
  if (failed(verifyAccess(*this, getView(), {Access::read, Access::update}, "loads from")) ||
      failed(verifyTile(*this, view, getResult().getType(), getIndices().size())) ||
      failed(verifyPad(*this, getPad(), view)))
    return failure();
  if (getWhole() && getPad())
    return emitOpError("pads a whole tile, which has nothing to pad");
  if (auto axis = getAhead(); axis && *axis >= view.getDims().size())
    return emitOpError("looks ahead on axis ")
           << *axis << " of a view of " << view.getDims().size();
  return success();
}

LogicalResult WindowOp::verify() {
  ViewType view = getView().getType();
  if (failed(verifyAccess(*this, getView(), {Access::read}, "loads a window of")) ||
      failed(verifyTile(*this, view, getResult().getType(), getOffsets().size())) ||
      failed(verifyPad(*this, getPad(), view)))
    return failure();
  return success();
}

LogicalResult GatherOp::verify() {
  ViewType view = getView().getType();
  RankedTensorType result = getResult().getType(), rows = getRows().getType();
  if (failed(verifyAccess(*this, getView(), {Access::read}, "gathers from")) ||
      failed(verifyTile(*this, view, result, getIndices().size() + 1)) ||
      failed(verifyPad(*this, getPad(), view)))
    return failure();
  if (rows.getRank() != 1 ||
      !(isa<IntegerType>(rows.getElementType()) || rows.getElementType().isIndex()))
    return emitOpError("takes a tile of one axis of integers for rows, not ") << rows;
  if (rows.getDimSize(0) != result.getDimSize(0))
    return emitOpError("names ") << rows.getDimSize(0) << " rows for a result of "
                                 << result.getDimSize(0);
  if (getChecked() && getPad())
    return emitOpError("pads rows that it checks");
  return success();
}

LogicalResult ReadOp::verify() {
  ViewType view = getView().getType();
  if (failed(verifyAccess(*this, getView(), {Access::read}, "reads")))
    return failure();
  if (static_cast<int64_t>(getIndices().size()) != view.getRank())
    return emitOpError("gives ") << getIndices().size() << " coordinates for a view of "
                                 << view.getRank() << " axes";
  if (getResult().getType() != view.getElementType())
    return emitOpError("reads ") << getResult().getType() << " from a view of "
                                 << view.getElementType();
  return success();
}

LogicalResult StoreOp::verify() {
  if (failed(verifyAccess(*this, getView(), {Access::write, Access::update}, "stores into")))
    return failure();
  return verifyTile(*this, getView().getType(), getValue().getType(), getIndices().size());
}

LogicalResult AtomicAddOp::verify() {
  if (failed(verifyAccess(*this, getView(), {Access::accumulate}, "adds into")))
    return failure();
  if (getValue().getType().getElementType().isInteger(1))
    return emitOpError("adds truth values");
  return verifyTile(*this, getView().getType(), getValue().getType(), getIndices().size());
}

LogicalResult RawLoadOp::verify() {
  if (getResult().getType().getElementType() != getView().getType().getElementType())
    return emitOpError("loads elements of type ")
           << getResult().getType().getElementType() << " from a view of "
           << getView().getType().getElementType();
  return success();
}

LogicalResult RawStoreOp::verify() {
  if (failed(verifyAccess(*this, getView(), {Access::write, Access::update}, "stores into")))
    return failure();
  if (getValue().getType().getElementType() != getView().getType().getElementType())
    return emitOpError("stores elements of type ")
           << getValue().getType().getElementType() << " into a view of "
           << getView().getType().getElementType();
  return success();
}

} // namespace imbrex::tile
