// Arithmetic on indices and tiles.
#include "compiler/edsl/Tracer.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace imbrex::edsl {

/// The trace that a value belongs to.
struct Access : Value {
  static Tracer &of(const Value &v) { return *static_cast<const Access &>(v).tracer; }
};

//===-- Indices -------------------------------------------------------------===//

template <class Op> static Index indexOp(const IndexOperand &x, const IndexOperand &y, At at) {
  Tracer &t = Access::of(x.index ? *x.index : *y.index);
  mlir::Value l = t.index(x), r = t.index(y);
  return t.toIndex(Op::create(t.b, t.loc(at), l, r));
}

Index operator+(IndexOperand a, const Index &b) { return indexOp<arith::AddIOp>(a, b, a.at); }
Index operator+(const Index &a, IndexOperand b) { return indexOp<arith::AddIOp>(a, b, b.at); }
Index operator-(IndexOperand a, const Index &b) { return indexOp<arith::SubIOp>(a, b, a.at); }
Index operator-(const Index &a, IndexOperand b) { return indexOp<arith::SubIOp>(a, b, b.at); }
Index operator+(const Index &a, const Index &b) { return a + IndexOperand(b); }
Index operator-(const Index &a, const Index &b) { return a - IndexOperand(b); }
Index operator*(const Index &a, IndexOperand b) { return indexOp<arith::MulIOp>(a, b, b.at); }
Index operator/(const Index &a, IndexOperand b) { return indexOp<arith::DivUIOp>(a, b, b.at); }
Index operator%(const Index &a, IndexOperand b) { return indexOp<arith::RemUIOp>(a, b, b.at); }

Index minimum(const Index &a, IndexOperand b) { return indexOp<arith::MinSIOp>(a, b, b.at); }
Index maximum(const Index &a, IndexOperand b) { return indexOp<arith::MaxSIOp>(a, b, b.at); }

static Condition compare(arith::CmpIPredicate p, const Index &a, const IndexOperand &b) {
  Tracer &t = Access::of(a);
  mlir::Value l = t.value(a), r = t.index(b);
  return {&t, arith::CmpIOp::create(t.b, t.loc(b.at), p, l, r).getResult().getAsOpaquePointer()};
}
Condition operator<(const Index &a, IndexOperand b) {
  return compare(arith::CmpIPredicate::slt, a, b);
}
Condition operator<=(const Index &a, IndexOperand b) {
  return compare(arith::CmpIPredicate::sle, a, b);
}
Condition operator>=(const Index &a, IndexOperand b) {
  return compare(arith::CmpIPredicate::sge, a, b);
}
Condition operator==(const Index &a, IndexOperand b) {
  return compare(arith::CmpIPredicate::eq, a, b);
}

//===-- Broadcasting --------------------------------------------------------===//

static std::string text(const Shape &shape) {
  std::string s = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    s += (i ? ", " : "") + std::to_string(shape[i]);
  return s + "]";
}

/// The common shape of two, as NumPy has it; empty optional when there is none.
static std::optional<Shape> joined(const Shape &a, const Shape &b) {
  Shape out(std::max(a.size(), b.size()));
  for (size_t i = 0; i < out.size(); ++i) {
    int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1, y = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (x != y && x != 1 && y != 1)
      return std::nullopt;
    out[out.size() - 1 - i] = std::max(x, y);
  }
  return out;
}

Tile reshape(const Tile &x, const Shape &shape, At at) {
  Tracer &t = Access::of(x);
  int64_t before = 1, after = 1;
  for (int64_t e : x.shape())
    before *= e;
  for (int64_t e : shape)
    after *= e;
  if (before != after) {
    t.fail(at, "sees a tile " + text(x.shape()) + " as " + text(shape));
    return t.constant(x.type(), shape, 0, t.loc(at));
  }
  if (x.shape() == shape)
    return x;
  return t.toTile(tile::ReshapeOp::create(t.b, t.loc(at), t.tensor(x.type(), shape), t.value(x)),
                  x.type());
}

Tile broadcast(const Tile &x, const Shape &shape, At at) {
  Tracer &t = Access::of(x);
  if (x.shape() == shape)
    return x;
  auto both = joined(x.shape(), shape);
  if (!both || *both != shape) {
    t.fail(at, "repeats a tile " + text(x.shape()) + " into " + text(shape));
    return t.constant(x.type(), shape, 0, t.loc(at));
  }
  Shape padded(shape.size() - x.shape().size(), 1);
  padded.insert(padded.end(), x.shape().begin(), x.shape().end());
  Tile same = reshape(x, padded, at);
  if (padded == shape)
    return same;
  return t.toTile(
      tile::BroadcastOp::create(t.b, t.loc(at), t.tensor(x.type(), shape), t.value(same)),
      x.type());
}

