#include "support/DType.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace imbrex {

static constexpr std::array<std::string_view, 26> kNames = {
    "invalid", "bool",   "i8",   "i16", "i32", "i64",      "u8",     "u16",        "u32",
    "u64",     "f16",    "bf16", "f32", "f64", "f8e4m3fn", "f8e5m2", "f8e4m3fnuz", "f8e5m2fnuz",
    "f8e8m0",  "f4e2m1", "i4",   "u4",  "i2",  "u2",       "string", "item"};

std::string_view name(DType t) {
  auto i = static_cast<size_t>(t);
  return i < kNames.size() ? kNames[i] : kNames[0];
}

std::optional<DType> dtypeFromName(std::string_view word) {
  for (size_t i = 1; i < kNames.size(); ++i)
    if (kNames[i] == word)
      return static_cast<DType>(i);
  return std::nullopt;
}

double narrowToDouble(DType t, uint8_t code) {
  const NarrowFormat format = narrowFormat(t);
  if (t == DType::F8E8M0)
    return code == format.nan ? NAN : std::ldexp(1.0, code - format.bias);
  const int signBit = t == DType::F4E2M1 ? 0x8 : 0x80;
  const int magnitude = code & (signBit - 1);
  const double sign = code & signBit ? -1 : 1;
  if (code == format.nan || (format.nan == 0x7f && magnitude > format.largest))
    return magnitude == format.infinity ? sign * INFINITY : NAN;
  const int exponent = magnitude >> format.mantissaBits;
  const int mantissa = magnitude & ((1 << format.mantissaBits) - 1);
  const int implicit = exponent == 0 ? 0 : 1 << format.mantissaBits;
  return sign *
         std::ldexp(mantissa + implicit, std::max(exponent, 1) - format.bias - format.mantissaBits);
}

float halfToFloat(uint16_t bits) { return static_cast<float>(std::bit_cast<_Float16>(bits)); }

uint16_t floatToHalf(float value) { return std::bit_cast<uint16_t>(static_cast<_Float16>(value)); }

float bfloat16ToFloat(uint16_t bits) { return std::bit_cast<float>(uint32_t(bits) << 16); }

uint16_t floatToBfloat16(float value) {
  auto bits = std::bit_cast<uint32_t>(value);
  if (std::isnan(value))
    return static_cast<uint16_t>((bits >> 16) | 0x40);
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

} // namespace imbrex
