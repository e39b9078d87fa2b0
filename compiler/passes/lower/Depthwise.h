// Depthwise convolutions at stride 1 over small pictures as tile kernels.
//
//   y[n, c, h, w] = sum(i, j) k[c, i, j] * x[n, c, h + i, w + j]
//
// A tap moves all places of a picture by the same distance, so each is one run of consecutive
// elements of x, whatever the width of a row: short rows are no short vectors. What is computed
// between the rows is thrown away. Refuses: long rows, which a plain loop computes as well,
// strides, guards (PadWindows takes them away).
#pragma once

#include "compiler/passes/lower/ContractionParts.h"
#include "compiler/passes/lower/TileContraction.h"

namespace imbrex::lower {

/// Recognises one: `a` is k, `b` is x.
std::optional<TileProduct> depthwiseOf(opmeaning::Program &program, const opmeaning::Def &def,
                                       const ContractionParts &parts, const DimFacts &facts);

/// The text from the loads of `%a` and `%b`, views [c, taps] and [n, c, elements], to `%sum`, one
/// channel's [1, height, width]. `memoryWidth` is that of x's rows.
std::string depthwiseText(const TileProduct &form, const std::string &a, const std::string &b,
                          int64_t height, int64_t width, int64_t memoryWidth);

} // namespace imbrex::lower
