// ArtifactSpec → the FlatBuffers metadata section. Internal to the writer.
#pragma once

#include "runtime/module/format/ArtifactSpec.h"

namespace imbrex::artifact {

struct SectionIndices {
  uint32_t firstVariant = 0;
  int32_t constants = -1;
};

/// `constantOffsets`: one per constant, within the constants section.
std::vector<std::byte> writeMetadata(const ArtifactSpec &spec,
                                     std::span<const uint64_t> constantOffsets,
                                     SectionIndices indices);

} // namespace imbrex::artifact
