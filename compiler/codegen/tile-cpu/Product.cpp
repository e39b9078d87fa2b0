#include "compiler/codegen/tile-cpu/Product.h"

namespace imbrex::codegen {

using namespace mlir;
using namespace tile;

/// Steps of k in one turn of the inner loop.
static constexpr int64_t kUnroll = 4;
/// Rows at multiples of this many bytes fall on few sets of the cache.
static constexpr int64_t kConflict = 2048;

static bool has(const CpuTarget &target, StringRef feature) {
  return llvm::is_contained(target.needs, feature);
}

ProductShape productShape(MmaOp op, const CpuTarget &target) {
  MLIRContext *c = op.getContext();
  ProductShape s;
  Type from = op.getLeft().getType().getElementType();
  s.sum = op.getAccumulator().getType().getElementType();
  s.packed = s.word = s.sum;
  auto i32 = IntegerType::get(c, 32);
  if (s.sum.isInteger(32)) {
    // The instruction takes one side of each sign.
    bool bytes = op.getUnsignedLeft() != op.getUnsignedRight() && has(target, "avx512vnni");
    s.kind = bytes ? ProductKind::BytesI32 : ProductKind::PairsI32;
    s.packed = IntegerType::get(c, bytes ? 8 : 16);
    s.group = bytes ? 4 : 2;
    s.word = i32;
  } else if (from.isBF16() && s.sum.isF32() && has(target, "avx512bf16")) {
    s.kind = ProductKind::PairsF32;
    s.packed = from;
    s.group = 2;
    s.word = i32;
  }
  s.lanes = target.vectorBits / s.sum.getIntOrFloatBitWidth();
  // 32 registers: 28 sums, 2 of the right side, 1 of the left. 16: 12, 2 and 1.
  s.rows = target.vectorBits == 512 ? 14 : 6;
  return s;
}

ProductEmitter::ProductEmitter(KernelEmitter &kernel, MmaOp op)
    : e(kernel), op(op), s(productShape(op, kernel.target)), b(kernel.b), loc(kernel.loc),
      m(op.getLeft().getType().getDimSize(0)), n(op.getRight().getType().getDimSize(1)),
      k(op.getLeft().getType().getDimSize(1)), kWords(llvm::divideCeil(k, s.group)) {}

Value ProductEmitter::offset(Value pointer, int64_t bytes) {
  if (bytes == 0)
    return pointer;
  return LLVM::GEPOp::create(b, loc, pointer.getType(), b.getI8Type(), pointer,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(bytes)});
}

Value ProductEmitter::offset(Value pointer, Value bytes) {
  return LLVM::GEPOp::create(b, loc, pointer.getType(), b.getI8Type(), pointer, ValueRange{bytes});
}

//===-- Operands ------------------------------------------------------------===//

Value ProductEmitter::converted(Value v, bool isLeft) {
  Type from = getElementTypeOrSelf(v.getType());
  if (from == s.packed)
    return v;
  Type to = s.packed;
  if (auto vec = dyn_cast<VectorType>(v.getType()))
    to = VectorType::get(vec.getShape(), s.packed);
  if (isa<FloatType>(from))
    return arith::ExtFOp::create(b, loc, to, v);
  if (isLeft ? op.getUnsignedLeft() : op.getUnsignedRight())
    return arith::ExtUIOp::create(b, loc, to, v);
  return arith::ExtSIOp::create(b, loc, to, v);
}

static Operation *readBehind(Value tile, SmallVectorImpl<int64_t> &at);

