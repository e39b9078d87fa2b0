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

/// The load that a tile of square blocks turns around, if it says that its next tile follows.
static LoadOp squareAhead(StoreOp op, const Turn &turn) {
  RankedTensorType type = op.getValue().getType();
  auto turned = op.getValue().getDefiningOp<TransposeOp>();
  auto load = turned ? turned.getSource().getDefiningOp<LoadOp>() : LoadOp();
  const bool square = type.getDimSize(static_cast<unsigned>(turn.rowsAxis)) ==
                      type.getDimSize(static_cast<unsigned>(turn.lanesAxis));
  return load && load.getAhead() && square ? load : LoadOp();
}

/// Many rows are read, and many written: memory wants the lines of each one behind the other. So
/// the tile goes through scratch, and while it is written the next one is fetched.
void KernelEmitter::storeStaged(StoreOp op, const Place &place, const Point &lanes,
                                const Turn &turn, LoadOp load, const Buffer &tile) {
  auto order = op.getValue().getDefiningOp<TransposeOp>().getOrder();
  Place source = placeOf(load);
  const auto axis = static_cast<size_t>(*load.getAhead());
  Value step = mul(index(load.getType().getDimSize(static_cast<unsigned>(axis))),
                   source.view->strides[axis]);
  nest(op.getValue().getType().getShape(), lanes, {}, [&](const Point &p) {
    storeVector(readBuffer(tile, p), place, p, true);
    // As many lines of the next tile, along its rows.
    Point line = p;
    for (auto [d, from] : llvm::enumerate(order))
      line.at[static_cast<size_t>(from)] = p.at[d];
    std::swap(line.at[static_cast<size_t>(order[static_cast<size_t>(turn.rowsAxis)])],
              line.at[static_cast<size_t>(order[static_cast<size_t>(turn.lanesAxis)])]);
    Value address = addressOf(*source.view, add(flatIn(source, line), step));
    LLVM::Prefetch::create(b, loc, address, 0, 2, 1); // into the second level
  });
}

/// A tile that lies within its view, in square blocks.
void KernelEmitter::storeTurned(StoreOp op, const Place &place, const Turn &turn) {
  RankedTensorType type = op.getValue().getType();
  Point lanes;
  lanes.axis = turn.lanesAxis;
  lanes.lanes = turn.lanes;
  auto blocks = [&](function_ref<void(Value, const Point &)> store) {
    nestTurned(type.getShape(), turn, [&](const Point &p) {
      Values block = evalTurned(op.getValue(), p, turn);
      Point at = p;
      for (auto [i, value] : llvm::enumerate(block)) {
        const auto axis = static_cast<size_t>(turn.rowsAxis);
        at.at[axis] = add(p.at[axis], index(static_cast<int64_t>(i)));
        store(value, at);
      }
    });
  };
  bypassing(bypassesCaches(place, lanes, type), [&](bool bypass) {
    LoadOp load = squareAhead(op, turn);
    if (!bypass || !load || !plan.isInline(load))
      return blocks([&](Value v, const Point &at) { storeVector(v, place, at, bypass); });
    Buffer tile = allocate(type.getShape(), type.getElementType());
    fetches = false;
    blocks([&](Value v, const Point &at) { writeBuffer(tile, at, v); });
    fetches = true;
    storeStaged(op, place, lanes, turn, load, tile);
  });
}

} // namespace imbrex::codegen
