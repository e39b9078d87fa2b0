#include "support/tensor/HostTensor.h"

#include <cassert>
#include <cmath>
#include <cstring>

namespace imbrex {

Result<int64_t> elementCount(std::span<const int64_t> shape) {
  int64_t count = 1;
  bool overflow = false, zero = false;
  for (int64_t d : shape) {
    if (d < 0)
      return badInput(500, "a tensor has a dimension of size " + std::to_string(d),
                      "sizes are 0 or more");
    zero |= d == 0;
    overflow |= __builtin_mul_overflow(count, d, &count);
  }
  if (zero)
    return int64_t{0};
  if (overflow)
    return badInput(500, "a tensor is too large", "its number of elements does not fit in 64 bits");
  return count;
}

HostTensor::HostTensor(DType type, std::vector<int64_t> shape)
    : elementType(type), sizes(std::move(shape)) {
  auto count = elementCount(sizes);
  assert(count.ok());
  own = std::make_shared<std::vector<std::byte>>(static_cast<size_t>(*count * byteSize(type)));
  view = *own;
}

HostTensor::HostTensor(DType type, std::vector<int64_t> shape, std::span<const std::byte> bytes,
                       std::shared_ptr<const void> owner)
    : elementType(type), sizes(std::move(shape)), view(bytes), owner(std::move(owner)) {}

int64_t HostTensor::elems() const {
  return elementType == DType::Invalid ? 0
                                       : static_cast<int64_t>(view.size()) / byteSize(elementType);
}

std::span<std::byte> HostTensor::mutableBytes() {
  if (!own || own.use_count() > 1) {
    own = std::make_shared<std::vector<std::byte>>(view.begin(), view.end());
    owner.reset();
    view = *own;
  }
  return *own;
}

/// Reads without assuming alignment: borrowed bytes may start anywhere in a file.
template <class T> static T load(std::span<const std::byte> bytes, int64_t i) {
  T v;
  std::memcpy(&v, bytes.data() + i * static_cast<int64_t>(sizeof(T)), sizeof(T));
  return v;
}

double HostTensor::toDouble(int64_t i) const {
  switch (elementType) {
  case DType::F16:
    return halfToFloat(load<uint16_t>(view, i));
  case DType::BF16:
    return bfloat16ToFloat(load<uint16_t>(view, i));
  case DType::F32:
    return load<float>(view, i);
  case DType::F64:
    return load<double>(view, i);
  case DType::U64:
    return static_cast<double>(load<uint64_t>(view, i));
  default:
    return isNarrowFloat(elementType) ? narrowToDouble(elementType, load<uint8_t>(view, i))
                                      : static_cast<double>(toInt(i));
  }
}

int64_t HostTensor::toInt(int64_t i) const {
  switch (elementType) {
  case DType::Bool:
  case DType::U8:
  case DType::U4:
  case DType::U2:
    return load<uint8_t>(view, i);
  case DType::I8:
  case DType::I4:
  case DType::I2:
    return load<int8_t>(view, i);
  case DType::I16:
    return load<int16_t>(view, i);
  case DType::U16:
    return load<uint16_t>(view, i);
  case DType::I32:
    return load<int32_t>(view, i);
  case DType::U32:
    return load<uint32_t>(view, i);
  case DType::I64:
    return load<int64_t>(view, i);
  case DType::U64:
  case DType::String:
  case DType::Item:
    return static_cast<int64_t>(load<uint64_t>(view, i));
  default:
    break;
  }
  double d = toDouble(i);
  if (std::isnan(d))
    return 0;
  if (d >= 0x1p63)
    return INT64_MAX;
  if (d < -0x1p63)
    return INT64_MIN;
  return static_cast<int64_t>(d);
}

std::vector<int64_t> HostTensor::toInts() const {
  std::vector<int64_t> out(static_cast<size_t>(elems()));
  for (size_t i = 0; i < out.size(); ++i)
    out[i] = toInt(static_cast<int64_t>(i));
  return out;
}

} // namespace imbrex
