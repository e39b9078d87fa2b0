#include "compiler/codegen/cpu/FastMath.h"

namespace imbrex::codegen {

using namespace mlir;

namespace {

/// Arithmetic on values of one type, f32 or vectors of it.
class Arithmetic {
public:
  Arithmetic(OpBuilder &b, Location loc, Type type, Scaling scaling)
      : b(b), loc(loc), type(type), scaling(scaling) {
    bits = b.getI32Type();
    if (auto vec = dyn_cast<VectorType>(type))
      bits = vec.clone(bits);
  }
  Value real(float v) { return constant(type, b.getF32FloatAttr(v)); }
  Value integer(int32_t v) { return constant(bits, b.getI32IntegerAttr(v)); }
  Value add(Value x, Value y) { return arith::AddFOp::create(b, loc, x, y); }
  Value sub(Value x, Value y) { return arith::SubFOp::create(b, loc, x, y); }
  Value mul(Value x, Value y) { return arith::MulFOp::create(b, loc, x, y); }
  Value div(Value x, Value y) { return arith::DivFOp::create(b, loc, x, y); }
  Value fma(Value x, Value y, Value z) { return math::FmaOp::create(b, loc, x, y, z); }
  Value toBits(Value x) { return arith::BitcastOp::create(b, loc, bits, x); }
  Value fromBits(Value x) { return arith::BitcastOp::create(b, loc, type, x); }
  Value shiftLeft(Value x, int32_t by) { return arith::ShLIOp::create(b, loc, x, integer(by)); }
  Value halve(Value x) { return arith::ShRSIOp::create(b, loc, x, integer(1)); }
  Value difference(Value x, Value y) { return arith::SubIOp::create(b, loc, x, y); }
  /// The nearest of low … high; NaN stays NaN, as the operand order of the machine's minimum and
  /// maximum has it.
  Value clamp(Value x, float low, float high) {
    Value hi = real(high), lo = real(low);
    Value above = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, hi, x);
    x = arith::SelectOp::create(b, loc, above, hi, x);
    Value below = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT, lo, x);
    return arith::SelectOp::create(b, loc, below, lo, x);
  }
  /// c[0] + c[1] x + c[2] x² + …; a last coefficient of 1 saves a multiplication.
  Value polynomial(Value x, ArrayRef<float> c) {
    Value sum = x;
    if (c.back() == 1)
      sum = add(sum, real(c[c.size() - 2]));
    else
      sum = fma(real(c.back()), x, real(c[c.size() - 2]));
    for (float each : llvm::reverse(c.drop_back(2)))
      sum = fma(sum, x, real(each));
    return sum;
  }

  /// y times 2^n, rounded once; null where no instruction does it.
  Value scaled(Value y, Value n) {
    auto vec = dyn_cast<VectorType>(type);
    if (scaling != Scaling::InstructionOf16 || !vec || vec.getShape() != ArrayRef<int64_t>{16})
      return {};
    Value all = arith::ConstantOp::create(b, loc, b.getI16IntegerAttr(-1)),
          nearest = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(4));
    return LLVM::CallIntrinsicOp::create(b, loc, type,
                                         b.getStringAttr("llvm.x86.avx512.mask.scalef.ps.512"),
                                         ValueRange{y, n, y, all, nearest})
        .getResult(0);
  }

private:
  Value constant(Type of, TypedAttr each) {
    if (auto vec = dyn_cast<VectorType>(of))
      return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(vec, Attribute(each)));
    return arith::ConstantOp::create(b, loc, each);
  }
  OpBuilder &b;
  Location loc;
  Type type, bits;
  Scaling scaling;
};

