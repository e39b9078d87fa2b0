// The objects that values refer to: tensors, and records (constructor and fields of algebraic
// data).
#pragma once

#include "runtime/abi/kernel.h"
#include "runtime/core/Storage.h"
#include "runtime/core/Value.h"
#include "support/DType.h"

#include <span>
#include <vector>

namespace imbrex::runtime {

/// Told when the last reference of a context to storage of its own goes.
class ReleaseListener {
public:
  virtual void released(uint64_t storage, uint64_t bytes) = 0;

protected:
  ~ReleaseListener() = default;
};

/// A dense row-major tensor. Its bytes are those of `storage`, or, when that is empty, somebody
/// else's who outlives it: an arena frame, a constant, the caller's data.
struct Tensor : Object {
  /// Null when there is no memory. Shape and strides lie behind the object.
  static Tensor *create(DType type, std::span<const int64_t> shape, void *data);
  static void destroy(Tensor *tensor);

  std::span<const int64_t> shape() const { return {view.shape, static_cast<size_t>(view.rank)}; }
  DType dtype() const { return static_cast<DType>(view.dtype); }
  std::byte *bytes() const { return static_cast<std::byte *>(view.data); }

  ImxView view{};
  uint64_t byteCount = 0;
  StorageRef storage;
  /// The number that observers know `storage` by; 0 when there is none.
  uint64_t storageNumber = 0;
  /// Activation whose arena frame holds the bytes; 0 when none does.
  uint32_t frame = 0;
  ReleaseListener *listener = nullptr;

private:
  Tensor() : Object(ObjectKind::Tensor) {}
};

/// A constructor's number and its fields.
struct Record : Object {
  static Record *create(uint32_t constructor, std::vector<Value> fields);

  uint32_t constructor = 0;
  std::vector<Value> fields;

private:
  Record() : Object(ObjectKind::Record) {}
};

/// Bytes of a dense tensor; false when the product overflows or a size is negative.
bool denseBytes(DType type, std::span<const int64_t> shape, uint64_t &bytes);

inline Tensor *Value::tensor() const {
  return kind == Tag::Object && payload.object->kind == ObjectKind::Tensor
             ? static_cast<Tensor *>(payload.object)
             : nullptr;
}
inline Record *Value::record() const {
  return kind == Tag::Object && payload.object->kind == ObjectKind::Record
             ? static_cast<Record *>(payload.object)
             : nullptr;
}

} // namespace imbrex::runtime
