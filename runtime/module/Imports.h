// The functions that an artifact's code may call out to, by name: what ImxEnv::imports points at.
#pragma once

#include <string_view>

namespace imbrex::runtime {

/// Null when the runtime has no such function. Names and signatures are those of the C library:
/// memcpy, memmove, memset, memcmp and <math.h> in float ("tanhf") and double ("tanh").
const void *importByName(std::string_view name);

} // namespace imbrex::runtime
