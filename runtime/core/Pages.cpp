#include "runtime/core/Pages.h"

#include <sys/mman.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

namespace imbrex::runtime {
namespace {

void *mapAnonymous(uint64_t bytes) {
  void *p = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return p == MAP_FAILED ? nullptr : p;
}

/// Maps a page more than needed and gives the unaligned ends back.
void *mapAligned(uint64_t bytes) {
  auto *raw = static_cast<char *>(mapAnonymous(bytes + hugePageBytes));
  if (!raw)
    return nullptr;
  uint64_t lead =
      (hugePageBytes - reinterpret_cast<uintptr_t>(raw) % hugePageBytes) % hugePageBytes;
  if (lead)
    ::munmap(raw, lead);
  ::munmap(raw + lead + bytes, hugePageBytes - lead);
  ::madvise(raw + lead, bytes, MADV_HUGEPAGE);
  return raw + lead;
}

} // namespace

void *mapPages(uint64_t &bytes, Prefault prefault) {
  constexpr uint64_t limit = 1ull << 47;
  if (bytes == 0 || bytes > limit)
    return nullptr;
  uint64_t unit = bytes >= hugePageThreshold ? hugePageBytes : 4096;
  bytes = (bytes + unit - 1) / unit * unit;
  void *base = unit == hugePageBytes ? mapAligned(bytes) : mapAnonymous(bytes);
  // Best effort: an older kernel faults the pages at first touch instead.
  if (base && prefault == Prefault::Yes)
    ::madvise(base, bytes, MADV_POPULATE_WRITE);
  return base;
}

void unmapPages(void *base, uint64_t bytes) {
  if (base)
    ::munmap(base, bytes);
}

} // namespace imbrex::runtime
