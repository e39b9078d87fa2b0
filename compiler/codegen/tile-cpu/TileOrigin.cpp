#include "compiler/codegen/tile-cpu/TileOrigin.h"

namespace imbrex::codegen {

using namespace mlir;
using namespace tile;

Value tileBehind(Value tile, SmallVectorImpl<int64_t> &at) {
  while (Operation *op = tile.getDefiningOp()) {
    if (auto transpose = dyn_cast<TransposeOp>(op)) {
      SmallVector<int64_t> from(at.size());
      for (auto [d, axis] : llvm::enumerate(transpose.getOrder()))
        from[static_cast<size_t>(axis)] = at[d];
      at.assign(from.begin(), from.end());
      tile = transpose.getSource();
    } else if (auto reshape = dyn_cast<ReshapeOp>(op)) {
      int64_t flat = 0;
      for (auto [x, size] : llvm::zip_equal(at, reshape.getResult().getType().getShape()))
        flat = flat * size + x;
      ArrayRef<int64_t> shape = reshape.getSource().getType().getShape();
      at.assign(shape.size(), 0);
      for (size_t d = shape.size(); d-- > 0; flat /= shape[d])
        at[d] = flat % shape[d];
      tile = reshape.getSource();
    } else if (auto slice = dyn_cast<SliceOp>(op)) {
      for (auto [x, offset] : llvm::zip_equal(at, slice.getOffsets()))
        x += offset;
      tile = slice.getSource();
    } else {
      break;
    }
  }
  return tile;
}

LoadOp loadBehind(Value tile, SmallVectorImpl<int64_t> &at) {
  return dyn_cast_if_present<LoadOp>(tileBehind(tile, at).getDefiningOp());
}

Operation *readBehind(Value tile, SmallVectorImpl<int64_t> &at) {
  Operation *read = tileBehind(tile, at).getDefiningOp();
  return isa_and_present<LoadOp, WindowOp>(read) ? read : nullptr;
}

} // namespace imbrex::codegen
