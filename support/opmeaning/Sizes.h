// Tensors whose elements are sizes: operator `sizes` makes one of expressions over the dimensions
// of its operands, so that whoever reads it sees the expressions and not just numbers.
//
//   sizes(x) {elements = "o0.0, 2*o0.1, -1"}        [n, 2*m, -1] for x of shape [n, m]
//
// The symbol oI.K is dimension K of operand I. No text names the symbols of a function, so that
// renaming them, moving code and evaluating need no special case.
#pragma once

#include "support/opmeaning/Operator.h"

namespace imbrex::opmeaning {

/// The elements of an application of `sizes`, in the symbols of the operands' types. E0520 for a
/// text that is none.
Result<std::vector<DimExpr>> elementsOfSizes(const std::vector<TensorType> &operands,
                                             const Attrs &attrs);

/// The symbol that stands for dimension `axis` of operand `operand`.
std::string sizeName(size_t operand, size_t axis);

} // namespace imbrex::opmeaning
