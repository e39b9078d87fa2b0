// The caller's tensors may have any strides.
#pragma once

#include "runtime/vm/Interpreter.h"

namespace imbrex::runtime {

struct ByteRange {
  const std::byte *begin = nullptr;
  uint64_t bytes = 0;
};
inline bool overlap(ByteRange a, ByteRange b) {
  return a.bytes && b.bytes && a.begin < b.begin + b.bytes && b.begin < a.begin + a.bytes;
}

/// The smallest range that holds all elements; false when strides reach further than memory does.
/// Precondition: the shape's bytes can be counted.
bool rangeOf(const InputTensor &input, ByteRange &range);

/// Row-major without gaps; strides of axes of size 1 do not matter.
bool isDense(const InputTensor &input);

/// Copies all elements in row-major order.
void copyToDense(std::byte *to, const InputTensor &from);

} // namespace imbrex::runtime
