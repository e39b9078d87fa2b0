// The plan checker: small, separate from the planner, and trusted instead of it.
#pragma once

#include "compiler/ir/vm/Vm.h"

namespace imbrex::memory {

/// Walks the function once and keeps, for each byte range of the arena, the buffer written there
/// last. A read of a buffer whose range another buffer took over in the meantime is an error, and
/// so are a range beyond the arena, an unaligned offset, and a returned buffer in the arena. Loop
/// bodies are walked twice, so that what the second iteration reads is seen. Errors: E0620.
Status checkPlan(relay::FuncOp func);

} // namespace imbrex::memory
