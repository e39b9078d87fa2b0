#include "compiler/passes/lower/EmitFunctions.h"

#include <cmath>

namespace imbrex::lower {

using namespace mlir;
using opmeaning::FnId;

Type computeType(MLIRContext *c, DType type) {
  switch (type) {
  case DType::Bool:
    return IntegerType::get(c, 1);
  case DType::F16:
    return Float16Type::get(c);
  case DType::BF16:
    return BFloat16Type::get(c);
  case DType::F32:
    return Float32Type::get(c);
  case DType::F64:
    return Float64Type::get(c);
  default:
    return IntegerType::get(c, static_cast<unsigned>(byteSize(type) * 8));
  }
}

Type storageType(MLIRContext *c, DType type) {
  return type == DType::Bool ? Type(IntegerType::get(c, 8)) : computeType(c, type);
}

Value emitConstant(OpBuilder &b, Location loc, DType type, double real, int64_t integer) {
  Type t = computeType(b.getContext(), type);
  if (auto f = dyn_cast<FloatType>(t)) {
    APFloat value(real);
    bool lossy;
    value.convert(f.getFloatSemantics(), APFloat::rmNearestTiesToEven, &lossy);
    return arith::ConstantOp::create(b, loc, FloatAttr::get(f, value));
  }
  APInt bits(64, static_cast<uint64_t>(integer));
  return arith::ConstantOp::create(
      b, loc, IntegerAttr::get(t, bits.trunc(cast<IntegerType>(t).getWidth())));
}

namespace {

/// One emission: the builder, the place and the dtype of the operands.
struct Emitter {
  OpBuilder &b;
  Location loc;
  DType type;

  Value real(double v) {
    return emitConstant(b, loc, type, v, std::isfinite(v) ? static_cast<int64_t>(v) : 0);
  }
  Value integer(int64_t v) { return emitConstant(b, loc, type, static_cast<double>(v), v); }
  bool floats() const { return isFloat(type); }
  bool isUnsigned() const { return isUnsignedInt(type) || type == DType::Bool; }

  template <class Op, class... Args> Value op(Args &&...args) {
    return Op::create(b, loc, std::forward<Args>(args)...);
  }
  Value cmp(arith::CmpFPredicate p, Value x, Value y) { return op<arith::CmpFOp>(p, x, y); }
  Value cmp(arith::CmpIPredicate p, Value x, Value y) { return op<arith::CmpIOp>(p, x, y); }
  Value select(Value c, Value x, Value y) { return op<arith::SelectOp>(c, x, y); }