/// The left side as it lies in a view: rows of f32 at a fixed distance that does not conflict in
/// the cache.
std::optional<ProductEmitter::Left> ProductEmitter::leftAlready() {
  if (e.isOwn(op.getLeft()) || op.getLeft().getType().getElementType() != s.packed || s.group > 1)
    return std::nullopt;
  SmallVector<int64_t> first{0, 0};
  Operation *read = readBehind(op.getLeft(), first);
  if (!read || !e.plan.isInline(read->getResult(0)))
    return std::nullopt;
  Place at = e.placeOf(read);
  const size_t rank = first.size();
  std::optional<size_t> rowAxis;
  for (int64_t row = 0; row < m; ++row)
    for (int64_t column = 0; column < k; ++column) {
      SmallVector<int64_t> to{row, column};
      readBehind(op.getLeft(), to);
      for (size_t d = 0; d < rank; ++d) {
        int64_t moved = to[d] - first[d] - (d + 1 == rank ? column : 0);
        if (moved == 0)
          continue;
        if (moved != row || d + 1 == rank || (rowAxis && *rowAxis != d))
          return std::nullopt;
        rowAxis = d;
      }
    }
  if (!rowAxis || at.view->strideDims[rank - 1].constant() != 1)
    return std::nullopt;
  auto pitch = at.view->strideDims[*rowAxis].constant();
  if (!pitch || *pitch * s.wordBytes() % kConflict == 0)
    return std::nullopt;
  // Rows and words behind the view's end are not visited.
  SmallVector<int64_t> limited;
  if (rowLimit)
    limited.push_back(static_cast<int64_t>(*rowAxis));
  if (kLimit)
    limited.push_back(static_cast<int64_t>(rank - 1));
  if (e.insideOf(at, cast<RankedTensorType>(read->getResult(0).getType()), limited))
    return std::nullopt;
  Point origin;
  for (int64_t x : first)
    origin.at.push_back(e.index(x));
  Value bytes = arith::IndexCastOp::create(b, loc, b.getI64Type(),
                                           e.mul(e.flatIn(at, origin), e.index(s.wordBytes())));
  return Left{offset(at.view->pointer, bytes), *pitch * s.wordBytes()};
}

/// The left side, row by row, its rows a fixed number of bytes apart.
ProductEmitter::Left ProductEmitter::left() {
  Value tile = op.getLeft();
  const int64_t bytes = s.packed.getIntOrFloatBitWidth() / 8;
  if (e.isOwn(tile) && k % s.group == 0) {
    const Buffer &own = e.buffers.at(tile);
    if (own.element == s.packed && own.strides[1] == 1)
      return {own.pointer, own.strides[0] * bytes};
  }
  if (auto there = leftAlready())
    return *there;
  Buffer packed = e.allocate({m, kWords * s.group}, s.packed);
  Value rows = rowLimit ? rowLimit->elems : Value();
  Point like = e.lanesFor({m, k}, tile, s.packed.getIntOrFloatBitWidth());
  auto write = [&](const Point &p) { e.writeBuffer(packed, p, converted(e.eval(tile, p), true)); };
  auto load = tile.getDefiningOp<LoadOp>();
  if (load && rowLimit && kLimit && like.axis == 1) {
    copyRows(like, write);
  } else {
    // Only rows that exist are copied, so an edge below does not matter.
    Value whole = e.insideOfTree(tile);
    if (load && whole && rowLimit)
      whole = e.insideOf(e.placeOf(load), load.getResult().getType(), {0});
    e.versions(whole, [&](bool inside) {
      like.inside = inside;
      e.nest({m, k}, like, {rows, Value()}, write);
    });
  }
  if (k % s.group)
    e.nest({m, kWords * s.group - k}, Point{}, {}, [&](const Point &p) {
      Point to = p;
      to.at[1] = e.add(p.at[1], e.index(k));
      e.writeBuffer(packed, to, e.zero(s.packed));
    });
  return {packed.pointer, packed.strides[0] * bytes};
}

