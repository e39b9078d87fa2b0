// Bytes → a verified ArtifactSpec. Hostile bytes give an error; nothing of the artifact is
// executed.
#pragma once

#include "runtime/module/format/ArtifactSpec.h"
#include "support/Result.h"

namespace imbrex::runtime {

struct ReadArtifact {
  artifact::ArtifactSpec spec;          // spans borrow the bytes
  std::span<const std::byte> constants; // the section; empty when there is none
};

enum class ConstantsCheck : uint8_t { Skip, Verify };

/// Checks, in this order: header and section table with their checksum; checksums of metadata and
/// code (of constants on request: they may be gigabytes); the FlatBuffer's structure; what the
/// records say about each other; the bytecode; the ELF files. `bytes` must be aligned to 64 and
/// outlive the result. Errors E0100 to E0109.
Result<ReadArtifact> readArtifact(std::span<const std::byte> bytes, ConstantsCheck check);

/// The sections of a file, after header, table and checksums were checked.
struct SectionTable {
  struct Section {
    uint32_t kind = 0;
    std::span<const std::byte> bytes;
  };
  std::vector<Section> sections;
};
Result<SectionTable> readSections(std::span<const std::byte> bytes, ConstantsCheck check);

/// The metadata section as structs; spans of constants and code are checked to lie in their
/// sections.
Result<ReadArtifact> readMetadata(const SectionTable &table);

} // namespace imbrex::runtime
