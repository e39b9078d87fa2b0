// The elements of tiles that are computed where they are used.
#include "compiler/codegen/tile-cpu/KernelEmitter.h"

namespace imbrex::codegen {

using namespace mlir;
using namespace tile;

static bool same(const Point &x, const Point &y) {
  return x.lanes == y.lanes && x.axis == y.axis && x.inside == y.inside && x.at == y.at;
}

Value KernelEmitter::eval(Value tile, const Point &p) {
  if (auto it = buffers.find(tile); it != buffers.end())
    return readBuffer(it->second, p);
  for (const Known &k : known)
    if (k.tile == tile && same(k.point, p))
      return k.value;
  Value value = evalNew(tile, p);
  known.push_back({tile, p, value});
  return value;
}

Value KernelEmitter::evalNew(Value tile, const Point &p) {
  Operation *op = tile.getDefiningOp();
  Type element = cast<RankedTensorType>(tile.getType()).getElementType();
  if (isViewRead(op))
    return readView(op, p);
  if (isElementwise(op))
    return keptOf(op, p, [&] { return evalElementwise(op, p); });
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](arith::ConstantOp o) -> Value {
        auto value = cast<SplatElementsAttr>(o.getValue()).getSplatValue<TypedAttr>();
        if (!p.lanes)
          return arith::ConstantOp::create(b, loc, value);
        auto type = VectorType::get({p.lanes}, element);
        return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, Attribute(value)));
      })
      .Case([&](BroadcastOp o) { return evalBroadcast(o, p); })
      .Case([&](ReshapeOp o) { return evalReshape(o, p); })
      .Case([&](TransposeOp o) {
        Point from = p;
        for (auto [d, axis] : llvm::enumerate(o.getOrder()))
          from.at[static_cast<size_t>(axis)] = p.at[d];
        if (p.axis >= 0)
          from.axis = o.getOrder()[static_cast<size_t>(p.axis)];
        return eval(o.getSource(), from);
      })
      .Case([&](SliceOp o) {
        Point from = p;
        for (auto [at, offset] : llvm::zip_equal(from.at, o.getOffsets()))
          at = add(at, index(offset));
        if (p.axis >= 0 && o.getOffsets()[static_cast<size_t>(p.axis)] % p.lanes != 0)
          from.aligned = false;
        return eval(o.getSource(), from);
      })
      .Case([&](IotaOp o) -> Value {
        Value first = p.at[o.getAxis()];
        Type each = typeAt(element, p);
        if (p.lanes) {
          first = splat(first, p.lanes);
          if (p.axis == static_cast<int64_t>(o.getAxis()))
            first =
                add(first,
                    vector::StepOp::create(b, loc, VectorType::get({p.lanes}, b.getIndexType())));
        }
        return element.isIndex() ? first : Value(arith::IndexCastOp::create(b, loc, each, first));
      })
      .Default([&](Operation *o) -> Value {
        failure = unsupportedOp(o, "has no lowering");
        return zero(typeAt(element, p));
      });
}

Value KernelEmitter::evalBroadcast(BroadcastOp op, const Point &p) {
  auto type = dyn_cast<RankedTensorType>(op.getSource().getType());
  if (!type)
    return splat(scalar(op.getSource()), p.lanes);
  Point from = p;
  for (auto [d, size] : llvm::enumerate(type.getShape()))
    if (size == 1)
      from.at[d] = index(0);
  bool repeats = p.axis >= 0 && type.getDimSize(static_cast<unsigned>(p.axis)) == 1;
  if (!repeats)
    return eval(op.getSource(), from);
  from.axis = -1;
  from.lanes = 0;
  return splat(eval(op.getSource(), from), p.lanes);
}

Value KernelEmitter::evalElement(Value tile, ArrayRef<Value> at, bool inside) {
  Point p;
  p.at.assign(at.begin(), at.end());
  p.inside = inside;
  return eval(tile, p);
}

/// Each lane by itself: right for every tile, slow.
Value KernelEmitter::evalByElement(Value tile, const Point &p) {
  Values lanes;
  for (int64_t l = 0; l < p.lanes; ++l) {
    Values at(p.at);
    at[static_cast<size_t>(p.axis)] = add(at[static_cast<size_t>(p.axis)], index(l));
    lanes.push_back(evalElement(tile, at, p.inside));
  }
  Type element = cast<RankedTensorType>(tile.getType()).getElementType();
  return vector::FromElementsOp::create(b, loc, VectorType::get({p.lanes}, element), lanes);
}

/// The axes that are longer than 1.
static SmallVector<size_t> longAxes(ArrayRef<int64_t> shape) {
  SmallVector<size_t> axes;
  for (auto [d, size] : llvm::enumerate(shape))
    if (size > 1)
      axes.push_back(d);
  return axes;
}

