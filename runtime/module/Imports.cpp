#include "runtime/module/Imports.h"

#include "support/DType.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <math.h>
#include <unordered_map>

namespace imbrex::runtime {
namespace {

using Half = _Float16;
using Bfloat = __bf16;

float halfToSingle(Half v) { return halfToFloat(std::bit_cast<uint16_t>(v)); }
Half singleToHalf(float v) { return std::bit_cast<Half>(floatToHalf(v)); }
Bfloat singleToBfloat(float v) { return std::bit_cast<Bfloat>(floatToBfloat16(v)); }

/// To float so that rounding once more gives what one rounding would: towards zero, and odd when
/// inexact.
float roundToOdd(double v) {
  auto f = static_cast<float>(v);
  if (std::isnan(v) || static_cast<double>(f) == v)
    return f;
  auto bits = std::bit_cast<uint32_t>(f);
  if (std::fabs(static_cast<double>(f)) > std::fabs(v))
    --bits;
  return std::bit_cast<float>(bits | 1);
}
Half doubleToHalf(double v) { return singleToHalf(roundToOdd(v)); }
Bfloat doubleToBfloat(double v) { return singleToBfloat(roundToOdd(v)); }

template <class T> T integerPower(T base, int exponent) {
  auto n = static_cast<unsigned>(exponent);
  T result = 1;
  for (n = exponent < 0 ? 0u - n : n; n; n >>= 1, base *= base)
    if (n & 1)
      result *= base;
  return exponent < 0 ? 1 / result : result;
}

template <class R, class... A> const void *address(R (*f)(A...)) {
  return reinterpret_cast<const void *>(f);
}
using F1 = float (*)(float);
using F2 = float (*)(float, float);
using D1 = double (*)(double);
using D2 = double (*)(double, double);
using Copy = void *(*)(void *, const void *, size_t);
using Compare = int (*)(const void *, const void *, size_t);

// clang-format off
#define MATH1(name)                                                                                \
  {#name, address(static_cast<D1>(::name))}, {#name "f", address(static_cast<F1>(::name##f))}
#define MATH2(name)                                                                                \
  {#name, address(static_cast<D2>(::name))}, {#name "f", address(static_cast<F2>(::name##f))}

const std::unordered_map<std::string_view, const void *> &table() {
  static const std::unordered_map<std::string_view, const void *> t = {
      {"memcpy", address(static_cast<Copy>(::memcpy))},
      {"memmove", address(static_cast<Copy>(::memmove))},
      {"memset", address(static_cast<void *(*)(void *, int, size_t)>(::memset))},
      {"memcmp", address(static_cast<Compare>(::memcmp))},
      {"bcmp", address(static_cast<Compare>(::memcmp))},
      MATH1(exp), MATH1(exp2), MATH1(exp10), MATH1(expm1), MATH1(log), MATH1(log2), MATH1(log10),
      MATH1(log1p), MATH1(sin), MATH1(cos), MATH1(tan), MATH1(asin), MATH1(acos), MATH1(atan),
      MATH1(sinh), MATH1(cosh), MATH1(tanh), MATH1(asinh), MATH1(acosh), MATH1(atanh), MATH1(erf),
      MATH1(erfc), MATH1(cbrt), MATH1(sqrt), MATH1(floor), MATH1(ceil), MATH1(trunc), MATH1(round),
      MATH1(roundeven), MATH1(rint), MATH1(nearbyint), MATH1(tgamma), MATH1(lgamma),
      MATH2(pow), MATH2(fmod), MATH2(atan2), MATH2(hypot), MATH2(remainder), MATH2(fmin),
      MATH2(fmax),
      {"sincos", address(static_cast<void (*)(double, double *, double *)>(::sincos))},
      {"sincosf", address(static_cast<void (*)(float, float *, float *)>(::sincosf))},
      {"fma", address(static_cast<double (*)(double, double, double)>(::fma))},
      {"fmaf", address(static_cast<float (*)(float, float, float)>(::fmaf))},
      {"ldexp", address(static_cast<double (*)(double, int)>(::ldexp))},
      {"ldexpf", address(static_cast<float (*)(float, int)>(::ldexpf))},
      {"__extendhfsf2", address(halfToSingle)},
      {"__truncsfhf2", address(singleToHalf)},
      {"__truncdfhf2", address(doubleToHalf)},
      {"__truncsfbf2", address(singleToBfloat)},
      {"__truncdfbf2", address(doubleToBfloat)},
      {"__powisf2", address(integerPower<float>)},
      {"__powidf2", address(integerPower<double>)},
  };
  return t;
}

#undef MATH1
#undef MATH2
// clang-format on

} // namespace

const void *importByName(std::string_view name) {
  auto it = table().find(name);
  return it == table().end() ? nullptr : it->second;
}

} // namespace imbrex::runtime
