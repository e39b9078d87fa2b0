// Memory straight from the system, in huge pages where that pays.
#pragma once

#include <cstddef>
#include <cstdint>

namespace imbrex::runtime {

constexpr uint64_t hugePageBytes = 2ull << 20;
/// From here on a 2 MiB page is cheaper than its 4 KiB pages: one fault clears it in about 0.1 ms,
/// while each small page costs 0.6 to 12 µs (measured; returned memory is the dear case).
constexpr uint64_t hugePageThreshold = 512ull << 10;

enum class Prefault : uint8_t { No, Yes };

/// Zeroed memory of at least `bytes`, page-aligned; from hugePageThreshold on rounded up to 2 MiB,
/// aligned so and advised to be huge. `bytes` receives what was mapped. Null when there is no
/// memory.
void *mapPages(uint64_t &bytes, Prefault prefault);
void unmapPages(void *base, uint64_t bytes);

} // namespace imbrex::runtime
