#include "support/opmeaning/Fold.h"

#include <cmath>

namespace imbrex::opmeaning {

int64_t wrapTo(DType type, int64_t v) {
  switch (type) {
  case DType::Bool:
    return v != 0;
  case DType::I8:
    return static_cast<int8_t>(v);
  case DType::I16:
    return static_cast<int16_t>(v);
  case DType::I32:
    return static_cast<int32_t>(v);
  case DType::U8:
    return static_cast<uint8_t>(v);
  case DType::U16:
    return static_cast<uint16_t>(v);
  case DType::U32:
    return static_cast<uint32_t>(v);
  default:
    return v;
  }
}

int64_t saturateTo(DType type, double v) {
  if (type == DType::Bool)
    return v != 0; // NaN is not 0
  if (std::isnan(v))
    return 0;
  int bits = static_cast<int>(byteSize(type)) * 8;
  if (isUnsignedInt(type)) {
    if (v <= 0)
      return 0;
    if (v >= std::ldexp(1.0, bits))
      return type == DType::U64 ? -1 : (int64_t{1} << bits) - 1;
    return static_cast<int64_t>(static_cast<uint64_t>(v));
  }
  double limit = std::ldexp(1.0, bits - 1);
  if (v >= limit)
    return type == DType::I64 ? INT64_MAX : (int64_t{1} << (bits - 1)) - 1;
  if (v < -limit)
    return type == DType::I64 ? INT64_MIN : -(int64_t{1} << (bits - 1));
  return static_cast<int64_t>(v);
}

} // namespace imbrex::opmeaning