Value KernelEmitter::evalReshape(ReshapeOp op, const Point &p) {
  ArrayRef<int64_t> to = op.getResult().getType().getShape(),
                    shape = op.getSource().getType().getShape();
  SmallVector<size_t> toLong = longAxes(to), fromLong = longAxes(shape);
  auto sizesOf = [](ArrayRef<int64_t> s, ArrayRef<size_t> axes) {
    return llvm::map_to_vector(axes, [&](size_t d) { return s[d]; });
  };
  Point from = p;
  from.at.assign(shape.size(), index(0));
  if (sizesOf(to, toLong) == sizesOf(shape, fromLong)) {
    for (auto [x, y] : llvm::zip_equal(toLong, fromLong)) {
      from.at[y] = p.at[x];
      if (p.axis == static_cast<int64_t>(x))
        from.axis = static_cast<int64_t>(y);
    }
    return eval(op.getSource(), from);
  }
  // Leading axes that are the same need no arithmetic.
  size_t same = 0;
  while (same + 1 < std::min(toLong.size(), fromLong.size()) &&
         to[toLong[same]] == shape[fromLong[same]]) {
    from.at[fromLong[same]] = p.at[toLong[same]];
    ++same;
  }
  if (p.lanes) {
    // Lanes stay neighbours when they fill the last axis of both shapes evenly, or a row of the
    // result lies within one of the operand.
    int64_t mine = to[toLong.back()], theirs = shape[fromLong.back()];
    bool last = toLong.back() == static_cast<size_t>(p.axis) &&
                ((p.aligned && mine % p.lanes == 0 && theirs % p.lanes == 0) || theirs % mine == 0);
    if (!last)
      return evalByElement(op.getResult(), p);
    from.axis = static_cast<int64_t>(fromLong.back());
    from.aligned = from.aligned && mine % p.lanes == 0;
  }
  Value flat = index(0);
  for (size_t x : llvm::drop_begin(toLong, same))
    flat = add(mul(flat, index(to[x])), p.at[x]);
  for (size_t y = fromLong.size(); y-- > same;) {
    bool first = y == same;
    from.at[fromLong[y]] = first ? flat : rem(flat, shape[fromLong[y]]);
    flat = first ? index(0) : div(flat, shape[fromLong[y]]);
  }
  return eval(op.getSource(), from);
}

/// A divisor that the machine does not trap on: elements beyond an edge are divided, too.
static Value safeDivisor(OpBuilder &b, Location loc, Value x, Value y, bool isSigned) {
  Type type = y.getType();
  auto all = [&](int64_t v) -> Value {
    Attribute each = b.getIntegerAttr(getElementTypeOrSelf(type), v);
    if (auto vec = dyn_cast<VectorType>(type))
      return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(vec, each));
    return arith::ConstantOp::create(b, loc, cast<TypedAttr>(each));
  };
  Value bad = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, y, all(0));
  if (isSigned) {
    // x / -1 overflows for one x only; there 1 stands for -1.
    Type element = getElementTypeOrSelf(type);
    unsigned width = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
    Value least = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, x,
                                        all(llvm::minIntN(static_cast<int64_t>(width))));
    Value minus = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, y, all(-1));
    bad = arith::OrIOp::create(b, loc, bad, Value(arith::AndIOp::create(b, loc, least, minus)));
  }
  return arith::SelectOp::create(b, loc, bad, all(1), y);
}

Value KernelEmitter::evalElementwise(Operation *op, const Point &p) {
  Values operands;
  for (Value v : op->getOperands())
    operands.push_back(isTile(v.getType()) ? eval(v, p) : scalar(v));
  Type result = typeAt(getElementTypeOrSelf(op->getResult(0).getType()), p);
  StringRef name = op->getName().stripDialect();
  if (llvm::is_contained(
          {"divsi", "remsi", "divui", "remui", "floordivsi", "ceildivsi", "ceildivui"}, name))
    operands[1] = safeDivisor(b, loc, operands[0], operands[1], name.ends_with("si"));
  // Functions of short floats are computed in f32.
  Type element = getElementTypeOrSelf(result);
  bool narrow = op->getName().getDialectNamespace() == "math" && isa<FloatType>(element) &&
                element.getIntOrFloatBitWidth() < 32;
  if (narrow)
    for (Value &v : operands)
      v = arith::ExtFOp::create(b, loc, typeAt(b.getF32Type(), p), v);
  OperationState state(loc, op->getName().getStringRef(), operands,
                       {narrow ? typeAt(b.getF32Type(), p) : result});
  state.addAttributes(op->getAttrs());
  Value value = b.create(state)->getResult(0);
  return narrow ? Value(arith::TruncFOp::create(b, loc, result, value)) : value;
}

} // namespace imbrex::codegen
