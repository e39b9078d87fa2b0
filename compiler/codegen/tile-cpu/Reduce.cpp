// Reductions in the order that the dialect fixes, and scans.
//
// Sums of floats go through kReduceLanes running sums, then halves are added: along the last axis
// the running sums are vectors, across other axes each column keeps its own. Where order does not
// matter (integers, maximum, minimum) a few running results do.
#include "compiler/codegen/tile-cpu/KernelEmitter.h"

namespace imbrex::codegen {

using namespace mlir;
using namespace tile;

static constexpr auto kLanes = static_cast<int64_t>(kReduceLanes);

Value KernelEmitter::join(Kind kind, Value x, Value y) {
  if (!x || !y)
    return x ? x : y;
  bool real = isa<FloatType>(getElementTypeOrSelf(x.getType()));
  switch (kind) {
  case Kind::sum:
    return real ? Value(arith::AddFOp::create(b, loc, x, y))
                : Value(arith::AddIOp::create(b, loc, x, y));
  case Kind::product:
    return real ? Value(arith::MulFOp::create(b, loc, x, y))
                : Value(arith::MulIOp::create(b, loc, x, y));
  case Kind::maximum:
    return real ? Value(arith::MaximumFOp::create(b, loc, x, y))
                : Value(arith::MaxSIOp::create(b, loc, x, y));
  case Kind::minimum:
    return real ? Value(arith::MinimumFOp::create(b, loc, x, y))
                : Value(arith::MinSIOp::create(b, loc, x, y));
  }
  return {};
}

Value KernelEmitter::widen(Value v, Type element) {
  Type from = getElementTypeOrSelf(v.getType());
  if (from == element)
    return v;
  Type to = element;
  if (auto vec = dyn_cast<VectorType>(v.getType()))
    to = VectorType::get(vec.getShape(), element);
  if (isa<FloatType>(element))
    return arith::ExtFOp::create(b, loc, to, v);
  if (from.isInteger(1))
    return arith::ExtUIOp::create(b, loc, to, v);
  return arith::ExtSIOp::create(b, loc, to, v);
}

/// What changes nothing when joined.
Value KernelEmitter::identity(Kind kind, Type element, int64_t lanes) {
  TypedAttr one;
  if (auto real = dyn_cast<FloatType>(element)) {
    const llvm::fltSemantics &s = real.getFloatSemantics();
    APFloat value = kind == Kind::sum       ? APFloat::getZero(s, true)
                    : kind == Kind::product ? APFloat(s, 1)
                                            : APFloat::getInf(s, kind == Kind::maximum);
    one = FloatAttr::get(real, value);
  } else {
    unsigned width = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
    APInt value = kind == Kind::sum       ? APInt(width, 0)
                  : kind == Kind::product ? APInt(width, 1)
                  : kind == Kind::maximum ? APInt::getSignedMinValue(width)
                                          : APInt::getSignedMaxValue(width);
    one = b.getIntegerAttr(element, value);
  }
  return splat(arith::ConstantOp::create(b, loc, one), lanes);
}

/// The axis is the one that lies side by side in memory: running sums are vectors.
void KernelEmitter::reduceAlong(ReduceOp op, const Buffer &into, bool inside) {
  RankedTensorType type = op.getSource().getType();
  int64_t axis = op.getAxis(), n = type.getDimSize(static_cast<unsigned>(axis));
  Kind kind = op.getKind();
  Type element = into.element;
  Point like = lanesFor(type.getShape(), op.getSource(),
                        element.isIndex() ? 64 : element.getIntOrFloatBitWidth());
  int64_t width = std::min(like.lanes, kLanes), groups = kLanes / width;
  auto vec = VectorType::get({width}, element);
  nest(into.shape, Point{}, {}, [&](const Point &row) {
    auto at = [&](Value i, int64_t lanes) {
      Point p;
      p.at = row.at;
      p.at.insert(p.at.begin() + axis, i);
      p.axis = lanes ? axis : -1;
      p.lanes = lanes;
      p.inside = inside;
      return widen(eval(op.getSource(), p), element);
    };
    Values sums(static_cast<size_t>(groups));
    int64_t done = n / kLanes * kLanes;
    if (done > 0) {
      for (int64_t g = 0; g < groups; ++g)
        sums[g] = at(index(g * width), width);
      auto loop = scf::ForOp::create(b, loc, index(kLanes), index(done), index(kLanes), sums);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      known.clear();
      Values next;
      for (int64_t g = 0; g < groups; ++g)
        next.push_back(join(kind, loop.getRegionIterArgs()[g],
                            at(add(loop.getInductionVar(), index(g * width)), width)));
      scf::YieldOp::create(b, loc, next);
      known.clear();
      sums.assign(loop.getResults().begin(), loop.getResults().end());
    }
    // The last lanes, in pieces that fit; missing ones are the identity.
    for (int64_t g = 0; g < groups && done < n; ++g) {
      int64_t count = std::min(width, n - done);
      Value piece = count == width ? at(index(done), width) : identity(kind, element, width);
      for (int64_t part = width / 2, first = 0; count < width && part >= 1; part /= 2) {
        if (count - first < part)
          continue;
        Value some = at(index(done + first), part == 1 ? 0 : part);
        piece = part == 1
                    ? Value(vector::InsertOp::create(b, loc, some, piece, ArrayRef<int64_t>{first}))
                    : Value(vector::InsertStridedSliceOp::create(
                          b, loc, some, piece, ArrayRef<int64_t>{first}, ArrayRef<int64_t>{1}));
        first += part;
      }
      sums[g] = join(kind, sums[g], piece);
      done += count;
    }
    for (int64_t half = groups / 2; half > 0; half /= 2)
      for (int64_t g = 0; g < half; ++g)
        sums[g] = join(kind, sums[g], sums[g + half]);
    Value sum = sums[0] ? sums[0] : zero(vec);
    for (int64_t half = width / 2; half > 0; half /= 2) {
      auto part = [&](int64_t first) {
        return vector::ExtractStridedSliceOp::create(b, loc, sum, ArrayRef<int64_t>{first},
                                                     ArrayRef<int64_t>{half}, ArrayRef<int64_t>{1});
      };
      sum = join(kind, part(0), part(half));
    }
    writeBuffer(into, row, vector::ExtractOp::create(b, loc, sum, ArrayRef<int64_t>{0}));
  });
}

/// The lanes are columns: each has running sums of its own.
void KernelEmitter::reduceAcross(ReduceOp op, const Buffer &into, bool inside) {
  RankedTensorType type = op.getSource().getType();
  int64_t axis = op.getAxis(), n = type.getDimSize(static_cast<unsigned>(axis));
  Kind kind = op.getKind();
  Type element = into.element;
  bool ordered = isa<FloatType>(element) && (kind == Kind::sum || kind == Kind::product);
  int64_t running = std::min(n, ordered ? kLanes : 4);
  Point like = lanesFor(into.shape, op.getSource(),
                        element.isIndex() ? 64 : element.getIntOrFloatBitWidth());
  like.inside = inside;
  nest(into.shape, like, {}, [&](const Point &column) {
    auto at = [&](Value i) {
      Point p = column;
      p.at.insert(p.at.begin() + axis, i);
      p.axis += column.lanes && column.axis >= axis ? 1 : 0;
      return widen(eval(op.getSource(), p), element);
    };
    Values sums;
    int64_t done = n / running * running;
    if (done == running) {
      // Halves first, so that few sums are alive: [0] with [n/2], …
      std::function<Value(int64_t, int64_t)> tree = [&](int64_t first, int64_t step) -> Value {
        if (first >= n)
          return {};
        if (step >= running)
          return at(index(first));
        Value x = tree(first, step * 2);
        return join(kind, x, tree(first + step, step * 2));
      };
      if (n == running)
        return writeBuffer(into, column, tree(0, 1));
    }
    for (int64_t l = 0; l < running; ++l)
      sums.push_back(at(index(l)));
    auto loop = scf::ForOp::create(b, loc, index(running), index(done), index(running), sums);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      known.clear();
      Values next;
      for (int64_t l = 0; l < running; ++l)
        next.push_back(
            join(kind, loop.getRegionIterArgs()[l], at(add(loop.getInductionVar(), index(l)))));
      scf::YieldOp::create(b, loc, next);
      known.clear();
    }
    sums.assign(loop.getResults().begin(), loop.getResults().end());
    for (int64_t l = 0; done + l < n; ++l)
      sums[l] = join(kind, sums[l], at(index(done + l)));
    for (int64_t half = int64_t(llvm::bit_ceil(uint64_t(running))) / 2; half > 0; half /= 2)
      for (int64_t l = 0; l < half && l + half < running; ++l)
        sums[l] = join(kind, sums[l], sums[l + half]);
    writeBuffer(into, column, sums[0]);
  });
}

