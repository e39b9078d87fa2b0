#include "runtime/core/Objects.h"

#include <cstdlib>
#include <limits>
#include <new>

namespace imbrex::runtime {

bool denseBytes(DType type, std::span<const int64_t> shape, uint64_t &bytes) {
  int64_t product = byteSize(type);
  bool empty = false;
  for (int64_t d : shape) {
    if (d < 0)
      return false;
    empty = empty || d == 0;
  }
  // An empty tensor has no bytes, however large its other sizes are.
  for (int64_t d : shape)
    if (!empty && __builtin_mul_overflow(product, d, &product))
      return false;
  bytes = empty ? 0 : static_cast<uint64_t>(product);
  return true;
}

Tensor *Tensor::create(DType type, std::span<const int64_t> shape, void *data) {
  size_t rank = shape.size();
  void *memory = std::malloc(sizeof(Tensor) + 2 * rank * sizeof(int64_t));
  if (!memory)
    return nullptr;
  auto *t = new (memory) Tensor;
  auto *sizes = reinterpret_cast<int64_t *>(static_cast<std::byte *>(memory) + sizeof(Tensor));
  uint64_t step = 1;
  for (size_t i = rank; i-- > 0;) {
    sizes[i] = shape[i];
    sizes[rank + i] = static_cast<int64_t>(step);
    step *= static_cast<uint64_t>(shape[i]); // may wrap beside a zero size; nothing is read then
  }
  t->view = {data, sizes, sizes + rank, static_cast<int32_t>(rank), static_cast<uint32_t>(type)};
  denseBytes(type, shape, t->byteCount);
  return t;
}

void Tensor::destroy(Tensor *tensor) {
  if (tensor->listener && tensor->storage && tensor->storage->isUnique())
    tensor->listener->released(tensor->storageNumber, tensor->storage->bytes());
  tensor->~Tensor();
  std::free(tensor);
}

Record *Record::create(uint32_t constructor, std::vector<Value> fields) {
  auto *r = new (std::nothrow) Record;
  if (r) {
    r->constructor = constructor;
    r->fields = std::move(fields);
  }
  return r;
}

void releaseObject(Object *object) {
  if (--object->refs)
    return;
  if (object->kind == ObjectKind::Tensor)
    return Tensor::destroy(static_cast<Tensor *>(object));
  std::vector<Object *> dying = {object};
  while (!dying.empty()) {
    Object *next = dying.back();
    dying.pop_back();
    if (next->kind == ObjectKind::Tensor) {
      Tensor::destroy(static_cast<Tensor *>(next));
      continue;
    }
    auto *record = static_cast<Record *>(next);
    for (Value &field : record->fields)
      if (field.tag() == Value::Tag::Object) {
        Object *child = field.detach();
        if (--child->refs == 0)
          dying.push_back(child);
      }
    delete record;
  }
}

} // namespace imbrex::runtime
