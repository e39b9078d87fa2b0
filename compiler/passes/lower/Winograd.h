// Convolutions with windows of 3x3 at stride 1 by Winograd's F(4x4, 3x3): a quarter of the
// products.
//
//   y[n, m, h, w] = sum(c, i, j) w[m, c, i, j] * x[n, c, h + i, w + j]                 becomes
//   l[n, h, w, c] = x                                         channels last, up to whole pieces
//   v[u, v, t, c] = sum(i, j) B[u, i]*B[v, j] * l[n, 4*th + i, 4*tw + j, c]        piece t of 6x6
//   p[u, v, t, m] = sum(c) v[u, v, t, c] * U[u, v, m, c]     36 products, U made while compiling
//
//   y[n, m, h, w] = sum(u, v) A[h%4, u]*A[w%4, v] * p[u, v, t, m]
//
// The first and last sums are recognised by their form and become tile kernels of additions, as
// TileKernel says. A piece's rounding is relative to the largest values in it: the licence of
// FloatContract::Convolve. What an image gives does not depend on its neighbours in a batch.
// Refuses: channels not in sixteens or two dozens, small or badly divided pictures, weights that
// are not constant. Source: Lavin and Gray, Fast Algorithms for Convolutional Neural Networks,
// 2016.
#pragma once

#include "compiler/passes/lower/ContractionParts.h"
#include "compiler/passes/lower/TileContraction.h"

namespace imbrex::lower {

/// Polynomials are evaluated at 0, +-5/8, +-3/2 and infinity: exact in binary, and with a rounding
/// error about twice that of plain windows; with the usual 0, +-1, +-2 it is four times (decision
/// 0014).
inline constexpr double kNearPoint = 0.625, kFarPoint = 1.5;

/// The definitions that take the place of `d`, the last of them its own, numbered from `first` on;
/// nothing when it is no such convolution, it does not pay, or its weights, four times as large,
/// would grow by more than spareBytes, which is lessened by that. Adds constant operands.
std::optional<std::vector<opmeaning::Def>> winograd(opmeaning::Program &program,
                                                    const DimFacts &facts, const opmeaning::Def &d,
                                                    const ContractionParts &parts, uint32_t first,
                                                    int64_t &spareBytes);

/// Recognises the first and the last sum; `a` and `b` of the product are both what it reads.
std::optional<TileProduct> winogradStepOf(opmeaning::Program &program, const opmeaning::Def &def,
                                          const DimFacts &facts);

/// Channels of a block of such a step; 0 when they do not divide.
int64_t winogradChannels(const DimExpr &channels);

/// The text of a step's computation, from loads at blocks `at` to `%sum`, the value that is stored.
/// From `%x`, a view [n, th + 1, 4, 4*(tw + 1), c], to [6, 6, tw, c].
std::string winogradForward(const std::string &view, int64_t pieces, int64_t channels);
/// From `%x`, a view [6, 6, n, th, tw, m], to [m, 4, 4*tw].
std::string winogradInverse(const std::string &view, int64_t pieces, int64_t channels);

} // namespace imbrex::lower
