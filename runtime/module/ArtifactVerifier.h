// What the records of an artifact must satisfy before anything runs.
#pragma once

#include "runtime/module/format/ArtifactSpec.h"
#include "support/Result.h"

namespace imbrex::runtime {

/// Checks records against each other (E0107), the bytecode of each function (E0108, rules in
/// runtime/abi/bytecode.h) the ELF file of each variant of a known kind, and that the one this
/// machine would load defines every kernel (E0109).
Status verifyArtifact(const artifact::ArtifactSpec &spec);

/// The bytecode of one function. Precondition: the function's own records were checked. Data-flow
/// over basic blocks; the work is bounded, functions that need more are refused.
Status verifyBytecode(const artifact::FunctionSpec &function, const artifact::ArtifactSpec &spec);

} // namespace imbrex::runtime
