#include "compiler/codegen/tile-cpu/Product.h"

namespace imbrex::codegen {

using namespace mlir;
using namespace tile;

/// Panels that stream from memory at once.
static constexpr int64_t kPanels = 4;

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

Value ProductEmitter::bytes64(int64_t bytes) {
  return LLVM::ConstantOp::create(b, loc, b.getI64Type(), b.getI64IntegerAttr(bytes));
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

/// Panels side by side in a register tile: as many as registers hold where all rows fit into one
/// tile, so that more than one streams from memory.
int64_t ProductEmitter::panelsAtOnce() const {
  return std::max<int64_t>(std::min<int64_t>({kPanels, s.rows / m, n / s.width()}), 1);
}

/// The register tiles below each other, of nearly equal height, from panel `first` on.
void ProductEmitter::rowsOfTiles(const Left &a, const Right &r, Value first, int64_t panels) {
  Value rowCount = rowLimit ? rowLimit->elems : e.index(m);
  Value tiles = e.div(e.add(rowCount, e.index(s.rows - 1)), s.rows);
  Value one = e.index(1);
  Value height = b.createOrFold<arith::DivUIOp>(loc, e.sub(e.add(rowCount, tiles), one),
                                                e.largest(tiles, one));
  RegisterTile t;
  t.vectors = panels * ProductShape::kVectors;
  t.column = e.mul(first, e.index(s.width()));
  t.aRowBytes = a.rowBytes;
  t.bWordBytes = r.wordBytes;
  t.firstPanel = first;
  t.parts = r.parts;
  for (int64_t p = 0; p < panels && !r.parts; ++p) {
    Value panel = arith::IndexCastOp::create(b, loc, b.getI64Type(), e.add(first, e.index(p)));
    t.panels.push_back(offset(r.pointer, Value(LLVM::MulOp::create(b, loc, panel, r.panelBytes))));
  }
  SmallVector<int64_t> heights = this->heights();
  e.loop(e.index(0), tiles, 1, [&](Value tile) {
    t.row = e.mul(tile, height);
    t.a = offset(a.pointer, Value(arith::IndexCastOp::create(b, loc, b.getI64Type(),
                                                             e.mul(t.row, e.index(a.rowBytes)))));
    auto emitTile = [&](int64_t rows) {
      t.rows = rows;
      registerTile(t);
    };
    if (heights.size() == 1)
      return emitTile(heights[0]);
    Value left = e.smallest(height, e.sub(rowCount, t.row));
    auto choice = scf::IndexSwitchOp::create(b, loc, TypeRange{}, left, heights,
                                             static_cast<unsigned>(heights.size()));
    OpBuilder::InsertionGuard guard(b);
    for (auto [region, h] : llvm::zip_equal(choice.getCaseRegions(), heights)) {
      b.setInsertionPointToStart(&region.emplaceBlock());
      emitTile(h);
      scf::YieldOp::create(b, loc);
    }
    b.setInsertionPointToStart(&choice.getDefaultRegion().emplaceBlock());
    scf::YieldOp::create(b, loc);
  });
}

/// All columns, some panels at once; then what these leave.
void ProductEmitter::registerTiles(const Left &a, const Right &r) {
  Value panels = columnLimit ? e.div(e.add(columnLimit->elems, e.index(s.width() - 1)), s.width())
                             : e.index(llvm::divideCeil(n, s.width()));
  const int64_t atOnce = panelsAtOnce();
  Value done = e.mul(e.div(panels, atOnce), e.index(atOnce));
  e.loop(e.index(0), done, atOnce, [&](Value p) { rowsOfTiles(a, r, p, atOnce); });
  auto ends = std::pair(getConstantIntValue(done), getConstantIntValue(panels));
  if (atOnce > 1 && (!ends.first || ends.first != ends.second))
    e.loop(done, panels, 1, [&](Value p) { rowsOfTiles(a, r, p, 1); });
}

void ProductEmitter::emit(const Buffer &sums) {
  // Columns are computed in whole panels, so rows must have room for them.
  if (int64_t room = llvm::alignTo(uint64_t(n), uint64_t(s.width())); sums.strides[0] < room) {
    Buffer wide = e.allocate({m, room}, s.sum);
    e.copy(sums, wide, sums.shape);
    emit(wide);
    return e.copy(wide, sums, sums.shape);
  }
  into = sums;
  findLimits();
  if (fromZero && (rowLimit || columnLimit)) {
    e.materialize(op.getAccumulator(), sums); // what is not computed is zero, too
    fromZero = false;
  }
  Left a = left();
  registerTiles(a, right());
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

void KernelEmitter::emitSums(MmaOp op) {
  unfinished.erase(op.getResult());
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

void KernelEmitter::emitMma(MmaOp op) {
  if (isFinishedByYield(op))
    unfinished.insert(op.getResult());
  else
    emitSums(op);
}

} // namespace imbrex::codegen
