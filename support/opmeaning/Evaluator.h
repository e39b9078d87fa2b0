// The reference evaluator: what an operator means, slowly and obviously.
#pragma once

#include "support/opmeaning/Operator.h"

namespace imbrex::opmeaning {

enum class Precision : uint8_t {
  Stepwise, // every function, definition and finished fold rounds to its dtype
  Real,     // float64 throughout, for error bounds; results are F64 where the dtype is a float
};

/// Runs a Program on operands (none for an absent one). E0540 on a shape or dtype that contradicts the
/// Program, E0541 for a violated requirement (with its reason), E0542 when an undefined result (integer
/// division by zero) is reached, E0543 when more than `maxSteps` element steps or 8 GiB would be needed; E0544
/// (internal) for a read out of bounds. A cast of a float that its integer type cannot hold saturates and NaN
/// becomes 0, so that results repeat; the meaning leaves that value undefined.
/// Cost: some 20 ns an element step. Sums whose guard equates a variable with an affine index skip the search.
Result<std::vector<HostTensor>> evaluate(const Program &p,
                                         const std::vector<std::optional<HostTensor>> &operands,
                                         Precision precision = Precision::Stepwise,
                                         int64_t maxSteps = INT64_MAX);

/// meaningOf on the concrete operands (all constant, so that every size is known), then evaluate.
Result<std::vector<HostTensor>> evaluate(const Operator &op,
                                         const std::vector<std::optional<HostTensor>> &operands,
                                         const Attrs &attrs,
                                         Precision precision = Precision::Stepwise,
                                         int64_t maxSteps = INT64_MAX);

} // namespace imbrex::opmeaning
