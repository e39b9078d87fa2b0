// Folding while a Program is built, and the integer conversions that folding and the evaluator
// share.
#pragma once

#include "support/opmeaning/Program.h"

#include <optional>

namespace imbrex::opmeaning {

/// v modulo 2^n as a value of integer type `type` (Bool: v != 0); 64-bit types keep their bits.
int64_t wrapTo(DType type, int64_t v);
/// The nearest value of an integer type; NaN gives 0. U64 keeps its bits in the int64.
int64_t saturateTo(DType type, double v);

/// The value of a small definition (at most 64 elements) that reads constants only; nothing
/// otherwise, or where its evaluation reaches an undefined result.
std::optional<HostTensor> foldConstantDef(const Program &p, uint32_t def);

} // namespace imbrex::opmeaning