  Value compare(FnId fn, Value x, Value y);
  Value divide(Value x, Value y);
  Value remainder(Value x, Value y);
  Value mod(Value x, Value y);
  Value shift(FnId fn, Value x, Value y);
  Value power(Value x, Value y);
  Value extreme(FnId fn, Value x, Value y);
  Value logarithm(Value x);
  Value unary(FnId fn, Value x);
  Value binary(FnId fn, Value x, Value y);
};

Value Emitter::compare(FnId fn, Value x, Value y) {
  if (floats()) {
    auto p = fn == FnId::Eq   ? arith::CmpFPredicate::OEQ
             : fn == FnId::Ne ? arith::CmpFPredicate::UNE
             : fn == FnId::Lt ? arith::CmpFPredicate::OLT
                              : arith::CmpFPredicate::OLE;
    return cmp(p, x, y);
  }
  auto p = fn == FnId::Eq   ? arith::CmpIPredicate::eq
           : fn == FnId::Ne ? arith::CmpIPredicate::ne
           : fn == FnId::Lt
               ? (isUnsigned() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt)
               : (isUnsigned() ? arith::CmpIPredicate::ule : arith::CmpIPredicate::sle);
  return cmp(p, x, y);
}

/// The machine's division traps on a zero divisor and on min / -1: both are taken out first.
Value Emitter::divide(Value x, Value y) {
  if (floats())
    return op<arith::DivFOp>(x, y);
  Value zero = integer(0), one = integer(1);
  Value none = cmp(arith::CmpIPredicate::eq, y, zero);
  if (isUnsigned())
    return select(none, zero, op<arith::DivUIOp>(x, Value(select(none, one, y))));
  Value minus = cmp(arith::CmpIPredicate::eq, y, integer(-1));
  Value safe = select(op<arith::OrIOp>(none, minus), one, y);
  Value q = op<arith::DivSIOp>(x, safe);
  return select(none, zero, select(minus, op<arith::SubIOp>(zero, x), q));
}

Value Emitter::remainder(Value x, Value y) {
  if (floats())
    return op<arith::RemFOp>(x, y);
  Value zero = integer(0), one = integer(1);
  Value none = cmp(arith::CmpIPredicate::eq, y, zero);
  if (isUnsigned())
    return select(none, zero, op<arith::RemUIOp>(x, Value(select(none, one, y))));
  Value minus = cmp(arith::CmpIPredicate::eq, y, integer(-1));
  Value safe = select(op<arith::OrIOp>(none, minus), one, y);
  return select(op<arith::OrIOp>(none, minus), zero, op<arith::RemSIOp>(x, safe));
}

/// The remainder with the divisor's sign.
Value Emitter::mod(Value x, Value y) {
  Value r = remainder(x, y);
  if (!floats() && isUnsigned())
    return r;
  Value zero = real(0);
  Value nonzero, differ;
  if (floats()) {
    nonzero = cmp(arith::CmpFPredicate::UNE, r, zero);
    differ = op<arith::XOrIOp>(cmp(arith::CmpFPredicate::OLT, r, zero),
                               cmp(arith::CmpFPredicate::OLT, y, zero));
    return select(op<arith::AndIOp>(nonzero, differ), op<arith::AddFOp>(r, y), r);
  }
  nonzero = cmp(arith::CmpIPredicate::ne, r, zero);
  differ = op<arith::XOrIOp>(cmp(arith::CmpIPredicate::slt, r, zero),
                             cmp(arith::CmpIPredicate::slt, y, zero));
  return select(op<arith::AndIOp>(nonzero, differ), op<arith::AddIOp>(r, y), r);
}

/// A shift by the width or more gives 0.
Value Emitter::shift(FnId fn, Value x, Value y) {
  auto width = cast<IntegerType>(x.getType()).getWidth();
  Value fits = cmp(arith::CmpIPredicate::ult, y, integer(width));
  Value by = select(fits, y, integer(0));
  Value shifted = fn == FnId::ShiftLeft ? op<arith::ShLIOp>(x, by)
                  : isUnsigned()        ? op<arith::ShRUIOp>(x, by)
                                        : op<arith::ShRSIOp>(x, by);
  return select(fits, shifted, integer(0));
}

Value Emitter::power(Value x, Value y) {
  if (floats())
    return op<math::PowFOp>(x, y);
  // Integers wrap: square and multiply over the exponent's bits; negative exponents give 0, 1 or -1
  // as 1 / x^|y| truncated does.
  Value result = integer(1), base = x, exponent = y;
  unsigned width = cast<IntegerType>(x.getType()).getWidth();
  for (unsigned bit = 0; bit < width; ++bit) {
    Value set = cmp(arith::CmpIPredicate::ne, op<arith::AndIOp>(exponent, integer(1)), integer(0));
    result = select(set, op<arith::MulIOp>(result, base), result);
    if (bit + 1 == width)
      break;
    base = op<arith::MulIOp>(base, base);
    exponent = op<arith::ShRUIOp>(exponent, integer(1));
  }
  if (isUnsigned())
    return result;
  Value negative = cmp(arith::CmpIPredicate::slt, y, integer(0));
  Value isOne = cmp(arith::CmpIPredicate::eq, x, integer(1));
  Value isMinus = cmp(arith::CmpIPredicate::eq, x, integer(-1));
  Value odd = cmp(arith::CmpIPredicate::ne, op<arith::AndIOp>(y, integer(1)), integer(0));
  Value unit =
      select(isOne, integer(1), select(isMinus, select(odd, integer(-1), integer(1)), integer(0)));
  return select(negative, unit, result);
}

Value Emitter::extreme(FnId fn, Value x, Value y) {
  bool most = fn == FnId::Max;
  if (floats())
    return most ? op<arith::MaximumFOp>(x, y) : op<arith::MinimumFOp>(x, y);
  if (isUnsigned())
    return most ? op<arith::MaxUIOp>(x, y) : op<arith::MinUIOp>(x, y);
  return most ? op<arith::MaxSIOp>(x, y) : op<arith::MinSIOp>(x, y);
}

/// The polynomial for f32 takes a denormal for the least normal number: such operands are scaled up
/// first.
Value Emitter::logarithm(Value x) {
  if (type != DType::F32)
    return op<math::LogOp>(x);
  Value tiny = cmp(arith::CmpFPredicate::OLT, x, real(0x1p-126));
  Value scaled = select(tiny, op<arith::MulFOp>(x, real(0x1p24)), x);
  Value y = op<math::LogOp>(scaled);
  return select(tiny, op<arith::SubFOp>(y, real(16.635532333438686)), y); // 24 ln 2
}

Value Emitter::binary(FnId fn, Value x, Value y) {
  switch (fn) {
  case FnId::Add:
    return floats() ? op<arith::AddFOp>(x, y) : op<arith::AddIOp>(x, y);
  case FnId::Sub:
    return floats() ? op<arith::SubFOp>(x, y) : op<arith::SubIOp>(x, y);
  case FnId::Mul:
    return floats() ? op<arith::MulFOp>(x, y) : op<arith::MulIOp>(x, y);
  case FnId::Div:
    return divide(x, y);
  case FnId::Mod:
    return mod(x, y);
  case FnId::Fmod:
    return remainder(x, y);
  case FnId::Pow:
    return power(x, y);
  case FnId::Max:
  case FnId::Min:
    return extreme(fn, x, y);
  case FnId::And:
  case FnId::BitAnd:
    return op<arith::AndIOp>(x, y);
  case FnId::Or:
  case FnId::BitOr:
    return op<arith::OrIOp>(x, y);
  case FnId::Xor:
  case FnId::BitXor:
    return op<arith::XOrIOp>(x, y);
  case FnId::ShiftLeft:
  case FnId::ShiftRight:
    return shift(fn, x, y);
  case FnId::Eq:
  case FnId::Ne:
  case FnId::Lt:
  case FnId::Le:
    return compare(fn, x, y);
  default:
    return nullptr;
  }
}

Value Emitter::unary(FnId fn, Value x) {
  switch (fn) {
  case FnId::Neg:
    return floats() ? op<arith::NegFOp>(x) : op<arith::SubIOp>(integer(0), x);
  case FnId::Abs:
    if (floats())
      return op<math::AbsFOp>(x);
    return isUnsigned() ? x
                        : select(cmp(arith::CmpIPredicate::slt, x, integer(0)),
                                 op<arith::SubIOp>(integer(0), x), x);
  case FnId::Sign: {
    if (floats()) {
      Value positive = select(cmp(arith::CmpFPredicate::OGT, x, real(0)), real(1), x);
      return select(cmp(arith::CmpFPredicate::OLT, x, real(0)), real(-1), positive);
    }
    Value nonzero = cmp(arith::CmpIPredicate::ne, x, integer(0));
    Value positive = select(nonzero, integer(1), integer(0));
    return isUnsigned()
               ? positive
               : select(cmp(arith::CmpIPredicate::slt, x, integer(0)), integer(-1), positive);
  }
  case FnId::Recip:
    return op<arith::DivFOp>(real(1), x);
  case FnId::Sigmoid: {
    Value e = op<math::ExpOp>(Value(op<arith::NegFOp>(x)));
    return op<arith::DivFOp>(real(1), Value(op<arith::AddFOp>(real(1), e)));
  }
  case FnId::BitNot:
  case FnId::Not:
    return op<arith::XOrIOp>(x, integer(-1));
  case FnId::IsNaN:
    return cmp(arith::CmpFPredicate::UNO, x, x);
  case FnId::IsPosInf:
    return cmp(arith::CmpFPredicate::OEQ, x, real(INFINITY));
  case FnId::IsNegInf:
    return cmp(arith::CmpFPredicate::OEQ, x, real(-INFINITY));
  case FnId::IsInf:
    return cmp(arith::CmpFPredicate::OEQ, op<math::AbsFOp>(x), real(INFINITY));
  default:
    break;
  }
  if (!floats())
    return x; // ceil, floor, … of an integer
  switch (fn) {
  case FnId::Ceil:
    return op<math::CeilOp>(x);
  case FnId::Floor:
    return op<math::FloorOp>(x);
  case FnId::Round:
    return op<math::RoundEvenOp>(x);
  case FnId::Trunc:
    return op<math::TruncOp>(x);
  case FnId::Sqrt:
    return op<math::SqrtOp>(x);
  case FnId::Exp:
    return op<math::ExpOp>(x);
  case FnId::Log:
    return logarithm(x);
  case FnId::Sin:
    return op<math::SinOp>(x);
  case FnId::Cos:
    return op<math::CosOp>(x);
  case FnId::Tan:
    return op<math::TanOp>(x);
  case FnId::Asin:
    return op<math::AsinOp>(x);
  case FnId::Acos:
    return op<math::AcosOp>(x);
  case FnId::Atan:
    return op<math::AtanOp>(x);
  case FnId::Sinh:
    return op<math::SinhOp>(x);
  case FnId::Cosh:
    return op<math::CoshOp>(x);
  case FnId::Tanh:
    return op<math::TanhOp>(x);
  case FnId::Asinh:
    return op<math::AsinhOp>(x);
  case FnId::Acosh:
    return op<math::AcoshOp>(x);
  case FnId::Atanh:
    return op<math::AtanhOp>(x);
  case FnId::Erf:
    return op<math::ErfOp>(x);
  case FnId::Log1p:
    return op<math::Log1pOp>(x);
  case FnId::Expm1:
    return op<math::ExpM1Op>(x);
  default:
    return nullptr;
  }
}

} // namespace

/// 16-bit floats know no vector math of their own: the function runs in f32 and rounds once.
static bool runsWider(FnId fn, DType type) {
  if (type != DType::F16 && type != DType::BF16)
    return false;
  switch (fn) {
  case FnId::Neg:
  case FnId::Abs:
  case FnId::Max:
  case FnId::Min:
  case FnId::Eq:
  case FnId::Ne:
  case FnId::Lt:
  case FnId::Le:
  case FnId::Sign:
  case FnId::IsNaN:
  case FnId::IsInf:
  case FnId::IsPosInf:
  case FnId::IsNegInf:
    return false;
  default:
    return true;
  }
}

Value emitFunction(OpBuilder &b, Location loc, FnId fn, DType type, ArrayRef<Value> args) {
  if (runsWider(fn, type)) {
    SmallVector<Value> wide;
    for (Value a : args)
      wide.push_back(emitCast(b, loc, a, type, DType::F32));
    Value r = emitFunction(b, loc, fn, DType::F32, wide);
    return emitCast(b, loc, r, DType::F32, type);
  }
  Emitter e{b, loc, type};
  return args.size() == 1 ? e.unary(fn, args[0]) : e.binary(fn, args[0], args[1]);
}

static Value floatToInt(OpBuilder &b, Location loc, Value v, DType from, DType to) {
  if (from != DType::F64)
    v = emitCast(b, loc, v, from, DType::F64);
  Type t = computeType(b.getContext(), to);
  bool isUnsigned = isUnsignedInt(to);
  unsigned width = cast<IntegerType>(t).getWidth();
  APInt low = isUnsigned ? APInt(width, 0) : APInt::getSignedMinValue(width);
  APInt high = isUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
  auto asDouble = [&](const APInt &i) {
    return isUnsigned ? i.roundToDouble(false) : i.roundToDouble(true);
  };
  Value lo = emitConstant(b, loc, DType::F64, asDouble(low), 0);
  Value hi = emitConstant(b, loc, DType::F64, asDouble(high), 0);
  Value below = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLE, v, lo);
  Value above = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGE, v, hi);
  Value nan = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, v, v);
  Value out = arith::OrIOp::create(b, loc, arith::OrIOp::create(b, loc, below, above), nan);
  Value zero = emitConstant(b, loc, DType::F64, 0, 0);
  Value safe = arith::SelectOp::create(b, loc, out, zero, v);
  Value r = isUnsigned ? Value(arith::FPToUIOp::create(b, loc, t, safe))
                       : Value(arith::FPToSIOp::create(b, loc, t, safe));
  auto integer = [&](const APInt &i) {
    return Value(arith::ConstantOp::create(b, loc, IntegerAttr::get(t, i)));
  };
  r = arith::SelectOp::create(b, loc, below, integer(low), r);
  return arith::SelectOp::create(b, loc, above, integer(high), r);
}

