#include "support/tensor/ItemHeap.h"

#include <mutex>

namespace imbrex {

struct ItemHeap::Entry {
  enum class Kind : uint8_t { Unused, Text, Tensor } kind = Kind::Unused;
  std::string text;
  HostTensor tensor;

  int64_t bytes() const {
    return static_cast<int64_t>(sizeof(Entry) + text.size() + tensor.bytes().size());
  }
};

struct ItemHeap::Shared {
  std::mutex mutex;
};

namespace {

template <class Lockable> std::unique_lock<std::mutex> lockIf(const Lockable &shared) {
  return shared ? std::unique_lock(shared->mutex) : std::unique_lock<std::mutex>();
}

} // namespace

ItemHeap::ItemHeap(const ItemHeap *base)
    : base(base), first(base ? base->first + base->entries.size() : 0) {
  if (!base)
    string("");
}

ItemHeap::~ItemHeap() = default;

ItemHeap &ItemHeap::process() {
  static ItemHeap &heap = *[] {
    auto *made = new ItemHeap; // never destroyed: static tensors may refer to it
    made->shared = std::make_shared<Shared>();
    return made;
  }();
  return heap;
}

const ItemHeap::Entry *ItemHeap::find(uint64_t number) const {
  const ItemHeap *heap = this;
  while (heap && number < heap->first)
    heap = heap->base;
  if (!heap || number - heap->first >= heap->entries.size())
    return nullptr;
  return &heap->entries[number - heap->first];
}

uint64_t ItemHeap::add(Entry entry) {
  held += entry.bytes();
  if (!unused.empty()) {
    const uint64_t number = unused.back();
    unused.pop_back();
    entries[number - first] = std::move(entry);
    return number;
  }
  entries.push_back(std::move(entry));
  return first + entries.size() - 1;
}

uint64_t ItemHeap::string(std::string_view text) {
  auto lock = lockIf(shared);
  for (const ItemHeap *heap = this; heap; heap = heap->base)
    if (auto it = heap->texts.find(text); it != heap->texts.end())
      return it->second;
  Entry entry;
  entry.kind = Entry::Kind::Text;
  entry.text = text;
  const uint64_t number = add(std::move(entry));
  texts.emplace(find(number)->text, number); // entries of a deque stay where they are
  return number;
}

uint64_t ItemHeap::tensor(HostTensor value) {
  auto lock = lockIf(shared);
  Entry entry;
  entry.kind = Entry::Kind::Tensor;
  entry.tensor = std::move(value);
  return add(std::move(entry));
}

std::optional<std::string_view> ItemHeap::text(uint64_t number) const {
  auto lock = lockIf(shared);
  const Entry *e = find(number);
  return e && e->kind == Entry::Kind::Text ? std::optional<std::string_view>(e->text)
                                           : std::nullopt;
}

std::optional<HostTensor> ItemHeap::tensorAt(uint64_t number) const {
  auto lock = lockIf(shared);
  const Entry *e = find(number);
  return e && e->kind == Entry::Kind::Tensor ? std::optional(e->tensor) : std::nullopt;
}

void ItemHeap::keepOnly(const std::vector<std::span<const uint64_t>> &roots) {
  std::vector<bool> marked(entries.size());
  std::vector<uint64_t> open;
  auto mark = [&](uint64_t number) {
    if (number < first || number - first >= entries.size() || marked[number - first])
      return;
    marked[number - first] = true;
    open.push_back(number - first);
  };
  for (auto root : roots)
    for (uint64_t number : root)
      mark(number);
  while (!open.empty()) {
    const HostTensor &t = entries[open.back()].tensor;
    open.pop_back();
    if (isReference(t.type()))
      for (int64_t i = 0; i < t.elems(); ++i)
        mark(static_cast<uint64_t>(t.toInt(i)));
  }
  for (size_t i = base ? 0 : 1; i < entries.size(); ++i) {
    if (marked[i] || entries[i].kind == Entry::Kind::Unused)
      continue;
    held -= entries[i].bytes();
    if (entries[i].kind == Entry::Kind::Text)
      texts.erase(entries[i].text);
    entries[i] = {};
    unused.push_back(first + i);
  }
}

void ItemHeap::clear() {
  texts.clear();
  entries.clear();
  unused.clear();
  held = 0;
  if (!base)
    string("");
}

HostTensor stringTensor(ItemHeap &heap, std::vector<int64_t> shape,
                        std::span<const std::string> texts) {
  HostTensor t(DType::String, std::move(shape));
  auto *out = t.mutableData<uint64_t>();
  for (size_t i = 0; i < texts.size(); ++i)
    out[i] = heap.string(texts[i]);
  return t;
}

std::string_view textAt(const ItemHeap &heap, const HostTensor &t, int64_t i) {
  return heap.text(static_cast<uint64_t>(t.toInt(i))).value_or(std::string_view());
}

} // namespace imbrex
