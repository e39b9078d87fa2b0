#include "support/opmeaning/ops/Narrow.h"

#include <cmath>

namespace imbrex::opmeaning {
namespace {

/// Integer arithmetic on bits, written as one writes it.
struct Bits {
  Builder &b;
  DType type;

  Val number(int64_t v) const { return b.integer(v, type); }
  Val andOf(const Val &x, int64_t mask) const { return b.f(FnId::BitAnd, {x, number(mask)}); }
  Val orOf(const Val &x, const Val &y) const { return b.f(FnId::BitOr, {x, y}); }
  Val left(const Val &x, int64_t by) const { return b.f(FnId::ShiftLeft, {x, number(by)}); }
  Val right(const Val &x, int64_t by) const { return b.f(FnId::ShiftRight, {x, number(by)}); }
  Pred is(const Val &x, int64_t v) const { return b.holds(b.f(FnId::Eq, {x, number(v)})); }
  Pred above(const Val &x, int64_t v) const { return b.holds(b.f(FnId::Lt, {number(v), x})); }
  Val choose(const Pred &p, const Val &yes, const Val &no) const {
    return b.select(p, [&] { return yes; }, [&] { return no; });
  }
};

int64_t signBit(DType t) { return t == DType::F4E2M1 ? 0x8 : 0x80; }

Val decodePower(Builder &b, const Val &code) {
  const Bits u{b, DType::U32};
  // 2^-127 is a subnormal of f32: its bit pattern is no shifted exponent.
  const Val bits = u.choose(u.is(code, 0), u.number(0x00400000), u.left(code, 23));
  return b.bits(u.choose(u.is(code, 0xff), u.number(0x7fc00000), bits), DType::F32);
}

/// The code's exponent and mantissa as those of an f32 2^(127 - bias) too small; the product is
/// exact, subnormals included.
Val decodeFloat(Builder &b, const Val &code, DType from) {
  const Bits u{b, DType::U32};
  const NarrowFormat format = narrowFormat(from);
  const Val magnitude = u.andOf(code, signBit(from) - 1);
  const Val small = b.bits(u.left(magnitude, 23 - format.mantissaBits), DType::F32);
  Val bits = b.bits(small * b.real(std::ldexp(1.0, 127 - format.bias), DType::F32), DType::U32);
  if (format.nan == 0x7f)
    bits = u.choose(u.above(magnitude, format.largest), u.number(0x7fc00000), bits);
  if (format.infinity >= 0)
    bits = u.choose(u.is(magnitude, format.infinity), u.number(0x7f800000), bits);
  const Val sign = u.left(u.andOf(code, signBit(from)), from == DType::F4E2M1 ? 28 : 24);
  bits = u.orOf(bits, sign);
  if (format.nan == 0x80) // what would be -0
    bits = u.choose(u.is(code, 0x80), u.number(0x7fc00000), bits);
  return b.bits(bits, DType::F32);
}

Val encodePower(Builder &b, const Val &v, Overflow overflow, PowerRounding rounding) {
  const Bits u{b, DType::U32};
  const Val bits = b.bits(b.cast(v, DType::F32), DType::U32);
  const Val exponent = u.andOf(u.right(bits, 23), 0xff);
  Val up = exponent;
  if (rounding == PowerRounding::Up)
    up = exponent + b.cast(b.cast(u.above(u.andOf(bits, 0x7fffff), 0)), DType::U32);
  if (rounding == PowerRounding::Nearest) {
    // Half or more; below the smallest normal number exactly half stays.
    const Val fraction = u.andOf(bits, 0x7fffff);
    const Val least = u.choose(u.is(exponent, 0), u.number(0x400001), u.number(0x400000));
    up = exponent + b.cast(b.f(FnId::Le, {least, fraction}), DType::U32);
  }
  if (overflow == Overflow::Saturate)
    up = u.choose(u.is(exponent, 0xfe), exponent, up);
  up = u.choose(u.is(exponent, 0xff), exponent, up); // NaN and infinities
  return b.bits(b.cast(up, DType::U8), DType::F8E8M0);
}

/// The code of |v| rounded to nearest even, as if exponents had no end.
Val roundedCode(Builder &b, const Val &magnitude, const NarrowFormat &format) {
  const Bits i{b, DType::I64};
  const int m = format.mantissaBits, leastExponent = 1 - format.bias;
  // Among the subnormals a code counts steps of one size.
  const Val steps =
      b.f(FnId::Round, {magnitude * b.real(std::ldexp(1.0, m - leastExponent), DType::F64)});
  const Val bits = b.bits(magnitude, DType::I64);
  const Val odd = i.andOf(i.right(bits, 52 - m), 1);
  const Val kept = i.right(bits + odd + i.number((int64_t{1} << (51 - m)) - 1), 52 - m);
  const Val normal = kept - i.number(int64_t(1023 - format.bias) << m);
  const Val least = b.real(std::ldexp(1.0, leastExponent), DType::F64);
  return i.choose(b.holds(b.f(FnId::Lt, {magnitude, least})), b.cast(steps, DType::I64), normal);
}

Val encodeFloat(Builder &b, const Val &v, DType to, Overflow overflow) {
  const Bits i{b, DType::I64};
  const NarrowFormat format = narrowFormat(to);
  const Val x = b.cast(v, DType::F64);
  Val code = roundedCode(b, b.f(FnId::Abs, {x}), format);
  const bool saturates = overflow == Overflow::Saturate || format.nan < 0;
  const int beyond = saturates              ? format.largest
                     : format.infinity >= 0 ? format.infinity
                                            : format.nan;
  const Pred over = i.above(code, format.largest);
  code = i.choose(over, i.number(beyond), code);
  const Val negative = i.andOf(i.right(b.bits(x, DType::I64), 63), signBit(to));
  Val whole = i.orOf(code, negative);
  if (format.nan == 0x80) // no -0, and one NaN
    whole = i.choose(i.is(code, 0), code, whole);
  if (format.nan == 0x80 && !saturates)
    whole = i.choose(over, i.number(format.nan), whole);
  // F4E2M1 has no NaN: it becomes the code of -0, as other implementations have it.
  whole =
      i.choose(b.holds(b.f(FnId::IsNaN, {x})), i.number(format.nan < 0 ? 0x8 : format.nan), whole);
  return b.bits(b.cast(whole, DType::U8), to);
}

/// The low bits, extended by sign or zeros.
Val keepLowBits(Builder &b, const Val &v, DType to) {
  const bool isSigned = to == DType::I4 || to == DType::I2;
  const Bits byte{b, isSigned ? DType::I8 : DType::U8};
  const Val wide = b.cast(v, isFloat(v.type) ? DType::I32 : byte.type);
  const int unused = 8 - packedBits(to);
  return b.bits(byte.right(byte.left(b.cast(wide, byte.type), unused), unused), to);
}

} // namespace

Val widened(Builder &b, const Val &v) {
  if (isNarrowInt(v.type))
    return b.bits(v, v.type == DType::I4 || v.type == DType::I2 ? DType::I8 : DType::U8);
  if (!isNarrowFloat(v.type))
    return v;
  const Val code = b.cast(b.bits(v, DType::U8), DType::U32);
  return v.type == DType::F8E8M0 ? decodePower(b, code) : decodeFloat(b, code, v.type);
}

Val narrowed(Builder &b, const Val &v, DType to, Overflow overflow, PowerRounding rounding) {
  if (isNarrowInt(to))
    return keepLowBits(b, v, to);
  return to == DType::F8E8M0 ? encodePower(b, v, overflow, rounding)
                             : encodeFloat(b, v, to, overflow);
}

Val anyCast(Builder &b, const Val &v, DType to, Overflow overflow, PowerRounding rounding) {
  if (v.type == to)
    return v;
  const Val wide = widened(b, v);
  return isNarrow(to) ? narrowed(b, wide, to, overflow, rounding) : b.cast(wide, to);
}

} // namespace imbrex::opmeaning
