// The largest or smallest element of each window of a picture, as tile kernels.
//
//   y[n, c, h, w] = max(i, j) x[n, c, s*h + i, s*w + j],  s = 1 or 2
//
// First down, whole rows at once, as in Depthwise.h; then across, where a stride of 2 takes each
// second element of a vector. The same bits as in any other order, but for the sign of a zero,
// which is free. Refuses: other strides, large pictures, guards (PadWindows takes them away).
#pragma once

#include "compiler/passes/lower/TileContraction.h"

namespace imbrex::lower {

/// Recognises one: `a` and `b` are x.
std::optional<TileProduct> tilePoolOf(opmeaning::Program &program, const opmeaning::Def &def,
                                      const DimFacts &facts);

/// The text from the loads of `%x`, a view [n, c, elements], to `%sum`, one channel's
/// [1, height, width]. `memoryWidth` is that of x's rows.
std::string tilePoolText(const TileProduct &form, const std::string &x, int64_t height,
                         int64_t width, int64_t memoryWidth);

} // namespace imbrex::lower
