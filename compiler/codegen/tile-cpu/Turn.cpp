// Transposes in registers.
//
// A tile whose vectors would run across the rows of what it is computed from is computed in square
// blocks: rows as they lie, then turned around by log2(lanes) rounds of shuffles.
#include "compiler/codegen/tile-cpu/KernelEmitter.h"

namespace imbrex::codegen {

using namespace mlir;
using namespace tile;

/// Registers for a block, and for what its rows are computed with.
static constexpr int64_t kMostLanes = 16;

std::optional<Turn> KernelEmitter::turnOf(Value tile, const Point &like) const {
  auto op = tile.getDefiningOp<TransposeOp>();
  if (!op || !plan.isInline(tile) || like.axis < 0)
    return std::nullopt;
  RankedTensorType source = op.getSource().getType(), type = op.getResult().getType();
  Turn turn;
  turn.lanes = std::min(like.lanes, kMostLanes);
  turn.lanesAxis = like.axis;
  // The source's last long axis is the one whose elements are neighbours.
  int64_t last = source.getRank() - 1;
  while (last > 0 && source.getDimSize(static_cast<unsigned>(last)) == 1)
    --last;
  turn.rowsAxis = llvm::find(op.getOrder(), last) - op.getOrder().begin();
  if (turn.rowsAxis == turn.lanesAxis || turn.lanes < 4 ||
      type.getDimSize(static_cast<unsigned>(turn.rowsAxis)) % turn.lanes ||
      type.getDimSize(static_cast<unsigned>(turn.lanesAxis)) % turn.lanes)
    return std::nullopt;
  return turn;
}

SmallVector<Value> KernelEmitter::evalTurned(Value tile, const Point &p, const Turn &turn) {
  auto op = tile.getDefiningOp<TransposeOp>();
  Point from = p;
  for (auto [d, axis] : llvm::enumerate(op.getOrder()))
    from.at[static_cast<size_t>(axis)] = p.at[d];
  const auto across = static_cast<size_t>(op.getOrder()[static_cast<size_t>(turn.lanesAxis)]);
  from.axis = op.getOrder()[static_cast<size_t>(turn.rowsAxis)];
  from.lanes = turn.lanes;
  SmallVector<Value> rows;
  Value first = from.at[across];
  for (int64_t i = 0; i < turn.lanes; ++i) {
    from.at[across] = add(first, index(i));
    rows.push_back(eval(op.getSource(), from));
  }
  // After the round of distance d the bit d of an element's row and lane have changed places.
  for (int64_t d = 1; d < turn.lanes; d *= 2)
    for (int64_t i = 0; i < turn.lanes; ++i) {
      if (i & d)
        continue;
      SmallVector<int64_t> low, high;
      for (int64_t l = 0; l < turn.lanes; ++l) {
        low.push_back(l & d ? turn.lanes + l - d : l);
        high.push_back(l & d ? turn.lanes + l : l + d);
      }
      Value x = rows[static_cast<size_t>(i)], y = rows[static_cast<size_t>(i + d)];
      rows[static_cast<size_t>(i)] = vector::ShuffleOp::create(b, loc, x, y, low);
      rows[static_cast<size_t>(i + d)] = vector::ShuffleOp::create(b, loc, x, y, high);
    }
  return rows;
}

void KernelEmitter::nestTurned(ArrayRef<int64_t> shape, const Turn &turn,
                               function_ref<void(const Point &)> body) {
  // Blocks along the rows' axis; vectors along the lanes'.
  SmallVector<int64_t> blocks(shape);
  blocks[static_cast<size_t>(turn.rowsAxis)] /= turn.lanes;
  Point like;
  like.axis = turn.lanesAxis;
  like.lanes = turn.lanes;
  nest(blocks, like, {}, [&](const Point &p) {
    Point block = p;
    Value &row = block.at[static_cast<size_t>(turn.rowsAxis)];
    row = mul(row, index(turn.lanes));
    body(block);
  });
}

} // namespace imbrex::codegen
