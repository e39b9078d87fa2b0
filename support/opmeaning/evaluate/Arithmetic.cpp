#include "support/opmeaning/evaluate/Arithmetic.h"

#include "support/opmeaning/Fold.h"

#include <algorithm>
#include <bit>

namespace imbrex::opmeaning {

/// Double to bfloat16 in one rounding: first to float with the lost bits kept in the last one
/// (round to odd).
static double roundToBfloat16(double v) {
  float f = static_cast<float>(v);
  if (std::isnan(v) || std::isinf(f) || static_cast<double>(f) == v)
    return bfloat16ToFloat(floatToBfloat16(f));
  auto bits = std::bit_cast<uint32_t>(f);
  if (std::fabs(static_cast<double>(f)) > std::fabs(v))
    --bits; // towards zero
  return bfloat16ToFloat(floatToBfloat16(std::bit_cast<float>(bits | 1)));
}

double roundTo(DType type, double v) {
  switch (type) {
  case DType::F16:
    return static_cast<double>(static_cast<_Float16>(v));
  case DType::BF16:
    return roundToBfloat16(v);
  case DType::F32:
    return static_cast<double>(static_cast<float>(v));
  default:
    return v;
  }
}

double intToFloat(DType from, int64_t v, DType to) {
  if (to == DType::F32)
    return from == DType::U64 ? static_cast<float>(static_cast<uint64_t>(v))
                              : static_cast<float>(v);
  double d =
      from == DType::U64 ? static_cast<double>(static_cast<uint64_t>(v)) : static_cast<double>(v);
  return roundTo(to, d);
}

static double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }
static double sigmoid(double x) {
  if (x >= 0)
    return 1 / (1 + std::exp(-x));
  double e = std::exp(x);
  return e / (1 + e);
}

UnaryReal unaryReal(FnId fn) {
  switch (fn) {
  case FnId::Neg:
    return [](double x) { return -x; };
  case FnId::Abs:
    return [](double x) { return std::fabs(x); };
  case FnId::Sign:
    return sign;
  case FnId::Ceil:
    return [](double x) { return std::ceil(x); };
  case FnId::Floor:
    return [](double x) { return std::floor(x); };
  case FnId::Round:
    return [](double x) { return std::nearbyint(x); };
  case FnId::Trunc:
    return [](double x) { return std::trunc(x); };
  case FnId::Recip:
    return [](double x) { return 1 / x; };
  case FnId::Sqrt:
    return [](double x) { return std::sqrt(x); };
  case FnId::Exp:
    return [](double x) { return std::exp(x); };
  case FnId::Expm1:
    return [](double x) { return std::expm1(x); };
  case FnId::Log:
    return [](double x) { return std::log(x); };
  case FnId::Log1p:
    return [](double x) { return std::log1p(x); };
  case FnId::Sin:
    return [](double x) { return std::sin(x); };
  case FnId::Cos:
    return [](double x) { return std::cos(x); };
  case FnId::Tan:
    return [](double x) { return std::tan(x); };
  case FnId::Asin:
    return [](double x) { return std::asin(x); };
  case FnId::Acos:
    return [](double x) { return std::acos(x); };
  case FnId::Atan:
    return [](double x) { return std::atan(x); };
  case FnId::Sinh:
    return [](double x) { return std::sinh(x); };
  case FnId::Cosh:
    return [](double x) { return std::cosh(x); };
  case FnId::Tanh:
    return [](double x) { return std::tanh(x); };
  case FnId::Asinh:
    return [](double x) { return std::asinh(x); };
  case FnId::Acosh:
    return [](double x) { return std::acosh(x); };
  case FnId::Atanh:
    return [](double x) { return std::atanh(x); };
  case FnId::Erf:
    return [](double x) { return std::erf(x); };
  case FnId::Sigmoid:
    return sigmoid;
  default:
    return nullptr;
  }
}

/// The remainder with the divisor's sign.
static double floorMod(double a, double b) {
  double r = std::fmod(a, b);
  if (r == 0)
    return std::copysign(0.0, b);
  return (r < 0) != (b < 0) ? r + b : r;
}

BinaryReal binaryReal(FnId fn) {
  switch (fn) {
  case FnId::Add:
    return [](double a, double b) { return a + b; };
  case FnId::Sub:
    return [](double a, double b) { return a - b; };
  case FnId::Mul:
    return [](double a, double b) { return a * b; };
  case FnId::Div:
    return [](double a, double b) { return a / b; };
  case FnId::Mod:
    return floorMod;
  case FnId::Fmod:
    return [](double a, double b) { return std::fmod(a, b); };
  case FnId::Pow:
    return [](double a, double b) { return std::pow(a, b); };
  case FnId::Max:
    return maxReal;
  case FnId::Min:
    return minReal;
  default:
    return nullptr;
  }
}

