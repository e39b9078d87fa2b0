// Planned storage of a context: a stack of frames, one per activation, in memory that is mapped
// once and kept.
#pragma once

#include "runtime/core/Pages.h"

#include <cstdint>
#include <vector>

namespace imbrex::runtime {

/// Not thread-safe: it belongs to one context. Frames never move. When the last frame goes, several
/// blocks are joined into one, so that the next run of the same depth finds one contiguous block.
class Arena {
public:
  explicit Arena(Prefault prefault) : prefault(prefault) {}
  ~Arena();
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;

  struct Frame {
    std::byte *base = nullptr; // 64-byte aligned; never null after push, even for 0 bytes
    uint64_t bytes = 0;
    uint32_t block = 0;
    uint64_t before = 0; // fill of the block before this frame
  };

  /// A frame of `bytes`; false when there is no memory. Contents are indeterminate.
  bool push(uint64_t bytes, Frame &frame);
  /// Frames are popped in reverse order.
  void pop(const Frame &frame);

  /// Bytes mapped now.
  uint64_t mappedBytes() const;

private:
  struct Block {
    std::byte *base;
    uint64_t bytes;
    uint64_t used;
  };
  bool addBlock(uint64_t bytes);
  void joinBlocks();

  Prefault prefault;
  std::vector<Block> blocks;
  uint32_t current = 0;
  uint32_t depth = 0;
};

} // namespace imbrex::runtime
