// A product's operands where they lie already: in a view or in scratch, whose elements happen to be
// in the order that the inner loop wants. Every element's place is compared, when compiling.
#include "compiler/codegen/tile-cpu/Product.h"
#include "compiler/codegen/tile-cpu/TileOrigin.h"

namespace imbrex::codegen {

using namespace mlir;
using namespace tile;

/// Rows at multiples of this many bytes fall on few sets of the cache.
static constexpr int64_t kConflict = 2048;

namespace {
struct Rows {
  std::optional<size_t> axis; // of what is read; none when there is one row only
};
} // namespace

/// Whether the elements of a tile [rows, columns] are read side by side along the last axis, row
/// after row along another one.
static std::optional<Rows> rowsBehind(Value tile, int64_t rows, int64_t columns) {
  SmallVector<int64_t> first{0, 0};
  readBehind(tile, first);
  const size_t rank = first.size();
  Rows found;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column) {
      SmallVector<int64_t> to{row, column};
      readBehind(tile, to);
      for (size_t d = 0; d < rank; ++d) {
        int64_t moved = to[d] - first[d] - (d + 1 == rank ? column : 0);
        if (moved == 0)
          continue;
        if (moved != row || d + 1 == rank || (found.axis && *found.axis != d))
          return std::nullopt;
        found.axis = d;
      }
    }
  return found;
}

/// Rows of words of several elements are used where they lie when they lie so close together.
static constexpr int64_t kCloseBytes = 64;

/// The left side as it lies in a view: rows at a fixed distance that does not conflict in the
/// cache.
std::optional<ProductEmitter::Left> ProductEmitter::leftAlready() {
  if (e.isOwn(op.getLeft()) || op.getLeft().getType().getElementType() != s.packed || k % s.group)
    return std::nullopt;
  const int64_t bytes = s.packed.getIntOrFloatBitWidth() / 8;
  SmallVector<int64_t> first{0, 0};
  Operation *read = readBehind(op.getLeft(), first);
  if (!read || !e.plan.isInline(read->getResult(0)))
    return std::nullopt;
  Place at = e.placeOf(read);
  const auto rows = rowsBehind(op.getLeft(), m, k);
  if (!rows)
    return std::nullopt;
  const size_t rank = first.size();
  const std::optional<size_t> rowAxis = rows->axis;
  if ((!rowAxis && s.group == 1) || at.view->strideDims[rank - 1].constant() != 1)
    return std::nullopt;
  auto pitch = rowAxis ? at.view->strideDims[*rowAxis].constant() : std::optional<int64_t>(k);
  if (!pitch || *pitch * bytes % kConflict == 0 || (s.group > 1 && *pitch * bytes > kCloseBytes))
    return std::nullopt;
  // Rows and words behind the view's end are not visited.
  SmallVector<int64_t> limited;
  if (rowLimit && rowAxis)
    limited.push_back(static_cast<int64_t>(*rowAxis));
  if (kLimit)
    limited.push_back(static_cast<int64_t>(rank - 1));
  if (e.insideOf(at, cast<RankedTensorType>(read->getResult(0).getType()), limited))
    return std::nullopt;
  Point origin;
  for (int64_t x : first)
    origin.at.push_back(e.index(x));
  Value start = arith::IndexCastOp::create(b, loc, b.getI64Type(),
                                           e.mul(e.flatIn(at, origin), e.index(bytes)));
  return Left{offset(at.view->pointer, start), *pitch * bytes};
}

/// The right side as it lies in a view, where `inside` holds; packed elsewhere.
ProductEmitter::Right ProductEmitter::inPlaceIf(Value inside, function_ref<Right()> inPlace) {
  if (!inside)
    return inPlace();
  Type ptr = LLVM::LLVMPointerType::get(b.getContext()), i64 = b.getI64Type();
  auto choice = scf::IfOp::create(b, loc, TypeRange{ptr, i64, i64}, inside, true);
  OpBuilder::InsertionGuard guard(b);
  auto yield = [&](const Right &r) {
    scf::YieldOp::create(b, loc, ValueRange{r.pointer, r.panelBytes, r.wordBytes});
  };
  b.setInsertionPointToStart(choice.thenBlock());
  yield(inPlace());
  b.setInsertionPointToStart(choice.elseBlock());
  yield(packRight());
  return {choice.getResult(0), choice.getResult(1), choice.getResult(2)};
}