bool testReal(FnId fn, double a, double b) {
  switch (fn) {
  case FnId::IsNaN:
    return std::isnan(a);
  case FnId::IsInf:
    return std::isinf(a);
  case FnId::IsPosInf:
    return std::isinf(a) && a > 0;
  case FnId::IsNegInf:
    return std::isinf(a) && a < 0;
  case FnId::Eq:
    return a == b;
  case FnId::Ne:
    return a != b;
  case FnId::Lt:
    return a < b;
  case FnId::Le:
    return a <= b;
  default:
    return false;
  }
}

bool integerLess(DType type, int64_t a, int64_t b) {
  return type == DType::U64 ? static_cast<uint64_t>(a) < static_cast<uint64_t>(b) : a < b;
}

int64_t leastInteger(DType type) {
  if (!isSignedInt(type))
    return 0;
  return INT64_MIN >> (64 - 8 * byteSize(type));
}

int64_t greatestInteger(DType type) {
  if (type == DType::Bool)
    return 1;
  int bits = static_cast<int>(8 * byteSize(type));
  return isSignedInt(type) ? INT64_MAX >> (64 - bits)
                           : static_cast<int64_t>(~uint64_t{0} >> (64 - bits));
}

static int64_t wrappingMul(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

/// Quotient truncates; `wantRemainder` gives the remainder with the dividend's sign.
static int64_t quotient(DType type, int64_t a, int64_t b) {
  if (type == DType::U64)
    return static_cast<int64_t>(static_cast<uint64_t>(a) / static_cast<uint64_t>(b));
  return b == -1 ? static_cast<int64_t>(0 - static_cast<uint64_t>(a)) : a / b;
}
static int64_t remainder(DType type, int64_t a, int64_t b) {
  if (type == DType::U64)
    return static_cast<int64_t>(static_cast<uint64_t>(a) % static_cast<uint64_t>(b));
  return b == -1 ? 0 : a % b;
}

/// Wraps mod 2^n; a negative exponent is 1 / base^|exponent|, truncated.
static int64_t integerPow(DType type, int64_t base, int64_t exponent, bool &undefined) {
  if (isSignedInt(type) && exponent < 0) {
    undefined |= base == 0;
    if (base == 1 || (base == -1 && exponent % 2 == 0))
      return 1;
    return base == -1 ? -1 : 0;
  }
  int64_t out = 1;
  for (auto e = static_cast<uint64_t>(exponent); e != 0; e >>= 1) {
    if (e & 1)
      out = wrappingMul(out, base);
    base = wrappingMul(base, base);
  }
  return out;
}

static int64_t shift(FnId fn, DType type, int64_t a, int64_t count) {
  auto n = static_cast<uint64_t>(count);
  if (n >= static_cast<uint64_t>(8 * byteSize(type)))
    return 0;
  if (fn == FnId::ShiftLeft)
    return static_cast<int64_t>(static_cast<uint64_t>(a) << n);
  return type == DType::U64 ? static_cast<int64_t>(static_cast<uint64_t>(a) >> n) : a >> n;
}

static int64_t apply(FnId fn, DType type, int64_t a, int64_t b, bool &undefined) {
  auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  switch (fn) {
  case FnId::Neg:
    return static_cast<int64_t>(0 - x);
  case FnId::Abs:
    return isSignedInt(type) && a < 0 ? static_cast<int64_t>(0 - x) : a;
  case FnId::Sign:
    return isSignedInt(type) ? (a > 0) - (a < 0) : a != 0;
  case FnId::BitNot:
    return ~a;
  case FnId::Not:
    return a == 0;
  case FnId::Add:
    return static_cast<int64_t>(x + y);
  case FnId::Sub:
    return static_cast<int64_t>(x - y);
  case FnId::Mul:
    return wrappingMul(a, b);
  case FnId::Div:
  case FnId::Mod:
  case FnId::Fmod: {
    if (b == 0) {
      undefined = true;
      return 0;
    }
    if (fn == FnId::Div)
      return quotient(type, a, b);
    int64_t r = remainder(type, a, b);
    return fn == FnId::Mod && isSignedInt(type) && r != 0 && (r < 0) != (b < 0) ? r + b : r;
  }
  case FnId::Pow:
    return integerPow(type, a, b, undefined);
  case FnId::Max:
    return integerLess(type, a, b) ? b : a;
  case FnId::Min:
    return integerLess(type, b, a) ? b : a;
  case FnId::And:
  case FnId::BitAnd:
    return a & b;
  case FnId::Or:
  case FnId::BitOr:
    return a | b;
  case FnId::Xor:
  case FnId::BitXor:
    return a ^ b;
  case FnId::ShiftLeft:
  case FnId::ShiftRight:
    return shift(fn, type, a, b);
  case FnId::Eq:
    return a == b;
  case FnId::Ne:
    return a != b;
  case FnId::Lt:
    return integerLess(type, a, b);
  case FnId::Le:
    return !integerLess(type, b, a);
  default:
    return 0;
  }
}

int64_t applyInteger(FnId fn, DType type, int64_t a, int64_t b, bool &undefined) {
  int64_t v = apply(fn, type, a, b, undefined);
  return info(fn).result == ResultRule::Bool ? v : wrapTo(type, v);
}

} // namespace imbrex::opmeaning
