// Bytecode as text, for `imbrex info --code`, error texts and tests.
#pragma once

#include "runtime/module/format/ArtifactSpec.h"

namespace imbrex::artifact {

/// One line per instruction: `   12: Launch k0 "matmul" grid=16 …`. `artifact` gives names to
/// kernels, constants and functions. Code that does not decode ends in a line `   NN: <bad code>`;
/// never fails.
std::string disassemble(const FunctionSpec &function, const ArtifactSpec &artifact);

} // namespace imbrex::artifact
