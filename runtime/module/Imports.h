// The functions that an artifact's code may call out to, by name: what ImxEnv::imports points at.
#pragma once

#include <string_view>

namespace imbrex::runtime {

/// Null when the runtime has no such function. Names and signatures are those of the C library:
/// memcpy, memmove, memset, memcmp, bcmp and <math.h> in float ("tanhf") and double ("tanh"); and,
/// as compilers' support libraries name them, conversions to and from f16 and bf16 ("__truncsfbf2")
/// and integer powers ("__powisf2").
const void *importByName(std::string_view name);

} // namespace imbrex::runtime
