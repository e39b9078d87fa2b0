#include "runtime/module/Imports.h"

#include <cmath>
#include <cstring>
#include <math.h>
#include <unordered_map>

namespace imbrex::runtime {
namespace {

template <class R, class... A> const void *address(R (*f)(A...)) {
  return reinterpret_cast<const void *>(f);
}
using F1 = float (*)(float);
using F2 = float (*)(float, float);
using D1 = double (*)(double);
using D2 = double (*)(double, double);

#define IMBREX_MATH1(name)                                                                         \
  {#name, address(static_cast<D1>(::name))}, { #name "f", address(static_cast<F1>(::name##f)) }
#define IMBREX_MATH2(name)                                                                         \
  {#name, address(static_cast<D2>(::name))}, { #name "f", address(static_cast<F2>(::name##f)) }

const std::unordered_map<std::string_view, const void *> &table() {
  static const std::unordered_map<std::string_view, const void *> t = {
      {"memcpy", address(static_cast<void *(*)(void *, const void *, size_t)>(::memcpy))},
      {"memmove", address(static_cast<void *(*)(void *, const void *, size_t)>(::memmove))},
      {"memset", address(static_cast<void *(*)(void *, int, size_t)>(::memset))},
      {"memcmp", address(static_cast<int (*)(const void *, const void *, size_t)>(::memcmp))},
      IMBREX_MATH1(exp),
      IMBREX_MATH1(exp2),
      IMBREX_MATH1(expm1),
      IMBREX_MATH1(log),
      IMBREX_MATH1(log2),
      IMBREX_MATH1(log10),
      IMBREX_MATH1(log1p),
      IMBREX_MATH1(sin),
      IMBREX_MATH1(cos),
      IMBREX_MATH1(tan),
      IMBREX_MATH1(asin),
      IMBREX_MATH1(acos),
      IMBREX_MATH1(atan),
      IMBREX_MATH1(sinh),
      IMBREX_MATH1(cosh),
      IMBREX_MATH1(tanh),
      IMBREX_MATH1(asinh),
      IMBREX_MATH1(acosh),
      IMBREX_MATH1(atanh),
      IMBREX_MATH1(erf),
      IMBREX_MATH1(erfc),
      IMBREX_MATH1(cbrt),
      IMBREX_MATH1(sqrt),
      IMBREX_MATH1(floor),
      IMBREX_MATH1(ceil),
      IMBREX_MATH1(trunc),
      IMBREX_MATH1(round),
      IMBREX_MATH1(rint),
      IMBREX_MATH1(nearbyint),
      IMBREX_MATH1(tgamma),
      IMBREX_MATH1(lgamma),
      IMBREX_MATH1(roundeven),
      IMBREX_MATH2(pow),
      IMBREX_MATH2(fmod),
      IMBREX_MATH2(atan2),
      IMBREX_MATH2(hypot),
      IMBREX_MATH2(remainder),
      {"fma", address(static_cast<double (*)(double, double, double)>(::fma))},
      {"fmaf", address(static_cast<float (*)(float, float, float)>(::fmaf))},
      {"ldexp", address(static_cast<double (*)(double, int)>(::ldexp))},
      {"ldexpf", address(static_cast<float (*)(float, int)>(::ldexpf))},
  };
  return t;
}

#undef IMBREX_MATH1
#undef IMBREX_MATH2

} // namespace

const void *importByName(std::string_view name) {
  auto it = table().find(name);
  return it == table().end() ? nullptr : it->second;
}

} // namespace imbrex::runtime
