// Element types: their codes, sizes and names. The codes are those of runtime/abi/kernel.h and of
// the artifact; they never change once released.
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
  // Narrow types: each element takes a byte in memory. Floats are their bits in the low end of it;
  // integers are sign- or zero-extended. They are storage: arithmetic happens in wider types.
  F8E4M3FN = 14,
  F8E5M2 = 15,
  F8E4M3FNUZ = 16,
  F8E5M2FNUZ = 17,
  F8E8M0 = 18, // a power of two
  F4E2M1 = 19,
  I4 = 20,
  U4 = 21,
  I2 = 22,
  U2 = 23,
  // References, of 8 bytes: numbers of texts and of whole tensors (support/tensor/ItemHeap.h). They
  // are moved and compared for equality; only host operations look inside.
  String = 24,
  Item = 25, // an element of a sequence
};

constexpr DType LastDType = DType::Item;

constexpr bool isFloat(DType t) { return t >= DType::F16 && t <= DType::F64; }
constexpr bool isSignedInt(DType t) { return t >= DType::I8 && t <= DType::I64; }
constexpr bool isUnsignedInt(DType t) { return t >= DType::U8 && t <= DType::U64; }
constexpr bool isNarrowFloat(DType t) { return t >= DType::F8E4M3FN && t <= DType::F4E2M1; }
constexpr bool isNarrowInt(DType t) { return t >= DType::I4 && t <= DType::U2; }
constexpr bool isNarrow(DType t) { return t >= DType::F8E4M3FN && t <= DType::U2; }
constexpr bool isReference(DType t) { return t == DType::String || t == DType::Item; }
/// Of the wide types only: what isFloat and isInteger accept can be computed with.
constexpr bool isInteger(DType t) { return isSignedInt(t) || isUnsignedInt(t); }

/// Bytes of one element; 0 for Invalid.
constexpr int64_t byteSize(DType t) {
  switch (t) {
  case DType::Bool:
  case DType::I8:
  case DType::U8:
  case DType::F8E4M3FN:
  case DType::F8E5M2:
  case DType::F8E4M3FNUZ:
  case DType::F8E5M2FNUZ:
  case DType::F8E8M0:
  case DType::F4E2M1:
  case DType::I4:
  case DType::U4:
  case DType::I2:
  case DType::U2:
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
  case DType::String:
  case DType::Item:
    return 8;
  case DType::Invalid:
    break;
  }
  return 0;
}

/// Bits of one element where a file packs them; 8 * byteSize() for all but the narrowest.
constexpr int packedBits(DType t) {
  switch (t) {
  case DType::F4E2M1:
  case DType::I4:
  case DType::U4:
    return 4;
  case DType::I2:
  case DType::U2:
    return 2;
  default:
    return static_cast<int>(8 * byteSize(t));
  }
}

/// How a narrow float is laid out below its sign bit (F8E8M0 has neither sign nor mantissa).
struct NarrowFormat {
  int mantissaBits = 0;
  int bias = 0;
  int largest = 0;   // the code of the largest finite value, without sign
  int infinity = -1; // its code without sign; -1: the format has none
  int nan = -1;      // the code of the NaN that conversions give, with sign; -1: none
};
constexpr NarrowFormat narrowFormat(DType t) {
  switch (t) {
  case DType::F8E4M3FN:
    return {3, 7, 0x7e, -1, 0x7f};
  case DType::F8E5M2:
    return {2, 15, 0x7b, 0x7c, 0x7f};
  case DType::F8E4M3FNUZ:
    return {3, 8, 0x7f, -1, 0x80};
  case DType::F8E5M2FNUZ:
    return {2, 16, 0x7f, -1, 0x80};
  case DType::F8E8M0:
    return {0, 127, 0xfe, -1, 0xff};
  case DType::F4E2M1:
    return {1, 1, 0x7, -1, -1};
  default:
    return {};
  }
}
/// The value of a narrow float's code. Precondition: isNarrowFloat(t).
double narrowToDouble(DType t, uint8_t code);

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