/// The right side as rows of a view: a panel is a part of each row.
std::optional<ProductEmitter::Right> ProductEmitter::rowsAlready() {
  if (e.isOwn(op.getRight()) || op.getRight().getType().getElementType() != s.packed ||
      s.group > 1 || n % s.width())
    return std::nullopt;
  SmallVector<int64_t> first{0, 0};
  Operation *read = readBehind(op.getRight(), first);
  if (!read || !e.plan.isInline(read->getResult(0)))
    return std::nullopt;
  Place at = e.placeOf(read);
  const auto rows = rowsBehind(op.getRight(), k, n);
  if (!rows)
    return std::nullopt;
  const size_t rank = first.size();
  const std::optional<size_t> rowAxis = rows->axis;
  if (at.view->strideDims[rank - 1].constant() != 1 || (k > 1 && !rowAxis))
    return std::nullopt;
  SmallVector<int64_t> limited;
  if (rowAxis && kLimit)
    limited.push_back(static_cast<int64_t>(*rowAxis));
  Value inside = e.insideOf(at, cast<RankedTensorType>(read->getResult(0).getType()), limited);
  const int64_t bytes = s.wordBytes();
  return inPlaceIf(inside, [&]() -> Right {
    if (auto load = dyn_cast<LoadOp>(read))
      e.fetchAllAhead(load);
    Point origin;
    for (int64_t x : first)
      origin.at.push_back(e.index(x));
    auto scaled = [&](Value elems) -> Value {
      return arith::IndexCastOp::create(b, loc, b.getI64Type(), e.mul(elems, e.index(bytes)));
    };
    return {offset(at.view->pointer, scaled(e.flatIn(at, origin))), bytes64(s.width() * bytes),
            scaled(rowAxis ? at.view->strides[*rowAxis] : e.index(s.width()))};
  });
}