/// exp(x) = 2^n exp(r), n the integer nearest to x / ln 2, |r| ≤ ln 2 / 2. Adding kShift makes n
/// the low bits of a float; 254 more, so that halves of n come out as exponents with their bias.
/// 2^n is applied in two factors: n goes from -151 to 130, which no float's exponent does. The
/// first product is exact, so an instruction that rounds once gives the same.
Value exponential(Arithmetic &a, Value x) {
  constexpr float kShift = 0x1.8p23f + 254;
  x = a.clamp(x, -105, 90);
  Value shifted = a.fma(x, a.real(0x1.715476p+0f), a.real(kShift));
  Value n = a.sub(shifted, a.real(kShift));
  // ln 2 in two parts, of which the first times n is exact.
  Value r = a.fma(n, a.real(-0x1.62e4p-1f), x);
  r = a.fma(n, a.real(-0x1.7f7d1cp-20f), r);
  Value y = a.polynomial(
      r, {1, 1, 0x1.fffffcp-2f, 0x1.555416p-3f, 0x1.555828p-5f, 0x1.1268dcp-7f, 0x1.6ae5eep-10f});
  if (Value y2 = a.scaled(y, n))
    return y2;
  Value word = a.toBits(shifted), both = a.shiftLeft(word, 23),
        first = a.shiftLeft(a.halve(word), 23), second = a.difference(both, first);
  return a.mul(a.mul(y, a.fromBits(first)), a.fromBits(second));
}

/// x P(x²) / Q(x²), odd and 1 from `limit` on.
Value oddRatio(Arithmetic &a, Value x, float limit, ArrayRef<float> p, ArrayRef<float> q) {
  x = a.clamp(x, -limit, limit);
  Value square = a.mul(x, x);
  Value y = a.div(a.mul(x, a.polynomial(square, p)), a.polynomial(square, q));
  return a.clamp(y, -1, 1);
}

Value errorFunction(Arithmetic &a, Value x) {
  return oddRatio(
      a, x, 3.93f,
      {0x1.cff00ep+14f, 0x1.39c202p+12f, 0x1.5b460ep+10f, 0x1.8dcbf6p+6f, 0x1.df9ec4p+2f,
       0x1.b82936p-5f},
      {0x1.9b2774p+14f, 0x1.9d21ecp+13f, 0x1.77cfeep+11f, 0x1.8aa07cp+8f, 0x1.ea8c14p+4f, 1});
}

Value hyperbolicTangent(Arithmetic &a, Value x) {
  return oddRatio(
      a, x, 9.02f,
      {0x1.3a880ap+20f, 0x1.50aaep+17f, 0x1.19571ep+12f, 0x1.a84a9ep+4f, 0x1.19234cp-6f},
      {0x1.3a880ap+20f, 0x1.25dab8p+19f, 0x1.04648cp+15f, 0x1.a6f8p+8f, 1});
}

template <class Op, Value (*function)(Arithmetic &, Value)> struct Expand : OpRewritePattern<Op> {
  Expand(MLIRContext *context, Scaling scaling) : OpRewritePattern<Op>(context), scaling(scaling) {}
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return failure();
    Arithmetic a(rewriter, op.getLoc(), op.getType(), scaling);
    rewriter.replaceOp(op, function(a, op.getOperand()));
    return success();
  }
  Scaling scaling;
};

/// The machine's maximum gives its second operand when one is no number. So one question more is
/// enough, and none when the first is a constant.
template <class Op, arith::CmpFPredicate first> struct Extreme : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &b) const override {
    Type element = getElementTypeOrSelf(op.getType());
    if (!element.isF32() && !element.isF64())
      return failure();
    // What a loop carries is the left operand: asking of the right one, the result is no choice
    // between it and another, which would be stored under a mask and wait for it when read again.
    Value x = op.getRhs(), y = op.getLhs();
    if (matchPattern(y, m_Constant()))
      std::swap(x, y);
    Location loc = op.getLoc();
    Value wins = arith::CmpFOp::create(b, loc, first, x, y);
    Value most = arith::SelectOp::create(b, loc, wins, x, y);
    APFloat constant(0.0f);
    if (matchPattern(x, m_ConstantFloat(&constant)) && !constant.isNaN()) {
      b.replaceOp(op, most);
      return success();
    }
    Value none = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, x, x);
    b.replaceOpWithNewOp<arith::SelectOp>(op, none, x, most);
    return success();
  }
};

} // namespace

void populateFastMath(RewritePatternSet &patterns, Scaling scaling) {
  patterns.add<Expand<math::ExpOp, exponential>, Expand<math::ErfOp, errorFunction>,
               Expand<math::TanhOp, hyperbolicTangent>>(patterns.getContext(), scaling);
  patterns.add<Extreme<arith::MaximumFOp, arith::CmpFPredicate::OGT>,
               Extreme<arith::MinimumFOp, arith::CmpFPredicate::OLT>>(patterns.getContext());
}

} // namespace imbrex::codegen