namespace {
struct Pair {
  Tracer &t;
  Tile a, b;
  At at;
};
} // namespace

/// Both sides with one type and shape.
static Pair match(const TileOperand &x, const TileOperand &y) {
  const Tile &like = x.tile ? *x.tile : *y.tile;
  Tracer &t = Access::of(like);
  const At at = x.tile ? y.at : x.at;
  Tile a = t.operand(x, like), b = t.operand(y, like);
  if (a.type() != b.type()) {
    t.fail(at, "joins tiles of " + std::string(name(a.type())) + " and " +
                   std::string(name(b.type())) + "; cast one of them");
    b = t.constant(a.type(), b.shape(), 0, t.loc(at));
  }
  auto shape = joined(a.shape(), b.shape());
  if (!shape) {
    t.fail(at, "joins tiles " + text(a.shape()) + " and " + text(b.shape()));
    return {t, a, a, at};
  }
  return {t, broadcast(a, *shape, at), broadcast(b, *shape, at), at};
}

/// An operation of floats, signed and unsigned integers; void where there is none.
template <class FloatOp, class IntOp, class UnsignedOp = IntOp>
static Tile arithmetic(const TileOperand &x, const TileOperand &y, const char *what) {
  Pair p = match(x, y);
  mlir::Value l = p.t.value(p.a), r = p.t.value(p.b), result;
  Location at = p.t.loc(p.at);
  if (isFloat(p.a.type())) {
    if constexpr (std::is_void_v<FloatOp>) {
      p.t.fail(p.at,
               std::string("takes ") + what + " of tiles of " + std::string(name(p.a.type())));
      return p.a;
    } else {
      result = FloatOp::create(p.t.b, at, l, r);
    }
  } else if (isUnsignedInt(p.a.type())) {
    result = UnsignedOp::create(p.t.b, at, l, r);
  } else {
    result = IntOp::create(p.t.b, at, l, r);
  }
  return p.t.toTile(result, p.a.type());
}

Tile operator+(TileOperand a, TileOperand b) {
  return arithmetic<arith::AddFOp, arith::AddIOp>(a, b, "a sum");
}
Tile operator-(TileOperand a, TileOperand b) {
  return arithmetic<arith::SubFOp, arith::SubIOp>(a, b, "a difference");
}
Tile operator*(TileOperand a, TileOperand b) {
  return arithmetic<arith::MulFOp, arith::MulIOp>(a, b, "a product");
}
Tile operator/(TileOperand a, TileOperand b) {
  return arithmetic<arith::DivFOp, arith::DivSIOp, arith::DivUIOp>(a, b, "a quotient");
}
Tile operator-(const Tile &a) { return 0.0 - a; }
Tile maximum(TileOperand a, TileOperand b) {
  return arithmetic<arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp>(a, b, "a maximum");
}
Tile minimum(TileOperand a, TileOperand b) {
  return arithmetic<arith::MinimumFOp, arith::MinSIOp, arith::MinUIOp>(a, b, "a minimum");
}
Tile fma(TileOperand a, TileOperand b, const Tile &c) {
  Pair factors = match(a, b);
  Tracer &t = factors.t;
  if (!isFloat(c.type())) {
    t.fail(factors.at, "takes fma of tiles of " + std::string(name(c.type())));
    return c;
  }
  Pair x = match(factors.a, c), y = match(factors.b, x.b);
  return t.toTile(
      math::FmaOp::create(t.b, t.loc(factors.at), t.value(x.a), t.value(y.a), t.value(y.b)),
      c.type());
}
Tile operator&(TileOperand a, TileOperand b) {
  return arithmetic<void, arith::AndIOp>(a, b, "bits");
}
Tile operator|(TileOperand a, TileOperand b) {
  return arithmetic<void, arith::OrIOp>(a, b, "bits");
}
Tile operator<<(TileOperand a, TileOperand b) {
  return arithmetic<void, arith::ShLIOp>(a, b, "a shift");
}
Tile operator>>(TileOperand a, TileOperand b) {
  return arithmetic<void, arith::ShRSIOp, arith::ShRUIOp>(a, b, "a shift");
}

