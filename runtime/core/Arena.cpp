#include "runtime/core/Arena.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace imbrex::runtime {

namespace {
alignas(64) std::byte emptyFrame[64];

// Runs whose sizes alternate keep the memory of the largest; one that never comes back gives it up.
constexpr uint32_t runsBeforeShrinking = 32;
constexpr uint64_t smallArena = 1u << 20;
} // namespace

Arena::~Arena() {
  for (Block &b : blocks)
    unmapPages(b.base, b.bytes);
}

bool Arena::addBlock(uint64_t bytes) {
  auto *base = static_cast<std::byte *>(mapPages(bytes, prefault));
  if (!base)
    return false;
  blocks.push_back({base, bytes, 0});
  return true;
}

bool Arena::push(uint64_t bytes, Frame &frame) {
  if (bytes > std::numeric_limits<uint64_t>::max() - 63)
    return false;
  bytes = (bytes + 63) / 64 * 64;
  // The first block after `current` with room; blocks behind `current` are empty.
  uint32_t at = current;
  while (bytes && at < blocks.size() && blocks[at].bytes - blocks[at].used < bytes)
    ++at;
  if (bytes && at == blocks.size() && !addBlock(bytes))
    return false;
  frame = {emptyFrame, bytes, at, 0};
  ++depth;
  if (bytes == 0)
    return true;
  Block &b = blocks[at];
  frame.base = b.base + b.used;
  frame.before = b.used;
  b.used += bytes;
  inUse += bytes;
  peak = std::max(peak, inUse);
  current = at;
  return true;
}

void Arena::pop(const Frame &frame) {
  --depth;
  if (frame.bytes)
    blocks[frame.block].used = frame.before;
  inUse -= frame.bytes;
  while (current > 0 && blocks[current].used == 0)
    --current;
  if (depth == 0)
    endRun();
}

void Arena::endRun() {
  uint64_t needed = std::exchange(peak, 0);
  uint64_t mapped = mappedBytes();
  if (blocks.size() > 1)
    replaceBlocks(mapped);
  if (mapped <= smallArena || needed > mapped / 4) {
    smallRuns = 0;
    smallPeak = 0;
    return;
  }
  smallPeak = std::max(smallPeak, needed);
  if (++smallRuns < runsBeforeShrinking)
    return;
  replaceBlocks(smallPeak);
  smallRuns = 0;
  smallPeak = 0;
}

void Arena::replaceBlocks(uint64_t bytes) {
  for (Block &b : blocks)
    unmapPages(b.base, b.bytes);
  blocks.clear();
  current = 0;
  // Without memory for one block the next push asks again.
  if (bytes)
    addBlock(bytes);
}

uint64_t Arena::mappedBytes() const {
  uint64_t total = 0;
  for (const Block &b : blocks)
    total += b.bytes;
  return total;
}

} // namespace imbrex::runtime
