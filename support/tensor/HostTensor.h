// A dense row-major tensor in host memory: constants while compiling, test data, evaluator results.
#pragma once

#include "support/DType.h"
#include "support/Result.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace imbrex {

/// Elements of a shape; an Error (E0500) when the product overflows int64 or a size is negative.
Result<int64_t> elementCount(std::span<const int64_t> shape);

/// Owns its bytes, or keeps alive whoever does (a mapped file). Copies share the bytes;
/// mutableData() copies them first when they are shared.
class HostTensor {
public:
  HostTensor() = default;
  /// Zero-filled. Precondition: the shape's element count does not overflow.
  HostTensor(DType type, std::vector<int64_t> shape);
  /// Borrows `bytes`, which `owner` keeps alive.
  HostTensor(DType type, std::vector<int64_t> shape, std::span<const std::byte> bytes,
             std::shared_ptr<const void> owner);

  template <class T>
  static HostTensor of(DType type, std::vector<int64_t> shape, std::span<const T> values) {
    HostTensor t(type, std::move(shape));
    auto src = std::as_bytes(values);
    std::copy(src.begin(), src.end(), t.mutableBytes().begin());
    return t;
  }

  DType type() const { return elementType; }
  const std::vector<int64_t> &shape() const { return sizes; }
  int64_t rank() const { return static_cast<int64_t>(sizes.size()); }
  int64_t elems() const;
  std::span<const std::byte> bytes() const { return view; }
  std::span<std::byte> mutableBytes();
  template <class T> const T *data() const { return reinterpret_cast<const T *>(view.data()); }
  template <class T> T *mutableData() { return reinterpret_cast<T *>(mutableBytes().data()); }

  /// The element at flat place `i` as double or int64 (integers and bools exactly; floats truncate
  /// in toInt). Precondition: 0 <= i < elems().
  double toDouble(int64_t i) const;
  int64_t toInt(int64_t i) const;
  /// All elements as int64; the usual form of a shape operand.
  std::vector<int64_t> toInts() const;

private:
  DType elementType = DType::Invalid;
  std::vector<int64_t> sizes;
  std::span<const std::byte> view;
  std::shared_ptr<const void> owner;
  std::shared_ptr<std::vector<std::byte>> own; // set when we own the bytes
};

} // namespace imbrex
