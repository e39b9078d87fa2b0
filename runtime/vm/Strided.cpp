#include "runtime/vm/Strided.h"

#include <cstring>

namespace imbrex::runtime {

bool rangeOf(const InputTensor &input, ByteRange &range) {
  uint64_t bytes = 0;
  denseBytes(input.type, input.shape, bytes);
  auto *data = static_cast<const std::byte *>(input.data);
  range = {data, bytes};
  if (bytes == 0 || input.stride.empty())
    return true;
  int64_t size = byteSize(input.type);
  int64_t low = 0, high = size;
  for (size_t i = 0; i < input.shape.size(); ++i) {
    int64_t reach;
    if (__builtin_mul_overflow(input.shape[i] - 1, input.stride[i], &reach) ||
        __builtin_mul_overflow(reach, size, &reach))
      return false;
    int64_t &end = reach < 0 ? low : high;
    if (__builtin_add_overflow(end, reach, &end))
      return false;
  }
  constexpr int64_t limit = int64_t{1} << 47;
  if (low < -limit || high > limit)
    return false;
  range = {data + low, static_cast<uint64_t>(high - low)};
  return true;
}

bool isDense(const InputTensor &input) {
  if (input.stride.empty())
    return true;
  int64_t expected = 1;
  for (size_t i = input.shape.size(); i-- > 0;) {
    if (input.shape[i] != 1 && input.stride[i] != expected)
      return false;
    expected *= input.shape[i];
  }
  return true;
}

void copyToDense(std::byte *to, const InputTensor &from) {
  uint64_t bytes = 0;
  denseBytes(from.type, from.shape, bytes);
  if (bytes == 0)
    return;
  if (isDense(from)) {
    std::memcpy(to, from.data, bytes);
    return;
  }
  // One run per row of the last axis; the other axes count like an odometer.
  size_t rank = from.shape.size();
  auto size = byteSize(from.type);
  int64_t row = from.shape[rank - 1], step = from.stride[rank - 1] * size;
  std::vector<int64_t> place(rank, 0);
  auto *row0 = static_cast<const std::byte *>(from.data);
  while (true) {
    if (step == size)
      std::memcpy(to, row0, static_cast<size_t>(row * size));
    else
      for (int64_t i = 0; i < row; ++i)
        std::memcpy(to + i * size, row0 + i * step, static_cast<size_t>(size));
    to += row * size;
    size_t axis = rank - 1;
    while (axis > 0) {
      --axis;
      row0 += from.stride[axis] * size;
      if (++place[axis] < from.shape[axis])
        break;
      row0 -= from.stride[axis] * size * from.shape[axis];
      place[axis] = 0;
      if (axis == 0)
        return;
    }
    if (rank == 1)
      return;
  }
}

} // namespace imbrex::runtime