void KernelEmitter::emitReduce(ReduceOp op) {
  RankedTensorType type = op.getResult().getType();
  Buffer into = allocate(type.getShape(), type.getElementType());
  versions(insideOfTree(op.getSource()), [&](bool inside) {
    Point like = lanesFor(op.getSource().getType().getShape(), op.getSource());
    if (like.axis == static_cast<int64_t>(op.getAxis()))
      reduceAlong(op, into, inside);
    else
      reduceAcross(op, into, inside);
  });
  buffers[op.getResult()] = into;
}

void KernelEmitter::emitScan(ScanOp op) {
  RankedTensorType type = op.getResult().getType();
  Buffer into = allocate(type.getShape(), type.getElementType());
  int64_t axis = op.getAxis(), n = type.getDimSize(static_cast<unsigned>(axis));
  SmallVector<int64_t> shape(type.getShape());
  shape[static_cast<size_t>(axis)] = 1;
  versions(insideOfTree(op.getSource()), [&](bool inside) {
    Point like = lanesFor(shape, op.getSource());
    like.inside = inside;
    nest(shape, like, {}, [&](const Point &line) {
      auto at = [&](Value i) {
        Point p = line;
        p.at[static_cast<size_t>(axis)] = i;
        return p;
      };
      Value first = eval(op.getSource(), at(index(0)));
      writeBuffer(into, at(index(0)), first);
      auto loop = scf::ForOp::create(b, loc, index(1), index(n), index(1), ValueRange{first});
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      known.clear();
      Point p = at(loop.getInductionVar());
      Value next = join(op.getKind(), loop.getRegionIterArgs()[0], eval(op.getSource(), p));
      writeBuffer(into, p, next);
      scf::YieldOp::create(b, loc, ValueRange{next});
      known.clear();
    });
  });
  buffers[op.getResult()] = into;
}

} // namespace imbrex::codegen
