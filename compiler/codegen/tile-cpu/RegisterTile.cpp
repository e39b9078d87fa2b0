// A product's register tiles: how many rows and vectors, and the loop over k.
#include "compiler/codegen/tile-cpu/Product.h"

namespace imbrex::codegen {

using namespace mlir;
using namespace tile;

/// Steps of k in one turn of the inner loop.
static constexpr int64_t kUnroll = 4;

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

SmallVector<Value> ProductEmitter::steps(int64_t count, ValueRange carried, const RegisterTile &t) {
  SmallVector<Value> next(carried);
  auto vec = VectorType::get({s.lanes}, s.word);
  const auto sums = static_cast<size_t>(t.rows * t.vectors);
  const int64_t vectorBytes = s.lanes * s.wordBytes();
  for (int64_t u = 0; u < count; ++u) {
    auto column = [&](int64_t v) -> Value {
      if (t.parts)
        return computedVector(t, u, v);
      Value panel = next[sums + 1 + static_cast<size_t>(v / ProductShape::kVectors)];
      return LLVM::LoadOp::create(b, loc, vec,
                                  offset(panel, v % ProductShape::kVectors * vectorBytes),
                                  static_cast<unsigned>(s.wordBytes()));
    };
    auto word = [&](int64_t i) -> Value {
      Value one = LLVM::LoadOp::create(b, loc, s.word,
                                       offset(next[sums], i * t.aRowBytes + u * s.wordBytes()),
                                       s.group > 1 ? 1 : static_cast<unsigned>(s.wordBytes()));
      return vector::BroadcastOp::create(b, loc, vec, one);
    };
    auto add = [&](int64_t i, int64_t v, Value left, Value right) {
      Value &sum = next[static_cast<size_t>(i * t.vectors + v)];
      sum = multiply(left, right, sum);
    };
    // The shorter side waits in registers.
    SmallVector<Value> kept;
    if (t.vectors > ProductShape::kVectors) {
      for (int64_t i = 0; i < t.rows; ++i)
        kept.push_back(word(i));
      for (int64_t v = 0; v < t.vectors; ++v)
        for (Value right = column(v); auto [i, left] : llvm::enumerate(kept))
          add(static_cast<int64_t>(i), v, left, right);
    } else {
      for (int64_t v = 0; v < t.vectors; ++v)
        kept.push_back(column(v));
      for (int64_t i = 0; i < t.rows; ++i)
        for (Value left = word(i); auto [v, right] : llvm::enumerate(kept))
          add(i, static_cast<int64_t>(v), left, right);
    }
    for (size_t p = sums + 1; p < next.size(); ++p)
      next[p] = offset(next[p], t.bWordBytes);
  }
  next[sums] = offset(next[sums], count * s.wordBytes());
  return next;
}

/// Where the accumulator starts.
SmallVector<Value> ProductEmitter::firstSums(const RegisterTile &t, ArrayRef<Point> places) {
  SmallVector<Value> sums;
  for (const Point &p : places)
    sums.push_back(fromZero   ? e.zero(VectorType::get({s.lanes}, s.sum))
                   : finished ? e.eval(op.getAccumulator(), p)
                              : e.readBuffer(into, p));
  sums.push_back(t.a);
  sums.append(t.panels.begin(), t.panels.end());
  return sums;
}

/// Stores the sums, or what is made of them. Row by row: the compiler sees that a row is done with
/// before the next one is begun, and keeps no more than the sums in registers.
void ProductEmitter::writeSums(const RegisterTile &t, ArrayRef<Point> places, ValueRange sums) {
  SmallVector<Value> values(sums);
  for (size_t row = 0; row < values.size(); row += static_cast<size_t>(t.vectors)) {
    const auto all = llvm::seq(row, row + static_cast<size_t>(t.vectors));
    if (finished)
      for (size_t i : all) {
        e.known.push_back({op.getResult(), places[i], values[i]});
        values[i] = e.eval(finished, places[i]);
      }
    for (size_t i : all)
      e.writeBuffer(into, places[i], values[i]);
    e.known.clear();
  }
}

void ProductEmitter::registerTile(const RegisterTile &t) {
  SmallVector<Value> columns;
  for (int64_t v = 0; v < t.vectors; ++v)
    columns.push_back(e.add(t.column, e.index(v * s.lanes)));
  SmallVector<Point> places;
  for (int64_t i = 0; i < t.rows; ++i) {
    Value row = e.add(t.row, e.index(i));
    for (Value column : columns) {
      Point p;
      p.at = {row, column};
      p.axis = 1;
      p.lanes = s.lanes;
      p.inside = inside;
      places.push_back(p);
    }
  }
  e.known.clear();
  SmallVector<Value> carried = firstSums(t, places);
  auto run = [&](Value lo, Value hi, int64_t count) {
    auto loop = scf::ForOp::create(b, loc, lo, hi, e.index(count), carried);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    scf::YieldOp::create(b, loc, steps(count, loop.getRegionIterArgs(), t));
    carried.assign(loop.getResults().begin(), loop.getResults().end());
  };
  auto constant = getConstantIntValue(wordCount);
  if (constant && *constant <= kStraight) {
    carried = steps(*constant, carried, t);
  } else {
    Value main = e.mul(e.div(wordCount, kUnroll), e.index(kUnroll));
    run(e.index(0), main, kUnroll);
    if (!constant || *constant % kUnroll)
      run(main, wordCount, 1);
  }
  writeSums(t, places, ValueRange(carried).take_front(places.size()));
}

} // namespace imbrex::codegen
