// Bytes with a life of their own: outputs, staged inputs, everything that no memory plan places.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace imbrex::runtime {

class StoragePool;

/// A block of memory, 64-byte aligned, reference-counted. Counted atomically, because outputs are
/// released on any thread.
class Storage {
public:
  std::byte *data() const { return base; }
  /// What was asked for.
  uint64_t bytes() const { return requested; }
  bool isUnique() const { return refs.load(std::memory_order_acquire) == 1; }

  void retain() { refs.fetch_add(1, std::memory_order_relaxed); }
  void release();

private:
  friend class StoragePool;
  std::atomic<uint32_t> refs{1};
  std::byte *base = nullptr;
  uint64_t requested = 0;
  uint64_t capacity = 0;
  std::shared_ptr<StoragePool> pool;
};

/// Holds one reference.
class StorageRef {
public:
  StorageRef() = default;
  /// Takes over the reference that `storage` comes with.
  explicit StorageRef(Storage *storage) : storage(storage) {}
  StorageRef(const StorageRef &other) : storage(other.storage) {
    if (storage)
      storage->retain();
  }
  StorageRef(StorageRef &&other) noexcept : storage(std::exchange(other.storage, nullptr)) {}
  StorageRef &operator=(StorageRef other) noexcept {
    std::swap(storage, other.storage);
    return *this;
  }
  ~StorageRef() {
    if (storage)
      storage->release();
  }
  explicit operator bool() const { return storage != nullptr; }
  Storage *operator->() const { return storage; }
  Storage *get() const { return storage; }

private:
  Storage *storage = nullptr;
};

/// Makes Storage and keeps released blocks for the next request of their size class: mapping fresh
/// pages for each run's outputs costs more than many kernels. Thread-safe; lives as long as its
/// blocks.
class StoragePool : public std::enable_shared_from_this<StoragePool> {
public:
  /// `keepBytes`: how much released memory is kept at most; the longest unused goes first.
  explicit StoragePool(uint64_t keepBytes) : keepBytes(keepBytes) {}
  ~StoragePool();
  StoragePool(const StoragePool &) = delete;
  StoragePool &operator=(const StoragePool &) = delete;

  /// Null when there is no memory. Contents are indeterminate. 0 bytes give a valid pointer, too.
  StorageRef allocate(uint64_t bytes);

private:
  friend class Storage;
  struct Block {
    std::byte *base;
    uint64_t capacity;
  };
  void takeBack(Block block);

  const uint64_t keepBytes;
  std::mutex mutex;
  std::vector<Block> kept; // released longest ago first
  uint64_t keptBytes = 0;
};

} // namespace imbrex::runtime
