#include "support/DType.h"

#include <array>
#include <bit>
#include <cmath>

namespace imbrex {

static constexpr std::array<std::string_view, 14> kNames = {
    "invalid", "bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "bf16", "f32",
    "f64"};

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
