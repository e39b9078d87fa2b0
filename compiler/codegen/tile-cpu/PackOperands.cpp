// A product's operands copied into scratch: the left side in rows of words, the right in panels.
#include "compiler/codegen/tile-cpu/Product.h"

namespace imbrex::codegen {

using namespace mlir;
using namespace tile;

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

} // namespace imbrex::codegen