static Tile comparison(arith::CmpFPredicate f, arith::CmpIPredicate i,
                       arith::CmpIPredicate ofUnsigned, const TileOperand &x,
                       const TileOperand &y) {
  Pair p = match(x, y);
  if (isUnsignedInt(p.a.type()))
    i = ofUnsigned;
  mlir::Value l = p.t.value(p.a), r = p.t.value(p.b);
  Location at = p.t.loc(p.at);
  return p.t.toTile(isFloat(p.a.type()) ? arith::CmpFOp::create(p.t.b, at, f, l, r).getResult()
                                        : arith::CmpIOp::create(p.t.b, at, i, l, r).getResult());
}
Tile less(TileOperand a, TileOperand b) {
  return comparison(arith::CmpFPredicate::OLT, arith::CmpIPredicate::slt, arith::CmpIPredicate::ult,
                    a, b);
}
Tile lessEqual(TileOperand a, TileOperand b) {
  return comparison(arith::CmpFPredicate::OLE, arith::CmpIPredicate::sle, arith::CmpIPredicate::ule,
                    a, b);
}
Tile equal(TileOperand a, TileOperand b) {
  return comparison(arith::CmpFPredicate::OEQ, arith::CmpIPredicate::eq, arith::CmpIPredicate::eq,
                    a, b);
}

Tile select(const Tile &condition, TileOperand yes, TileOperand no, At at) {
  Tracer &t = Access::of(condition);
  if (!yes.tile && !no.tile) {
    t.fail(at, "chooses between two numbers, whose type nothing says");
    return condition;
  }
  Pair p = match(yes, no);
  auto shape = joined(condition.shape(), p.a.shape());
  if (condition.type() != DType::Bool || !shape) {
    t.fail(at, "chooses by a tile " + text(condition.shape()) + " of " +
                   std::string(name(condition.type())) + " between tiles " + text(p.a.shape()));
    return p.a;
  }
  mlir::Value c = t.value(broadcast(condition, *shape, at)),
              a = t.value(broadcast(p.a, *shape, at)), b = t.value(broadcast(p.b, *shape, at));
  return t.toTile(arith::SelectOp::create(t.b, t.loc(at), c, a, b), p.a.type());
}

template <class Op> static Tile function(const Tile &x, At at, const char *what) {
  Tracer &t = Access::of(x);
  if (!isFloat(x.type())) {
    t.fail(at, std::string("takes ") + what + " of a tile of " + std::string(name(x.type())));
    return x;
  }
  return t.toTile(Op::create(t.b, t.loc(at), t.value(x)).getResult());
}
Tile exp(const Tile &x, At at) { return function<math::ExpOp>(x, at, "exp"); }
Tile log(const Tile &x, At at) { return function<math::LogOp>(x, at, "log"); }
Tile sqrt(const Tile &x, At at) { return function<math::SqrtOp>(x, at, "sqrt"); }
Tile rsqrt(const Tile &x, At at) { return function<math::RsqrtOp>(x, at, "rsqrt"); }
Tile tanh(const Tile &x, At at) { return function<math::TanhOp>(x, at, "tanh"); }
Tile erf(const Tile &x, At at) { return function<math::ErfOp>(x, at, "erf"); }
Tile abs(const Tile &x, At at) { return function<math::AbsFOp>(x, at, "abs"); }
Tile roundEven(const Tile &x, At at) { return function<math::RoundEvenOp>(x, at, "roundEven"); }

Tile cast(const Tile &x, DType type, At at) {
  Tracer &t = Access::of(x);
  if (x.type() == type)
    return x;
  auto to = t.tensor(type, x.shape());
  mlir::Value v = t.value(x);
  Location l = t.loc(at);
  const bool from = isFloat(x.type()), into = isFloat(type);
  const bool zeros = isUnsignedInt(x.type()) || x.type() == DType::Bool;
  const auto bits = [](Type e) { return cast<RankedTensorType>(e).getElementTypeBitWidth(); };
  mlir::Value out;
  if (from && into && bits(to) == bits(v.getType()))
    return cast(cast(x, DType::F32, at), type, at); // f16 and bf16
  if (from && into)
    out = bits(to) > bits(v.getType()) ? mlir::Value(arith::ExtFOp::create(t.b, l, to, v))
                                       : mlir::Value(arith::TruncFOp::create(t.b, l, to, v));
  else if (from)
    out = isUnsignedInt(type) ? mlir::Value(arith::FPToUIOp::create(t.b, l, to, v))
                              : mlir::Value(arith::FPToSIOp::create(t.b, l, to, v));
  else if (into)
    out = zeros ? mlir::Value(arith::UIToFPOp::create(t.b, l, to, v))
                : mlir::Value(arith::SIToFPOp::create(t.b, l, to, v));
  else if (bits(to) == bits(v.getType()))
    out = v; // the other sign
  else if (bits(to) < bits(v.getType()))
    out = arith::TruncIOp::create(t.b, l, to, v);
  else
    out = zeros ? mlir::Value(arith::ExtUIOp::create(t.b, l, to, v))
                : mlir::Value(arith::ExtSIOp::create(t.b, l, to, v));
  return t.toTile(out, type);
}

