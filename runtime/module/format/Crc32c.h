// CRC-32C (Castagnoli), the checksum of artifact sections. SSE4.2 where the CPU has it, tables
// otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace imbrex::artifact {

/// Continues `crc` (0 to begin) over `bytes`: crc32c(crc32c(0, a), b) is the checksum of a then b.
uint32_t crc32c(uint32_t crc, std::span<const std::byte> bytes);

/// The table version, for tests.
uint32_t crc32cPortable(uint32_t crc, std::span<const std::byte> bytes);

} // namespace imbrex::artifact
