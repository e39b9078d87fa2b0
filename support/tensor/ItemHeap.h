// What elements of type String and Item refer to: texts and whole tensors, by number.
//
//   uint64_t hello = heap.string("hello");        // equal texts have equal numbers
//   uint64_t x = heap.tensor(HostTensor(...));    // each call makes a new item
//
// So tensors of strings, and sequences (tensors of items), move through kernels as plain 64-bit
// elements; only the functions that look inside need the heap. 0 is the empty text, and no tensor.
// A heap may stand on another one, whose numbers it knows: a run's on its module's constants.
// Look-ups take constant time. Not thread-safe, but for process().
#pragma once

#include "support/tensor/HostTensor.h"

#include <deque>
#include <string_view>
#include <unordered_map>

namespace imbrex {

class ItemHeap {
public:
  /// `base` outlives this and no longer grows.
  explicit ItemHeap(const ItemHeap *base = nullptr);
  ItemHeap(const ItemHeap &) = delete;
  ItemHeap &operator=(const ItemHeap &) = delete;
  ~ItemHeap();

  uint64_t string(std::string_view text);
  uint64_t tensor(HostTensor value);

  /// Nothing for a number that is none of this heap's texts, or tensors.
  std::optional<std::string_view> text(uint64_t number) const;
  std::optional<HostTensor> tensorAt(uint64_t number) const;

  /// Drops what neither `roots` nor anything that they refer to mentions; the base stays. Numbers
  /// of dropped items are used again. Linear in what the heap holds.
  void keepOnly(const std::vector<std::span<const uint64_t>> &roots);
  /// Drops everything but the base.
  void clear();
  /// What the items of this heap hold, its base aside.
  int64_t bytes() const { return held; }

  /// The heap of HostTensors outside of a run: models, constants, inputs and outputs of tools. It
  /// only grows. Thread-safe.
  static ItemHeap &process();

private:
  struct Entry;
  struct Shared;
  const Entry *find(uint64_t number) const;
  uint64_t add(Entry entry);

  const ItemHeap *base;
  uint64_t first; // the least number of an entry of ours
  std::deque<Entry> entries;
  std::unordered_map<std::string_view, uint64_t> texts;
  std::vector<uint64_t> unused;
  int64_t held = 0;
  std::shared_ptr<Shared> shared; // of process()
};

/// A tensor of strings, in `heap`.
HostTensor stringTensor(ItemHeap &heap, std::vector<int64_t> shape,
                        std::span<const std::string> texts);
/// Element i of a tensor of strings in `heap`; empty for a number that is no text of it.
std::string_view textAt(const ItemHeap &heap, const HostTensor &t, int64_t i);

} // namespace imbrex
