// Strings and items at the border: the caller's are structs with pointers (runtime/abi/items.h),
// the run's are numbers of its heap. An output is one block of memory: the structs, and behind
// them whatever they point at.
#include "runtime/abi/items.h"
#include "runtime/vm/Interpreter.h"
#include "runtime/vm/Strided.h"

#include <cstring>

namespace imbrex::runtime {
namespace {

/// Sequences of sequences of …: the caller's nest at most this deep.
constexpr int kMaxNesting = 16;

Error badItem(const std::string &port, std::string because) {
  return badInput(202, "input '" + port + "' holds a bad string or item", std::move(because));
}

/// Reads the caller's elements into numbers of the heap.
class Reader {
public:
  Reader(ItemHeap &heap, const std::string &port) : heap(heap), port(port) {}

  Status read(DType type, const void *data, std::span<uint64_t> out, int depth = 0) {
    for (size_t i = 0; i < out.size(); ++i)
      if (Status s = type == DType::String
                         ? text(static_cast<const ImxString *>(data)[i], out[i])
                         : item(static_cast<const ImxItem *>(data)[i], out[i], depth);
          !s)
        return s;
    return {};
  }

private:
  Status text(const ImxString &s, uint64_t &number) {
    if (s.size < 0 || (s.size > 0 && !s.data))
      return badItem(port, "a string has no data, or a negative size");
    number = heap.string({s.data, static_cast<size_t>(s.size)});
    return {};
  }

  Status item(const ImxItem &item, uint64_t &number, int depth) {
    if (item.dtype < 1 || item.dtype > static_cast<uint32_t>(LastDType) || item.rank < 0 ||
        item.rank > 64 || (item.rank && !item.shape) || depth == kMaxNesting)
      return badItem(port, "an item has no valid dtype, rank or shape");
    const auto type = static_cast<DType>(item.dtype);
    std::vector<int64_t> shape(item.shape, item.shape + item.rank);
    uint64_t bytes = 0;
    if (!denseBytes(type, shape, bytes) || (bytes && !item.data))
      return badItem(port, "an item has an impossible shape, or no data");
    HostTensor t(type, std::move(shape));
    if (!isReference(type)) {
      if (bytes)
        std::memcpy(t.mutableBytes().data(), item.data, bytes);
    } else if (Status s =
                   read(type, item.data,
                        {t.mutableData<uint64_t>(), static_cast<size_t>(t.elems())}, depth + 1);
               !s) {
      return s;
    }
    number = heap.tensor(std::move(t));
    return {};
  }

  ItemHeap &heap;
  const std::string &port;
};

/// Lays elements out in a block of memory; without one it counts the bytes.
class Writer {
public:
  Writer(const ItemHeap &heap, std::byte *block) : heap(heap), block(block) {}

  void write(DType type, std::span<const uint64_t> numbers, int depth = 0) {
    const uint64_t at =
        take(numbers.size() * (type == DType::String ? sizeof(ImxString) : sizeof(ImxItem)));
    for (size_t i = 0; i < numbers.size(); ++i)
      if (type == DType::String)
        put(at, i, text(numbers[i]));
      else
        put(at, i, item(numbers[i], depth));
  }
  uint64_t bytes() const { return used; }

private:
  ImxString text(uint64_t number) {
    const std::string_view s = heap.text(number).value_or(std::string_view());
    return {static_cast<const char *>(copy(s.data(), s.size())), static_cast<int64_t>(s.size())};
  }

  ImxItem item(uint64_t number, int depth) {
    const HostTensor t = heap.tensorAt(number).value_or(HostTensor(DType::F32, {0}));
    const void *shape = copy(t.shape().data(), t.shape().size() * sizeof(int64_t));
    const void *data = nullptr;
    if (isReference(t.type())) {
      data = block ? block + aligned() : nullptr;
      if (depth == kMaxNesting) // no model's types nest so deeply
        return {data, nullptr, 0, static_cast<uint32_t>(DType::F32)};
      write(t.type(), {t.data<uint64_t>(), static_cast<size_t>(t.elems())}, depth + 1);
    } else {
      data = copy(t.bytes().data(), t.bytes().size());
    }
    return {data, static_cast<const int64_t *>(shape), static_cast<int32_t>(t.rank()),
            static_cast<uint32_t>(t.type())};
  }

  uint64_t aligned() const { return (used + 63) / 64 * 64; }
  uint64_t take(uint64_t count) {
    const uint64_t at = aligned();
    used = at + count;
    return at;
  }
  const void *copy(const void *from, uint64_t count) {
    const uint64_t at = take(count);
    if (!block)
      return nullptr;
    if (count)
      std::memcpy(block + at, from, count);
    return block + at;
  }
  template <class T> void put(uint64_t at, size_t i, const T &value) {
    if (block)
      std::memcpy(block + at + i * sizeof(T), &value, sizeof value);
  }

  const ItemHeap &heap;
  std::byte *block;
  uint64_t used = 0;
};

} // namespace

Tensor *Interpreter::importItems(size_t index, const InputTensor &input) {
  const std::string &port = module.entry().inputs[index].name;
  if (!isDense(input)) {
    fail(badItem(port, "strings and items have no strides"));
    return nullptr;
  }
  Tensor *t = newTensor(input.type, input.shape);
  if (!t)
    return nullptr;
  const auto count = t->byteCount / sizeof(uint64_t);
  if (Status s =
          Reader(heap, port)
              .read(input.type, input.data, {reinterpret_cast<uint64_t *>(t->bytes()), count});
      !s) {
    releaseObject(t);
    fail(s.takeError());
    return nullptr;
  }
  return t;
}

bool Interpreter::exportItems(size_t index, OutputTensor &output) {
  const Tensor &t = *results[index].tensor();
  const std::span<const uint64_t> numbers(reinterpret_cast<const uint64_t *>(t.bytes()),
                                          t.byteCount / sizeof(uint64_t));
  Writer measure(heap, nullptr);
  measure.write(t.dtype(), numbers);
  StorageRef storage = device.allocate(measure.bytes());
  if (!storage)
    return noMemory(measure.bytes());
  Writer(heap, storage->data()).write(t.dtype(), numbers);
  output.type = t.dtype();
  output.shape.assign(t.shape().begin(), t.shape().end());
  output.data = storage->data();
  output.storage = std::move(storage);
  ++counts.copiedOutputs;
  return true;
}

} // namespace imbrex::runtime
