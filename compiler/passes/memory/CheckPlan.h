// The plan checker: small, separate from the planner, and trusted instead of it.
#pragma once

#include "compiler/ir/vm/Vm.h"

namespace imbrex::memory {

/// Walks the function and keeps, for each byte range of the arena, the buffer written there last.
/// Refused (E0620), with the operation:
///  - a read of a buffer whose range another one took over in the meantime, or that nothing wrote;
///  - a second write to a buffer: aliases of the first would name other bytes;
///  - an operand or another result that shares bytes with a launch's result;
///  - a range before or beyond the arena, an offset that is not a multiple of 64;
///  - an arena or offset that is no size, or needs a symbol that the function's entry does not
///  bind;
///  - an alias of another size; a value whose storage is not known;
///  - a returned or loop-carried value in the arena.
/// What a call returns may be any of its operands. Loops are walked until nothing new is learnt.
/// Cost: quadratic in the buffers that are alive together.
Status checkPlan(relay::FuncOp func);

} // namespace imbrex::memory
