// The fixed part of an artifact (.imx): little-endian header, then a section table. Everything is
// reached through 64-bit offsets, so no part of a file is limited to 2 GiB.
//
//   0    FileHeader
//   64   SectionRecord × sectionCount
//   …    metadata (FlatBuffers, Artifact.fbs), then page-aligned code (ELF, one section per
//   variant) and
//        constants; gaps are zero
#pragma once

#include <bit>
#include <cstdint>

namespace imbrex::artifact {

static_assert(std::endian::native == std::endian::little, "artifacts are read in place");

constexpr char fileMagic[8] = {'I', 'M', 'B', 'R', 'E', 'X', '\x1a', '\n'};
/// Raised when old readers must refuse; new optional metadata does not raise it.
constexpr uint32_t formatVersion = 2;
constexpr uint64_t pageBytes = 4096;
constexpr uint32_t maxSections = 64;
constexpr uint64_t constantAlignment = 64;

struct FileHeader {
  char magic[8];
  uint32_t version;
  uint32_t sectionCount;
  uint64_t fileSize;
  uint64_t tableOffset;
  uint32_t crc; // CRC32C of the header with this field zero, then the section table
  uint32_t reserved[7];
};
static_assert(sizeof(FileHeader) == 64);

enum class SectionKind : uint32_t { Metadata = 1, Code = 2, Constants = 3 };

struct SectionRecord {
  uint32_t kind;
  uint32_t crc; // CRC32C of the section's bytes
  uint64_t offset;
  uint64_t size;
  uint64_t alignment; // of `offset`; a power of two
};
static_assert(sizeof(SectionRecord) == 32);

} // namespace imbrex::artifact
