#include "compiler/codegen/tile-cpu/Product.h"

namespace imbrex::codegen {

using namespace mlir;
using namespace tile;

/// Steps of k in one turn of the inner loop.
static constexpr int64_t kUnroll = 4;

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
