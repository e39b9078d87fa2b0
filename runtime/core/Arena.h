// Planned storage of a context: a stack of frames, one per activation, in memory that is mapped
// once and kept.
#pragma once

#include "runtime/core/Pages.h"

#include <cstdint>
#include <vector>

namespace imbrex::runtime {

/// Not thread-safe: it belongs to one context. Frames never move. When the last frame goes, several
/// blocks are joined into one, so that the next run of the same depth finds one contiguous block;
/// and after many runs that needed less than a quarter of it, the rest is given back.
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
  void replaceBlocks(uint64_t bytes);
  void endRun();

  Prefault prefault;
  std::vector<Block> blocks;
  uint32_t current = 0;
  uint32_t depth = 0;
  uint64_t inUse = 0;     // bytes of all frames
  uint64_t peak = 0;      // its largest value since the last frame went
  uint32_t smallRuns = 0; // in a row that left most of the memory unused
  uint64_t smallPeak = 0; // the largest of their peaks
};

} // namespace imbrex::runtime
