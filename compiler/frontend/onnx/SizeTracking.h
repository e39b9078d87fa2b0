// Follows sizes through integer tensors: Shape, Gather, Concat and the like make a tensor whose
// elements are known as expressions over symbols though not as numbers. Reshape and Expand then
// keep named dimensions.
#pragma once

#include "compiler/frontend/onnx/Recording.h"

namespace imbrex::frontend {

/// The elements of op's first result as sizes, where they follow from the operands (null for absent
/// ones); nothing otherwise. Results of rank 0 and 1 and up to 64 elements.
std::optional<std::vector<DimExpr>> sizesOf(const opmeaning::Operator &op,
                                            const opmeaning::Attrs &attrs,
                                            const std::vector<const ValueInfo *> &operands);

/// The elements of a value as sizes: of its constant, or followed.
std::optional<std::vector<DimExpr>> knownSizes(const ValueInfo &v);

} // namespace imbrex::frontend
