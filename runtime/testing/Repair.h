// Makes damaged artifacts look whole, so that what is tested is the verifier behind the checksums.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace imbrex::testing {

/// Recomputes file size and all checksums as far as header and table make sense; any bytes may be
/// given.
void repairChecksums(std::vector<std::byte> &file);

/// A file around a metadata section: the test kernels as section 1, 256 bytes of constants as
/// section 2.
std::vector<std::byte> wrapMetadata(std::span<const std::byte> metadata);

} // namespace imbrex::testing
