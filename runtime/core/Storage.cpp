#include "runtime/core/Storage.h"

#include "runtime/core/Pages.h"

#include <bit>
#include <cstdlib>
#include <new>

namespace imbrex::runtime {
namespace {

/// Requests are rounded up by at most a quarter, so that similar sizes reuse each other's blocks.
uint64_t sizeClass(uint64_t bytes) {
  if (bytes <= 64)
    return 64;
  uint64_t step = std::max<uint64_t>(64, std::bit_floor(bytes - 1) / 4);
  return (bytes + step - 1) / step * step;
}

constexpr size_t maxKept = 64;

bool isMapped(uint64_t capacity) { return capacity >= hugePageThreshold; }

std::byte *obtain(uint64_t &capacity) {
  void *p =
      isMapped(capacity) ? mapPages(capacity, Prefault::No) : std::aligned_alloc(64, capacity);
  return static_cast<std::byte *>(p);
}

void giveBack(std::byte *base, uint64_t capacity) {
  if (isMapped(capacity))
    unmapPages(base, capacity);
  else
    std::free(base);
}

} // namespace

void Storage::release() {
  if (refs.load(std::memory_order_acquire) != 1 &&
      refs.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return;
  std::shared_ptr<StoragePool> keep = std::move(pool);
  keep->takeBack({base, capacity});
  delete this;
}

StoragePool::~StoragePool() {
  for (Block b : kept)
    giveBack(b.base, b.capacity);
}

StorageRef StoragePool::allocate(uint64_t bytes) {
  if (bytes > (1ull << 47))
    return {};
  Block block{nullptr, sizeClass(bytes)};
  // mapPages rounds up; look for what it would give.
  if (isMapped(block.capacity))
    block.capacity = (block.capacity + hugePageBytes - 1) / hugePageBytes * hugePageBytes;
  {
    std::lock_guard lock(mutex);
    for (size_t i = kept.size(); i-- > 0;)
      if (kept[i].capacity == block.capacity) {
        block = kept[i];
        kept.erase(kept.begin() + static_cast<ptrdiff_t>(i));
        keptBytes -= block.capacity;
        break;
      }
  }
  if (!block.base)
    block.base = obtain(block.capacity);
  if (!block.base)
    return {};
  auto *storage = new (std::nothrow) Storage;
  if (!storage) {
    giveBack(block.base, block.capacity);
    return {};
  }
  storage->base = block.base;
  storage->requested = bytes;
  storage->capacity = block.capacity;
  storage->pool = shared_from_this();
  return StorageRef(storage);
}

void StoragePool::takeBack(Block block) {
  // What was kept longest without being asked for makes room: one large request, or many sizes that
  // come once, must not keep the sizes of every run out.
  std::vector<Block> stale;
  {
    std::lock_guard lock(mutex);
    if (block.capacity > keepBytes) {
      stale.push_back(block);
    } else {
      size_t old = 0;
      while (keptBytes + block.capacity > keepBytes || kept.size() - old >= maxKept)
        keptBytes -= kept[old++].capacity;
      stale.assign(kept.begin(), kept.begin() + static_cast<ptrdiff_t>(old));
      kept.erase(kept.begin(), kept.begin() + static_cast<ptrdiff_t>(old));
      kept.push_back(block);
      keptBytes += block.capacity;
    }
  }
  for (Block b : stale)
    giveBack(b.base, b.capacity);
}

} // namespace imbrex::runtime