/// The right side as it lies in a view, when that is the layout of panels already.
std::optional<ProductEmitter::Right> ProductEmitter::packedAlready() {
  if (e.isOwn(op.getRight()) || op.getRight().getType().getElementType() != s.packed ||
      n % s.width() || k % s.group)
    return std::nullopt;
  auto place = [&](int64_t row, int64_t column) {
    SmallVector<int64_t> at{row, column};
    return loadBehind(op.getRight(), at) ? at : SmallVector<int64_t>{};
  };
  SmallVector<int64_t> first{0, 0};
  LoadOp load = loadBehind(op.getRight(), first);
  if (!load || !e.plan.isInline(load.getResult()))
    return std::nullopt;
  Place at = e.placeOf(load);
  auto strideOf = [&](size_t d) { return at.view->strideDims[d].constant(); };
  // From word to word and from panel to panel the coordinates advance by fixed steps.
  auto step = [&](ArrayRef<int64_t> to) {
    SmallVector<int64_t> delta;
    for (auto [x, y] : llvm::zip_equal(to, first))
      delta.push_back(x - y);
    return delta;
  };
  SmallVector<int64_t> perWord =
      kWords > 1 ? step(place(s.group, 0)) : SmallVector<int64_t>(first.size(), 0);
  SmallVector<int64_t> perPanel =
      n > s.width() ? step(place(0, s.width())) : SmallVector<int64_t>(first.size(), 0);
  for (int64_t row = 0; row < k; ++row)
    for (int64_t column = 0; column < n; ++column) {
      // What is left lies side by side in memory.
      SmallVector<int64_t> to = place(row, column);
      int64_t within = 0;
      for (size_t d = 0; d < to.size(); ++d) {
        int64_t left =
            to[d] - first[d] - perWord[d] * (row / s.group) - perPanel[d] * (column / s.width());
        if (left && !strideOf(d))
          return std::nullopt;
        within += left * strideOf(d).value_or(0);
      }
      if (within != column % s.width() * s.group + row % s.group)
        return std::nullopt;
    }
  int64_t wordStep = 0;
  for (size_t d = 0; d < first.size(); ++d) {
    if (perWord[d] && !strideOf(d))
      return std::nullopt;
    wordStep += perWord[d] * strideOf(d).value_or(0);
  }
  if (kWords > 1 && wordStep != s.width() * s.group)
    return std::nullopt;

  const int64_t bytes = s.packed.getIntOrFloatBitWidth() / 8;
  auto scaled = [&](Value elems) -> Value {
    return arith::IndexCastOp::create(b, loc, b.getI64Type(), e.mul(elems, e.index(bytes)));
  };
  Point origin;
  for (int64_t x : first)
    origin.at.push_back(e.index(x));
  Value panel = e.index(0);
  for (size_t d = 0; d < first.size(); ++d)
    panel = e.add(panel, e.mul(e.index(perPanel[d]), at.view->strides[d]));
  // Words and panels behind the view's end are not visited.
  SmallVector<int64_t> limited;
  for (size_t d = 0; d < first.size(); ++d)
    if ((perWord[d] && kLimit) || (perPanel[d] && columnLimit))
      limited.push_back(static_cast<int64_t>(d));
  Value inside = e.insideOf(at, load.getResult().getType(), limited);
  return inPlaceIf(inside, [&]() -> Right {
    return {offset(at.view->pointer, scaled(e.flatIn(at, origin))), scaled(panel),
            bytes64(s.width() * s.wordBytes())};
  });
}

/// The right side computed in the layout of panels, when what it rearranges has its elements in
/// that order: unpacked weights, for example.
std::optional<ProductEmitter::Right> ProductEmitter::computedAsPanels() {
  if (op.getRight().getType().getElementType() != s.packed || n % s.width() || k % s.group)
    return std::nullopt;
  SmallVector<int64_t> at{0, 0};
  Value source = tileBehind(op.getRight(), at);
  if (source == op.getRight())
    return std::nullopt;
  ArrayRef<int64_t> shape = cast<RankedTensorType>(source.getType()).getShape();
  for (int64_t row = 0; row < k; ++row)
    for (int64_t column = 0; column < n; ++column) {
      at = {row, column};
      tileBehind(op.getRight(), at);
      int64_t flat = 0;
      for (auto [x, size] : llvm::zip_equal(at, shape))
        flat = flat * size + x;
      const int64_t word = column / s.width() * kWords + row / s.group;
      if (flat != (word * s.width() + column % s.width()) * s.group + row % s.group)
        return std::nullopt;
    }
  Buffer panels = e.isOwn(source) ? e.buffers.at(source) : e.allocate(shape, s.packed);
  int64_t elems = 1;
  for (size_t d = shape.size(); d-- > 0; elems *= shape[d])
    if (panels.strides[d] != elems)
      return std::nullopt;
  if (!e.isOwn(source))
    e.materialize(source, panels);
  return Right{panels.pointer, bytes64(kWords * s.width() * s.wordBytes()),
               bytes64(s.width() * s.wordBytes())};
}

ProductEmitter::Right ProductEmitter::right() {
  SmallVector<int64_t> origin{0, 0};
  Value source = tileBehind(op.getRight(), origin);
  if (auto parts = source.getDefiningOp<ConcatOp>(); parts && !e.isOwn(source))
    return {Value(), bytes64(0), bytes64(0), parts};
  if (auto r = packedAlready())
    return *r;
  if (auto r = rowsAlready())
    return *r;
  if (auto r = computedAsPanels())
    return *r;
  return packRight();
}

} // namespace imbrex::codegen