/// Rows and columns that exist: whole vectors, then one with a mask.
void ProductEmitter::copyRows(const Point &like, function_ref<void(const Point &)> write) {
  Value elems = kLimit->elems;
  Value whole = e.mul(e.div(elems, like.lanes), e.index(like.lanes));
  e.loop(e.index(0), rowLimit->elems, 1, [&](Value row) {
    auto at = [&](Value column, bool inside) {
      Point p = like;
      p.at = {row, column};
      p.inside = inside;
      e.known.clear();
      write(p);
      e.known.clear();
    };
    e.loop(e.index(0), whole, like.lanes, [&](Value column) { at(column, true); });
    if (k % like.lanes == 0) // else the masked vector could reach over the buffer's row
      e.when(e.compare(arith::CmpIPredicate::slt, whole, elems), [&] { at(whole, false); });
    else
      e.loop(whole, e.smallest(e.mul(wordCount, e.index(s.group)), e.index(k)), 1,
             [&](Value column) {
               Point p;
               p.at = {row, column};
               p.inside = false; // the last word may not be full
               e.known.clear();
               write(p);
               e.known.clear();
             });
  });
}

/// `lanes` words from column `column` on; columns from `valid` on and k behind the end are zeros.
Value ProductEmitter::panelVector(Value word, Value column, int64_t valid, bool inside) {
  auto row = [&](int64_t d) -> Value {
    Point p;
    p.inside = inside;
    p.at = {e.add(e.mul(word, e.index(s.group)), e.index(d)), column};
    auto type = VectorType::get({s.lanes}, s.packed);
    auto part = [&](int64_t first, int64_t lanes) {
      Point q = p;
      q.at[1] = e.add(column, e.index(first));
      q.axis = lanes == 1 ? -1 : 1;
      q.lanes = lanes == 1 ? 0 : lanes;
      return converted(e.eval(op.getRight(), q), false);
    };
    if (valid >= s.lanes)
      return part(0, s.lanes);
    Value all = e.zero(type);
    int64_t first = 0;
    for (int64_t lanes = s.lanes / 2; lanes >= 1; lanes /= 2) {
      if (valid - first < lanes)
        continue;
      Value some = part(first, lanes);
      all = lanes == 1
                ? Value(vector::InsertOp::create(b, loc, some, all, ArrayRef<int64_t>{first}))
                : Value(vector::InsertStridedSliceOp::create(
                      b, loc, some, all, ArrayRef<int64_t>{first}, ArrayRef<int64_t>{1}));
      first += lanes;
    }
    return all;
  };
  auto interleave = [&](Value x, Value y) -> Value {
    return vector::InterleaveOp::create(b, loc, x, y);
  };
  if (s.group == 1)
    return row(0);
  if (s.group == 2)
    return interleave(row(0), row(1));
  return interleave(interleave(row(0), row(2)), interleave(row(1), row(3)));
}

/// A panel of a transposed right side, in square blocks.
void ProductEmitter::packTurned(const Buffer &into, Value panel, const Turn &turn) {
  e.nestTurned({k, s.width()}, turn, [&](const Point &p) {
    Point at = p;
    at.at[1] = e.add(e.mul(panel, e.index(s.width())), p.at[1]);
    for (auto [i, value] : llvm::enumerate(e.evalTurned(op.getRight(), at, turn))) {
      Value word =
          e.add(e.mul(panel, e.index(kWords)), e.add(p.at[0], e.index(static_cast<int64_t>(i))));
      vector::StoreOp::create(b, loc, converted(value, false), into.memory,
                              ValueRange{e.add(e.mul(word, e.index(s.width())), p.at[1])});
    }
  });
}