//===-- Shapes and reductions -----------------------------------------------===//

static Tile reduced(tile::Kind kind, const Tile &x, int64_t axis, Keep keep, At at) {
  Tracer &t = Access::of(x);
  if (axis < 0 || axis >= static_cast<int64_t>(x.shape().size())) {
    t.fail(at, "reduces axis " + std::to_string(axis) + " of a tile " + text(x.shape()));
    return x;
  }
  Shape rest = x.shape(), kept = x.shape();
  rest.erase(rest.begin() + axis);
  kept[static_cast<size_t>(axis)] = 1;
  Tile r = t.toTile(tile::ReduceOp::create(t.b, t.loc(at), t.tensor(x.type(), rest), kind,
                                           t.value(x), static_cast<uint64_t>(axis)),
                    x.type());
  return keep == Keep::Yes ? reshape(r, kept, at) : r;
}
Tile sum(const Tile &x, int64_t axis, Keep keep, At at) {
  return reduced(tile::Kind::sum, x, axis, keep, at);
}
Tile maximumOf(const Tile &x, int64_t axis, Keep keep, At at) {
  return reduced(tile::Kind::maximum, x, axis, keep, at);
}
Tile minimumOf(const Tile &x, int64_t axis, Keep keep, At at) {
  return reduced(tile::Kind::minimum, x, axis, keep, at);
}

Tile scanSum(const Tile &x, int64_t axis, At at) {
  Tracer &t = Access::of(x);
  return t.toTile(tile::ScanOp::create(t.b, t.loc(at), t.tensor(x.type(), x.shape()),
                                       tile::Kind::sum, t.value(x), static_cast<uint64_t>(axis)),
                  x.type());
}

Tile mma(const Tile &a, const Tile &b, const Tile &c, At at) {
  Tracer &t = Access::of(a);
  const auto isSet = [&](const Tile &x) {
    return isUnsignedInt(x.type()) ? t.b.getUnitAttr() : UnitAttr();
  };
  return t.toTile(tile::MmaOp::create(t.b, t.loc(at), t.tensor(c.type(), c.shape()), t.value(a),
                                      t.value(b), t.value(c), isSet(a), isSet(b)));
}

Tile transpose(const Tile &x, const std::vector<int64_t> &order, At at) {
  Tracer &t = Access::of(x);
  Shape shape;
  for (int64_t axis : order)
    shape.push_back(axis >= 0 && axis < static_cast<int64_t>(x.shape().size())
                        ? x.shape()[static_cast<size_t>(axis)]
                        : 1);
  return t.toTile(tile::TransposeOp::create(t.b, t.loc(at), t.tensor(x.type(), shape), t.value(x),
                                            t.b.getDenseI64ArrayAttr(order)),
                  x.type());
}

Tile slice(const Tile &x, const std::vector<int64_t> &from, const Shape &shape, At at) {
  Tracer &t = Access::of(x);
  return t.toTile(tile::SliceOp::create(t.b, t.loc(at), t.tensor(x.type(), shape), t.value(x),
                                        t.b.getDenseI64ArrayAttr(from)),
                  x.type());
}

Tile concat(const std::vector<Tile> &parts, int64_t axis, At at) {
  Tracer &t = Access::of(parts.front());
  Shape shape = parts.front().shape();
  SmallVector<mlir::Value> values;
  int64_t total = 0;
  for (const Tile &p : parts) {
    values.push_back(t.value(p));
    total += p.shape()[static_cast<size_t>(axis)];
  }
  shape[static_cast<size_t>(axis)] = total;
  return t.toTile(tile::ConcatOp::create(t.b, t.loc(at), t.tensor(parts.front().type(), shape),
                                         values, static_cast<uint64_t>(axis)),
                  parts.front().type());
}

} // namespace imbrex::edsl
