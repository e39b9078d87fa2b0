// Writes artifacts (.imx) from plain structs. The file appears under its name only when complete.
#pragma once

#include "runtime/module/format/ArtifactSpec.h"
#include "support/Result.h"

namespace imbrex::artifact {

/// Writes `spec` to `path` through a temporary file beside it and a rename; constants and code go
/// straight from the borrowed spans, never through a second copy in memory. Constants that share
/// the same span are stored once. Does not verify: the reader does. Errors: E0101 for a constant
/// whose bytes do not fit its type, E0002 for a file that cannot be written.
Result<void> writeArtifact(const ArtifactSpec &spec, const std::string &path);

/// The same file as bytes in memory.
Result<std::vector<std::byte>> serializeArtifact(const ArtifactSpec &spec);

} // namespace imbrex::artifact
