// Instructions that make tensors or read them.
#include "runtime/vm/Interpreter.h"

#include <algorithm>
#include <cstring>

namespace imbrex::runtime {
namespace {

// What an empty tensor points at: kernels never see null.
alignas(64) std::byte nowhere[64];

/// Element `place` of a Bool or integer tensor; false when there is none.
bool readInteger(const Tensor &t, uint64_t place, int64_t &out) {
  DType type = t.dtype();
  auto size = static_cast<uint64_t>(byteSize(type));
  if (isFloat(type) || place >= t.byteCount / size)
    return false;
  uint64_t bits = 0;
  std::memcpy(&bits, t.bytes() + place * size, size);
  auto shift = 64 - 8 * size;
  out =
      isSignedInt(type) ? static_cast<int64_t>(bits << shift) >> shift : static_cast<int64_t>(bits);
  return true;
}

Error badShape(std::span<const int64_t> shape) {
  std::string text;
  for (int64_t d : shape)
    text += (text.empty() ? "" : ", ") + std::to_string(d);
  return badInput(243, "a tensor inside the model would have shape [" + text + "]",
                  "its sizes are negative or too large", "other input shapes");
}

} // namespace

Tensor *Interpreter::newTensor(DType type, std::span<const int64_t> sizes) {
  uint64_t bytes;
  if (!denseBytes(type, sizes, bytes)) {
    fail(badShape(sizes));
    return nullptr;
  }
  const uint64_t number = ++lastStorage;
  if (observer.beforeAllocate && observer.beforeAllocate(observer.user, number, bytes) != 0) {
    fail(badInput(250, "no memory for " + std::to_string(bytes) + " bytes",
                  "the context's observer refuses them", "a larger budget or smaller inputs"));
    return nullptr;
  }
  StorageRef storage = device.allocate(bytes);
  Tensor *t = storage ? Tensor::create(type, sizes, storage->data()) : nullptr;
  if (!t) {
    noMemory(bytes);
    return nullptr;
  }
  ++counts.allocations;
  counts.allocatedBytes += bytes;
  t->storage = std::move(storage);
  t->storageNumber = number;
  t->listener = this;
  return t;
}

Tensor *Interpreter::copyOf(const Tensor &tensor) {
  Tensor *copy = newTensor(tensor.dtype(), tensor.shape());
  if (copy)
    device.copy(copy->view.data, tensor.view.data, tensor.byteCount);
  return copy;
}

bool Interpreter::makeConstant() {
  uint32_t dst = word();
  uint32_t index = word();
  ++top().pc; // the device: the host
  const artifact::ConstantSpec &c = spec.constants[index];
  Tensor *t = Tensor::create(c.dtype, c.shape, const_cast<std::byte *>(code.constants[index]));
  if (!t)
    return noMemory(0);
  reg(dst) = Value(static_cast<Object *>(t));
  return true;
}

bool Interpreter::makePlanned() {
  uint32_t dst = word();
  int64_t offset = size();
  auto type = static_cast<DType>(word());
  ++top().pc; // the device: the host
  sizeList(shape);
  uint64_t bytes;
  if (!denseBytes(type, shape, bytes))
    return fail(badShape(shape));
  const Arena::Frame &frame = top().arena;
  bool inside = offset >= 0 && offset % 64 == 0 && static_cast<uint64_t>(offset) <= frame.bytes &&
                bytes <= frame.bytes - static_cast<uint64_t>(offset);
  if (!inside && bytes)
    return fail(internalError(245, "planned storage of " + std::to_string(bytes) +
                                       " bytes at offset " + std::to_string(offset) +
                                       " lies outside the arena of " + std::to_string(frame.bytes) +
                                       " bytes"));
  Tensor *t = Tensor::create(type, shape, bytes ? frame.base + offset : nowhere);
  if (!t)
    return noMemory(0);
  t->frame = static_cast<uint32_t>(frames.size());
  reg(dst) = Value(static_cast<Object *>(t));
  return true;
}

bool Interpreter::makeAllocated() {
  auto at = static_cast<uint32_t>(top().pc - 1);
  uint32_t dst = word();
  auto type = static_cast<DType>(word());
  ++top().pc; // the device: the host
  sizeList(shape);
  Tensor *t = nullptr;
  auto placed = frames.size() == 1 ? plan.placedOutputs.find(at) : plan.placedOutputs.end();
  uint64_t bytes, room;
  if (placed != plan.placedOutputs.end() && given[placed->second].data) {
    const OutputTensor &out = given[placed->second];
    bool fits = denseBytes(type, shape, bytes) && denseBytes(out.type, out.shape, room) &&
                bytes == room && reinterpret_cast<uintptr_t>(out.data) % 64 == 0;
    if (fits && !(t = Tensor::create(type, shape, out.data)))
      return noMemory(0);
  }
  if (!t && !(t = newTensor(type, shape)))
    return false;
  reg(dst) = Value(static_cast<Object *>(t));
  return true;
}

bool Interpreter::reshape() {
  uint32_t dst = word();
  Value source = reg(word());
  sizeList(shape);
  const Tensor &from = *source.tensor();
  uint64_t bytes;
  if (!denseBytes(from.dtype(), shape, bytes))
    return fail(badShape(shape));
  if (bytes != from.byteCount)
    return fail(badInput(243,
                         "a tensor of " + std::to_string(from.byteCount) +
                             " bytes cannot be reshaped to one of " + std::to_string(bytes),
                         "the sizes of the inputs do not fit each other", "other input shapes"));
  Tensor *t = Tensor::create(from.dtype(), shape, from.view.data);
  if (!t)
    return noMemory(0);
  t->storage = from.storage;
  t->storageNumber = from.storageNumber;
  t->frame = from.frame;
  t->listener = from.listener;
  reg(dst) = Value(static_cast<Object *>(t));
  return true;
}

bool Interpreter::scalarOf(const Value &value, uint64_t place, int64_t &out) {
  if (value.isInteger()) {
    out = value.integer();
    return true;
  }
  const Tensor &t = *value.tensor();
  if (readInteger(t, place, out))
    return true;
  return fail(badInput(243,
                       "element " + std::to_string(place) + " of a " +
                           std::string(name(t.dtype())) + " tensor of " +
                           std::to_string(t.byteCount) + " bytes is no integer",
                       "the model reads it as a size or a condition"));
}

bool Interpreter::readElement() {
  uint32_t dst = word();
  uint32_t src = word();
  int64_t value = 0;
  if (!scalarOf(reg(src), word(), value))
    return false;
  reg(dst) = Value(value);
  return true;
}

bool Interpreter::shapeOf() {
  uint32_t dst = word();
  const Tensor &t = *reg(word()).tensor();
  uint32_t axis = word();
  if (axis >= t.shape().size())
    return fail(badInput(243, "axis " + std::to_string(axis) + " of a tensor of rank " +
                                  std::to_string(t.shape().size()) + " is asked for"));
  int64_t extent = t.shape()[axis];
  reg(dst) = Value(extent);
  return true;
}

} // namespace imbrex::runtime