Value emitCast(OpBuilder &b, Location loc, Value v, DType from, DType to) {
  if (from == to)
    return v;
  Type t = computeType(b.getContext(), to);
  if (to == DType::Bool) {
    Value zero = emitConstant(b, loc, from, 0, 0);
    if (isFloat(from))
      return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE, v, zero);
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, v, zero);
  }
  if (isFloat(from) && isFloat(to)) {
    if (byteSize(from) < byteSize(to))
      return arith::ExtFOp::create(b, loc, t, v);
    if (byteSize(from) > byteSize(to))
      return arith::TruncFOp::create(b, loc, t, v);
    return arith::TruncFOp::create(
        b, loc, t, Value(arith::ExtFOp::create(b, loc, Float32Type::get(b.getContext()), v)));
  }
  if (isFloat(from))
    return floatToInt(b, loc, v, from, to);
  bool isUnsigned = isUnsignedInt(from) || from == DType::Bool;
  if (isFloat(to))
    return isUnsigned ? Value(arith::UIToFPOp::create(b, loc, t, v))
                      : Value(arith::SIToFPOp::create(b, loc, t, v));
  unsigned a = cast<IntegerType>(v.getType()).getWidth(), z = cast<IntegerType>(t).getWidth();
  if (a == z)
    return v;
  if (a > z)
    return arith::TruncIOp::create(b, loc, t, v);
  return isUnsigned ? Value(arith::ExtUIOp::create(b, loc, t, v))
                    : Value(arith::ExtSIOp::create(b, loc, t, v));
}

} // namespace imbrex::lower