void ProductEmitter::packPanel(const Buffer &into, Value panel, int64_t columns, bool inside) {
  const int64_t words = k / s.group;
  Point like;
  like.axis = 1;
  like.lanes = s.lanes;
  auto turn = e.turnOf(op.getRight(), like);
  if (turn && s.group == 1 && columns == s.width() && turn->lanes == s.lanes && inside)
    return packTurned(into, panel, *turn);
  auto line = [&](Value word) {
    for (int64_t v = 0; v < ProductShape::kVectors; ++v) {
      e.known.clear();
      Value column = e.add(e.mul(panel, e.index(s.width())), e.index(v * s.lanes));
      Value value = panelVector(word, column, columns - v * s.lanes, inside);
      Value flat = e.mul(e.add(e.mul(panel, e.index(kWords)), word), e.index(s.width() * s.group));
      vector::StoreOp::create(b, loc, value, into.memory,
                              ValueRange{e.add(flat, e.index(v * s.lanes * s.group))});
      e.known.clear();
    }
  };
  e.loop(e.index(0), e.index(words), 1, line);
  if (words == kWords)
    return;
  // The last word is not full: element by element.
  for (int64_t d = 0; d < s.group; ++d)
    e.loop(e.index(0), e.index(s.width()), 1, [&](Value c) {
      e.known.clear();
      Value value = e.zero(s.packed);
      Value flat = e.mul(e.add(e.mul(panel, e.index(kWords)), e.index(words)), e.index(s.width()));
      flat = e.add(e.mul(e.add(flat, c), e.index(s.group)), e.index(d));
      memref::StoreOp::create(b, loc, value, into.memory, flat);
      if (words * s.group + d >= k)
        return;
      e.when(e.compare(arith::CmpIPredicate::slt, c, e.index(columns)), [&] {
        Point p;
        p.inside = inside;
        p.at = {e.index(words * s.group + d), e.add(e.mul(panel, e.index(s.width())), c)};
        Value v = converted(e.eval(op.getRight(), p), false);
        memref::StoreOp::create(b, loc, v, into.memory, flat);
      });
      e.known.clear();
    });
}

ProductEmitter::Right ProductEmitter::packRight() {
  const int64_t panels = llvm::divideCeil(n, s.width()), full = n / s.width();
  Buffer packed = e.allocate({panels * kWords * s.width() * s.group}, s.packed);
  e.versions(e.insideOfTree(op.getRight()), [&](bool inside) {
    if (full > 0)
      e.loop(e.index(0), e.index(full), 1,
             [&](Value panel) { packPanel(packed, panel, s.width(), inside); });
    if (full < panels)
      packPanel(packed, e.index(full), n - full * s.width(), inside);
  });
  return {packed.pointer, bytes64(kWords * s.width() * s.wordBytes()),
          bytes64(s.width() * s.wordBytes())};
}

Value ProductEmitter::bytes64(int64_t bytes) {
  return LLVM::ConstantOp::create(b, loc, b.getI64Type(), b.getI64IntegerAttr(bytes));
}

/// Follows a tile through reshapes and transposes to what it rearranges: the coordinates there of
/// an element here.
static Value tileBehind(Value tile, SmallVectorImpl<int64_t> &at) {
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
    } else {
      break;
    }
  }
  return tile;
}

/// The same where a load is behind it; else null.
static LoadOp loadBehind(Value tile, SmallVectorImpl<int64_t> &at) {
  return dyn_cast_if_present<LoadOp>(tileBehind(tile, at).getDefiningOp());
}

