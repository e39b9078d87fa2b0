#include "tools/common/CallerItems.h"

#include "support/tensor/ItemHeap.h"

#include <cstring>

namespace imbrex::tools {

const void *CallerItems::of(const HostTensor &tensor) {
  if (tensor.type() == DType::String) {
    auto &list = strings.emplace_back();
    for (int64_t i = 0; i < tensor.elems(); ++i) {
      const std::string_view text = textAt(ItemHeap::process(), tensor, i);
      list.push_back({text.data(), static_cast<int64_t>(text.size())});
    }
    return list.data();
  }
  std::vector<ImbrexItem> list;
  for (int64_t i = 0; i < tensor.elems(); ++i) {
    auto found = ItemHeap::process().tensorAt(static_cast<uint64_t>(tensor.toInt(i)));
    const HostTensor &t = tensors.emplace_back(found.value_or(HostTensor(DType::F32, {0})));
    list.push_back({isReference(t.type()) ? of(t) : t.bytes().data(), t.shape().data(),
                    static_cast<int32_t>(t.rank()), static_cast<uint32_t>(t.type())});
  }
  return items.emplace_back(std::move(list)).data();
}

HostTensor fromCaller(DType type, std::vector<int64_t> shape, const void *elements) {
  HostTensor tensor(type, std::move(shape));
  const int64_t count = tensor.elems();
  auto *numbers = tensor.mutableData<uint64_t>();
  ItemHeap &heap = ItemHeap::process();
  for (int64_t i = 0; i < count; ++i) {
    if (type == DType::String) {
      const auto &s = static_cast<const ImbrexString *>(elements)[i];
      numbers[i] = heap.string({s.data, static_cast<size_t>(s.size)});
      continue;
    }
    const auto &item = static_cast<const ImbrexItem *>(elements)[i];
    std::vector<int64_t> sizes(item.shape, item.shape + item.rank);
    const auto inner = static_cast<DType>(item.dtype);
    if (isReference(inner)) {
      numbers[i] = heap.tensor(fromCaller(inner, std::move(sizes), item.data));
      continue;
    }
    HostTensor t(inner, std::move(sizes));
    auto bytes = t.mutableBytes();
    if (!bytes.empty())
      std::memcpy(bytes.data(), item.data, bytes.size());
    numbers[i] = heap.tensor(std::move(t));
  }
  return tensor;
}

} // namespace imbrex::tools
