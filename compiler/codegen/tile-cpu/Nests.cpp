// Loops over tiles, one vector at a time.
#include "compiler/codegen/tile-cpu/KernelEmitter.h"

namespace imbrex::codegen {

using namespace mlir;
using namespace tile;

/// Rows of a buffer that would all fall on the same cache sets are moved apart by a line.
static constexpr int64_t kLineBytes = 64, kConflictBytes = 1024;

static int64_t bitsOf(Type element) {
  return element.isIndex() ? 64 : std::max<int64_t>(element.getIntOrFloatBitWidth(), 8);
}

static int64_t floorPowerOf2(int64_t n) { return int64_t(llvm::bit_floor(uint64_t(n))); }

Point KernelEmitter::lanesFor(ArrayRef<int64_t> shape, Value tree, unsigned atLeastBits) {
  int64_t bits = std::max<int64_t>(atLeastBits, 8);
  auto count = [&](Type type) {
    Type element = getElementTypeOrSelf(type);
    // Truth values are as wide as what was compared.
    if (!element.isInteger(1) && isTile(type))
      bits = std::max(bits, bitsOf(element));
  };
  if (tree)
    count(tree.getType());
  if (tree && !isOwn(tree)) {
    plan.forEachInline(tree, [&](Operation *op) {
      if (isViewRead(op) || isa<IotaOp>(op) || isElementwise(op))
        count(op->getResult(0).getType());
      for (Value operand : op->getOperands())
        if (isElementwise(op))
          count(operand.getType());
    });
  }
  Point like;
  for (size_t d = shape.size(); d-- > 0;)
    if (shape[d] > 1) {
      like.axis = static_cast<int64_t>(d);
      like.lanes = std::min(floorPowerOf2(shape[d]), int64_t(target.vectorBits) / bits);
      break;
    }
  return like;
}

void KernelEmitter::nestFrom(size_t axis, ArrayRef<int64_t> shape, Point &point, int64_t lanes,
                             ArrayRef<Value> limits, function_ref<void(const Point &)> body) {
  while (axis < shape.size() && static_cast<int64_t>(axis) == point.axis)
    ++axis;
  auto steps = [&](int64_t from, int64_t to, int64_t step, function_ref<void()> inner, size_t d) {
    if (to - from == step) {
      point.at[d] = index(from);
      return inner();
    }
    const bool limited = !limits.empty() && limits[d];
    Value hi = !limited ? index(to) : step == 1 ? limits[d] : smallest(limits[d], index(to));
    loop(index(from), hi, step, [&](Value i) {
      point.at[d] = i;
      inner();
    });
  };
  if (axis < shape.size()) {
    bool limited = !limits.empty() && limits[axis];
    auto inner = [&] { nestFrom(axis + 1, shape, point, lanes, limits, body); };
    if (shape[axis] == 1 && limited)
      return loop(index(0), limits[axis], 1, [&](Value i) {
        point.at[axis] = i;
        inner();
      });
    return steps(0, shape[axis], 1, inner, axis);
  }
  auto run = [&] {
    known.clear();
    body(point);
    known.clear();
  };
  if (point.axis < 0)
    return run();
  auto along = static_cast<size_t>(point.axis);
  int64_t extent = shape[along], done = extent / lanes * lanes;
  point.lanes = lanes;
  if (done > 0)
    steps(0, done, lanes, run, along);
  // What remains, in ever shorter vectors: 13 = 8 + 4 + 1.
  for (int64_t part = lanes / 2; part >= 1; part /= 2) {
    if (extent - done < part)
      continue;
    point.lanes = part == 1 ? 0 : part;
    point.at[along] = index(done);
    int64_t axisOfLanes = point.axis;
    point.axis = part == 1 ? -1 : axisOfLanes;
    run();
    point.axis = axisOfLanes;
    done += part;
  }
}

void KernelEmitter::nest(ArrayRef<int64_t> shape, const Point &like, ArrayRef<Value> limits,
                         function_ref<void(const Point &)> body) {
  Point point = like;
  point.at.assign(shape.size(), Value());
  nestFrom(0, shape, point, like.lanes, limits, body);
}

void KernelEmitter::versions(Value inside, function_ref<void(bool)> emit) {
  if (!inside)
    return emit(true);
  auto choice = scf::IfOp::create(b, loc, TypeRange{}, inside, true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  emit(true);
  b.setInsertionPointToStart(choice.elseBlock());
  emit(false);
}

Buffer KernelEmitter::allocate(ArrayRef<int64_t> shape, Type element) {
  Type storage = element.isInteger(1) ? Type(b.getI8Type()) : element;
  Buffer buffer;
  buffer.element = element;
  buffer.shape.assign(shape.begin(), shape.end());
  buffer.strides.assign(shape.size(), 1);
  const int64_t bytes = bitsOf(element) / 8;
  int64_t elems = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    buffer.strides[d] = elems;
    elems *= shape[d];
    if (d + 1 == shape.size() && d > 0 && elems * bytes % kConflictBytes == 0)
      elems += kLineBytes / bytes;
  }
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(top);
  Value base = frame.scratchPointer();
  buffer.pointer =
      LLVM::GEPOp::create(b, loc, base.getType(), b.getI8Type(), base,
                          ValueRange{LLVM::ConstantOp::create(b, loc, b.getI64Type(),
                                                              b.getI64IntegerAttr(scratchUsed))});
  buffer.memory = frame.flat(buffer.pointer, storage, index(elems));
  scratchUsed += llvm::alignTo(uint64_t(elems * bytes), kLineBytes);
  return buffer;
}

/// Rows of a square matrix as its columns: for each bit of the row's number, the lanes with that
/// bit change places with the rows with it.
static void turnSquare(OpBuilder &b, Location loc, SmallVectorImpl<Value> &rows) {
  const auto lanes = static_cast<int64_t>(rows.size());
  for (int64_t bit = lanes / 2; bit > 0; bit /= 2) {
    SmallVector<int64_t> upper, lower; // of the row without the bit, and of the one with it
    for (int64_t l = 0; l < lanes; ++l) {
      upper.push_back(l & bit ? lanes + (l ^ bit) : l);
      lower.push_back(l & bit ? lanes + l : l ^ bit);
    }
    for (int64_t r = 0; r < lanes; ++r) {
      if (r & bit)
        continue;
      Value x = rows[static_cast<size_t>(r)], y = rows[static_cast<size_t>(r | bit)];
      rows[static_cast<size_t>(r)] = vector::ShuffleOp::create(b, loc, x, y, upper);
      rows[static_cast<size_t>(r | bit)] = vector::ShuffleOp::create(b, loc, x, y, lower);
    }
  }
}

void KernelEmitter::turn(const Buffer &from, const Buffer &into) {
  const auto lanes = int64_t(target.vectorBits) / 32;
  const int64_t rows = from.shape[0], columns = from.shape[1];
  const int64_t wholeRows = rows / lanes * lanes, wholeColumns = columns / lanes * lanes;
  auto at = [](Value i, Value j, int64_t axis, int64_t count) {
    Point p;
    p.at = {i, j};
    p.axis = count ? axis : -1;
    p.lanes = count;
    return p;
  };
  loop(index(0), index(wholeRows), lanes, [&](Value i) {
    loop(index(0), index(wholeColumns), lanes, [&](Value j) {
      SmallVector<Value> square;
      for (int64_t r = 0; r < lanes; ++r)
        square.push_back(readBuffer(from, at(add(i, index(r)), j, 1, lanes)));
      turnSquare(b, loc, square);
      for (int64_t r = 0; r < lanes; ++r)
        writeBuffer(into, at(add(j, index(r)), i, 1, lanes), square[static_cast<size_t>(r)]);
    });
  });
  // What is left of the rows in vectors, the last columns one by one.
  loop(index(wholeRows), index(rows), 1, [&](Value i) {
    loop(index(0), index(wholeColumns), lanes, [&](Value j) {
      writeBuffer(into, at(j, i, 0, lanes), readBuffer(from, at(i, j, 1, lanes)));
    });
  });
  loop(index(0), index(rows), 1, [&](Value i) {
    loop(index(wholeColumns), index(columns), 1,
         [&](Value j) { writeBuffer(into, at(j, i, -1, 0), readBuffer(from, at(i, j, -1, 0))); });
  });
}

void KernelEmitter::materialize(Value tile, const Buffer &into) {
  if (isTurn(tile.getDefiningOp()))
    return turn(buffers.at(tile.getDefiningOp()->getOperand(0)), into);
  versions(insideOfTree(tile), [&](bool inside) {
    Point like = lanesFor(into.shape, tile);
    like.inside = inside;
    nest(into.shape, like, {}, [&](const Point &p) {
      writeBuffer(into, p, isOwn(tile) ? readBuffer(buffers.at(tile), p) : evalNew(tile, p));
    });
  });
}

void KernelEmitter::copy(const Buffer &from, const Buffer &to, ArrayRef<int64_t> shape) {
  nest(shape, lanesFor(shape, nullptr, static_cast<unsigned>(bitsOf(to.element))), {},
       [&](const Point &p) { writeBuffer(to, p, readBuffer(from, p)); });
}

void KernelEmitter::emitConcat(ConcatOp op) {
  RankedTensorType type = op.getResult().getType();
  Buffer whole = allocate(type.getShape(), type.getElementType());
  auto axis = static_cast<size_t>(op.getAxis());
  int64_t first = 0;
  for (Value source : op.getSources()) {
    auto part = cast<RankedTensorType>(source.getType());
    versions(insideOfTree(source), [&](bool inside) {
      Point like = lanesFor(part.getShape(), source);
      like.inside = inside;
      nest(part.getShape(), like, {}, [&](const Point &p) {
        Point to = p;
        to.at[axis] = add(p.at[axis], index(first));
        writeBuffer(whole, to, eval(source, p));
      });
    });
    first += part.getDimSize(static_cast<unsigned>(axis));
  }
  buffers[op.getResult()] = whole;
}

} // namespace imbrex::codegen
