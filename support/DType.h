// Element types: their codes, sizes and names. The codes are those of runtime/abi/kernel.h and of the
// artifact; they never change once released.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace imbrex {

enum class DType : uint8_t {
  Invalid = 0,
  Bool = 1, // one byte, 0 or 1
  I8 = 2,
  I16 = 3,
  I32 = 4,
  I64 = 5,
  U8 = 6,
  U16 = 7,
  U32 = 8,
  U64 = 9,
  F16 = 10,
  BF16 = 11,
  F32 = 12,
  F64 = 13,
};

constexpr bool isFloat(DType t) { return t >= DType::F16 && t <= DType::F64; }
constexpr bool isSignedInt(DType t) { return t >= DType::I8 && t <= DType::I64; }
constexpr bool isUnsignedInt(DType t) { return t >= DType::U8 && t <= DType::U64; }
constexpr bool isInteger(DType t) { return isSignedInt(t) || isUnsignedInt(t); }

/// Bytes of one element; 0 for Invalid.
constexpr int64_t byteSize(DType t) {
  switch (t) {
  case DType::Bool:
  case DType::I8:
  case DType::U8:
    return 1;
  case DType::I16:
  case DType::U16:
  case DType::F16:
  case DType::BF16:
    return 2;
  case DType::I32:
  case DType::U32:
  case DType::F32:
    return 4;
  case DType::I64:
  case DType::U64:
  case DType::F64:
    return 8;
  case DType::Invalid:
    break;
  }
  return 0;
}

/// "f32", "i64", "bool", …; "invalid" for Invalid.
std::string_view name(DType t);
/// The inverse of name(); nothing for an unknown word.
std::optional<DType> dtypeFromName(std::string_view word);

/// Conversions between the 16-bit float formats and float; to* round half to even, NaN stays NaN.
float halfToFloat(uint16_t bits);
uint16_t floatToHalf(float value);
float bfloat16ToFloat(uint16_t bits);
uint16_t floatToBfloat16(float value);

} // namespace imbrex