/// The load or window behind it; else null.
static Operation *readBehind(Value tile, SmallVectorImpl<int64_t> &at) {
  Operation *read = tileBehind(tile, at).getDefiningOp();
  return isa_and_present<LoadOp, WindowOp>(read) ? read : nullptr;
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
  const size_t rank = first.size();
  std::optional<size_t> rowAxis;
  for (int64_t row = 0; row < k; ++row)
    for (int64_t column = 0; column < n; ++column) {
      SmallVector<int64_t> to{row, column};
      readBehind(op.getRight(), to);
      for (size_t d = 0; d < rank; ++d) {
        int64_t moved = to[d] - first[d] - (d + 1 == rank ? column : 0);
        if (moved == 0)
          continue;
        if (moved != row || d + 1 == rank || (rowAxis && *rowAxis != d))
          return std::nullopt;
        rowAxis = d;
      }
    }
  if (at.view->strideDims[rank - 1].constant() != 1 || (k > 1 && !rowAxis))
    return std::nullopt;
  SmallVector<int64_t> limited;
  if (rowAxis && kLimit)
    limited.push_back(static_cast<int64_t>(*rowAxis));
  Value inside = e.insideOf(at, cast<RankedTensorType>(read->getResult(0).getType()), limited);
  const int64_t bytes = s.wordBytes();
  return inPlaceIf(inside, [&]() -> Right {
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
  if (auto r = packedAlready())
    return *r;
  if (auto r = rowsAlready())
    return *r;
  if (auto r = computedAsPanels())
    return *r;
  return packRight();
}

//===-- How far -------------------------------------------------------------===//

/// Zeros follow only behind a load's edge, and only when the load pads with 0. For a right side in
/// panels the axis of k, or that of panels, must be an axis of the view.
std::optional<ProductEmitter::Limit> ProductEmitter::limitOf(Value operand, int64_t axis) {
  while (Operation *cast = operand.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(cast) ||
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
  if (load.getResult() != operand) {
    bool right = operand == op.getRight();
    unit = axis == 0 ? s.group : s.width();
    if (!right || type.getDimSize(static_cast<unsigned>(axis)) % unit ||
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

//===-- The inner loop ------------------------------------------------------===//

Value ProductEmitter::multiply(Value x, Value y, Value sum) {
  auto intrinsic = [&](StringRef name, ValueRange operands) -> Value {
    return LLVM::CallIntrinsicOp::create(b, loc, sum.getType(), b.getStringAttr(name), operands)
        .getResult(0);
  };
  auto as = [&](Value v, Type element, int64_t lanes) -> Value {
    return LLVM::BitcastOp::create(b, loc, VectorType::get({lanes}, element), v);
  };
  const bool wide = s.lanes == 16;
  switch (s.kind) {
  case ProductKind::Fma:
    return LLVM::FMAOp::create(b, loc, x, y, sum);
  case ProductKind::PairsF32:
    return intrinsic("llvm.x86.avx512bf16.dpbf16ps.512", {sum, as(x, b.getBF16Type(), s.lanes * 2),
                                                          as(y, b.getBF16Type(), s.lanes * 2)});
  case ProductKind::BytesI32:
    if (op.getUnsignedRight())
      std::swap(x, y);
    return intrinsic("llvm.x86.avx512.vpdpbusd.512",
                     {sum, as(x, b.getI8Type(), s.lanes * 4), as(y, b.getI8Type(), s.lanes * 4)});
  case ProductKind::PairsI32: {
    Value p = as(x, b.getI16Type(), s.lanes * 2), q = as(y, b.getI16Type(), s.lanes * 2);
    if (wide)
      return intrinsic("llvm.x86.avx512.vpdpwssd.512", {sum, p, q});
    Value pairs = intrinsic("llvm.x86.avx2.pmadd.wd", {p, q});
    return LLVM::AddOp::create(b, loc, sum, pairs);
  }
  }
  return {};
}

/// `count` steps of k on a register tile, from the pointers on: the sums, and where the pointers
/// are then.
SmallVector<Value> ProductEmitter::steps(int64_t count, ArrayRef<Value> sums, Value a, Value bPanel,
                                         int64_t rows, const Operands &from) {
  SmallVector<Value> next(sums);
  auto vec = VectorType::get({s.lanes}, s.word);
  for (int64_t u = 0; u < count; ++u) {
    SmallVector<Value> columns;
    for (int64_t v = 0; v < ProductShape::kVectors; ++v)
      columns.push_back(LLVM::LoadOp::create(b, loc, vec,
                                             offset(bPanel, v * s.lanes * s.wordBytes()),
                                             static_cast<unsigned>(s.wordBytes())));
    for (int64_t i = 0; i < rows; ++i) {
      Value word =
          LLVM::LoadOp::create(b, loc, s.word, offset(a, i * from.aRowBytes + u * s.wordBytes()),
                               s.group > 1 ? 1 : static_cast<unsigned>(s.wordBytes()));
      Value all = vector::BroadcastOp::create(b, loc, vec, word);
      for (int64_t v = 0; v < ProductShape::kVectors; ++v) {
        Value &sum = next[static_cast<size_t>(i * ProductShape::kVectors + v)];
        sum = multiply(all, columns[static_cast<size_t>(v)], sum);
      }
    }
    bPanel = offset(bPanel, from.bWordBytes);
  }
  next.push_back(offset(a, count * s.wordBytes()));
  next.push_back(bPanel);
  return next;
}

void ProductEmitter::registerTile(int64_t rows, const Operands &from) {
  auto vec = VectorType::get({s.lanes}, s.sum);
  const auto vectorBytes = s.lanes * s.wordBytes();
  SmallVector<Value> carried;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t v = 0; v < ProductShape::kVectors; ++v)
      carried.push_back(
          fromZero ? e.zero(vec)
                   : LLVM::LoadOp::create(b, loc, vec,
                                          offset(from.c, i * from.cRowBytes + v * vectorBytes),
                                          static_cast<unsigned>(s.wordBytes())));
  carried.append({from.a, from.bPanel});
  auto run = [&](Value lo, Value hi, int64_t count) {
    auto loop = scf::ForOp::create(b, loc, lo, hi, e.index(count), carried);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> args(loop.getRegionIterArgs());
    Value bAt = args.pop_back_val(), aAt = args.pop_back_val();
    scf::YieldOp::create(b, loc, steps(count, args, aAt, bAt, rows, from));
    carried.assign(loop.getResults().begin(), loop.getResults().end());
  };
  Value main = e.mul(e.div(wordCount, kUnroll), e.index(kUnroll));
  run(e.index(0), main, kUnroll);
  if (auto constant = getConstantIntValue(wordCount); !constant || *constant % kUnroll)
    run(main, wordCount, 1);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t v = 0; v < ProductShape::kVectors; ++v)
      LLVM::StoreOp::create(b, loc, carried[static_cast<size_t>(i * ProductShape::kVectors + v)],
                            offset(from.c, i * from.cRowBytes + v * vectorBytes),
                            static_cast<unsigned>(s.wordBytes()));
}

/// The heights that register tiles may have. Where the number of rows is known, that of a whole
/// tile, that of the last one, and what these leave.
SmallVector<int64_t> ProductEmitter::heights() const {
  SmallVector<int64_t> all;
  auto extent = rowLimit ? rowLimit->extent.constant() : std::optional(m);
  if (!extent) {
    for (int64_t h = 1; h <= std::min(m, s.rows); ++h)
      all.push_back(h);
    return all;
  }
  auto addAll = [&](int64_t count) {
    if (count <= 0)
      return;
    const auto tiles = int64_t(llvm::divideCeil(count, s.rows));
    const auto height = int64_t(llvm::divideCeil(count, tiles));
    for (int64_t h : {height, count % height})
      if (h && !llvm::is_contained(all, h))
        all.push_back(h);
  };
  addAll(std::min(m, *extent));
  addAll(*extent % m);
  return all;
}

void ProductEmitter::emit(const Buffer &sums) {
  // Columns are computed in whole panels, so rows must have room for them.
  if (int64_t room = llvm::alignTo(uint64_t(n), uint64_t(s.width())); sums.strides[0] < room) {
    Buffer wide = e.allocate({m, room}, s.sum);
    e.copy(sums, wide, sums.shape);
    emit(wide);
    return e.copy(wide, sums, sums.shape);
  }
  findLimits();
  if (fromZero && (rowLimit || columnLimit)) {
    e.materialize(op.getAccumulator(), sums); // what is not computed is zero, too
    fromZero = false;
  }
  Value rowCount = rowLimit ? rowLimit->elems : e.index(m);
  Value panels = columnLimit ? e.div(e.add(columnLimit->elems, e.index(s.width() - 1)), s.width())
                             : e.index(llvm::divideCeil(n, s.width()));
  Left a = left();
  Right r = right();
  // Rows in register tiles of nearly equal height.
  Value tiles = e.div(e.add(rowCount, e.index(s.rows - 1)), s.rows);
  Value one = e.index(1);
  Value height = b.createOrFold<arith::DivUIOp>(loc, e.sub(e.add(rowCount, tiles), one),
                                                e.largest(tiles, one));
  const int64_t cRowBytes = sums.strides[0] * s.wordBytes();
  SmallVector<int64_t> heights = this->heights();
  auto bytes = [&](Value i, int64_t each) -> Value {
    return arith::IndexCastOp::create(b, loc, b.getI64Type(), e.mul(i, e.index(each)));
  };
  e.loop(e.index(0), panels, 1, [&](Value panel) {
    Value panel64 = arith::IndexCastOp::create(b, loc, b.getI64Type(), panel);
    Value bPanel = offset(r.pointer, Value(LLVM::MulOp::create(b, loc, panel64, r.panelBytes)));
    Value cPanel = offset(sums.pointer, bytes(panel, s.width() * s.wordBytes()));
    e.loop(e.index(0), tiles, 1, [&](Value tile) {
      Value row = e.mul(tile, height);
      Value left = e.smallest(height, e.sub(rowCount, row));
      Value aAt = offset(a.pointer, bytes(row, a.rowBytes));
      Operands at{aAt,        bPanel,    offset(cPanel, bytes(row, cRowBytes)),
                  a.rowBytes, cRowBytes, r.wordBytes};
      if (heights.size() == 1)
        return registerTile(heights[0], at);
      auto choice = scf::IndexSwitchOp::create(b, loc, TypeRange{}, left, heights,
                                               static_cast<unsigned>(heights.size()));
      OpBuilder::InsertionGuard guard(b);
      for (auto [region, h] : llvm::zip_equal(choice.getCaseRegions(), heights)) {
        b.setInsertionPointToStart(&region.emplaceBlock());
        registerTile(h, at);
        scf::YieldOp::create(b, loc);
      }
      b.setInsertionPointToStart(&choice.getDefaultRegion().emplaceBlock());
      scf::YieldOp::create(b, loc);
    });
  });
}

/// Where the sums of a product lie: in place of the accumulator when nothing else reads it.
Buffer KernelEmitter::accumulatorFor(MmaOp op) {
  Value value = op.getAccumulator();
  RankedTensorType type = op.getResult().getType();
  OpOperand &use = op.getAccumulatorMutable();
  if (isOwn(value) && value.hasOneUse())
    return buffers.at(value);
  // A sum that goes around a loop stays in the loop's buffer, even when it is scaled on the way.
  if (auto loop = dyn_cast<scf::ForOp>(op->getParentOp()); loop && op.getResult().hasOneUse()) {
    OpOperand &next = *op.getResult().use_begin();
    if (isa<scf::YieldOp>(next.getOwner())) {
      Value argument = loop.getRegionIterArg(next.getOperandNumber());
      if (!isOwn(value) && plan.flowsOnlyInto(argument, use)) {
        Buffer into = buffers.at(argument);
        materialize(value, into);
        return into;
      }
    }
  }
  Buffer into = allocate(type.getShape(), type.getElementType());
  if (isOwn(value))
    copy(buffers.at(value), into);
  else
    materialize(value, into);
  return into;
}

void KernelEmitter::emitMma(MmaOp op) {
  // Sums of one product that starts with zeros need not be written before.
  auto zeros = op.getAccumulator().getDefiningOp<arith::ConstantOp>();
  auto value = zeros ? dyn_cast<SplatElementsAttr>(zeros.getValue()) : SplatElementsAttr();
  RankedTensorType type = op.getResult().getType();
  if (value && value.getType().getElementType().isF32() &&
      value.getSplatValue<APFloat>().isPosZero() && !isa<scf::ForOp>(op->getParentOp())) {
    ProductEmitter product(*this, op);
    Buffer sums = allocate(type.getShape(), type.getElementType());
    product.startFromZero();
    product.emit(sums);
    buffers[op.getResult()] = sums;
    return;
  }
  Buffer sums = accumulatorFor(op);
  ProductEmitter(*this, op).emit(sums);
  buffers[op.getResult()] = sums;
}

} // namespace imbrex::codegen
