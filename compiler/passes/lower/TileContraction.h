// Gives every contraction a form that one tile kernel computes: its operands as matrices, or as
// panels and windows of them, its result in the order of the output.
//
//   c[o…, m…, n…] = sum(k…) X(o, m, k) * Y(o, k, n)                        becomes
//   a[o…, m, k] = X                                    mostly memory that is there already
//   b[o…, no, k, ni] = no*32 + ni < N ? Y : 0          panels, packed while compiling for constants
//   c[o…, m…, n…] = sum(k) a[o, m, k] * b[o, n floordiv 32, k, n mod 32]
// or, where Y lies in memory as rows, b[o…, k, n] = Y; or, for windows that slide over two axes,
//   b[o…, k, p, q, y, x] = Y's elements, phase by phase of the strides
//   c[o…, m…, y, x] = sum(i, j, k) a[o, i, j, m, k] * b[o, k, phase(i), phase(j), y + …, x + …]
//
// Over few places (a small picture) the sides change roles: the weights are packed into panels, and
// the places are rows, so that nothing is computed that is no place. The result is stored
// transposed.
//
// X and Y may be any terms (a window, a cast, an inlined element function); a guard of the sum
// becomes a zero in the operand that it speaks of, which differs from leaving the term out only for
// non-finite elements of the other one: the float contract's licence. Refuses: integer types, few
// rows or columns (a plain loop is faster).
#pragma once

#include "support/opmeaning/Program.h"

namespace imbrex::lower {

/// The width of a panel: the same for every CPU level, so that weights packed into an artifact
/// serve all of them.
inline constexpr int64_t kPanel = 32;

/// Rewrites every contraction of `program` for which it pays; `remarks` says which were left and
/// why. `spareBytes` is by how much constants may grow for speed, and is lessened by what they do.
/// All definitions must be in normal form.
void tileContractions(opmeaning::Program &program, const DimFacts &facts, int64_t &spareBytes,
                      std::vector<std::string> &remarks);

/// How far a window moves along one axis: from place to place and from tap to tap.
struct WindowAxis {
  int64_t taps = 1, stride = 1, dilation = 1;
};

/// A definition of the form above, taken apart.
struct TileProduct {
  /// A product; a step of a convolution in other points (Winograd.h); a convolution of each channel
  /// by itself (Depthwise.h); extremes of windows
  /// (TilePool.h).
  enum class Kind : uint8_t {
    Product,
    Forward,
    Inverse,
    Depthwise,
    Largest,
    Smallest
  } kind = Kind::Product;
  /// How the columns lie in memory: with changed roles only Panels, or Windows on the left.
  enum class Right : uint8_t { Rows, Panels, Windows } right = Right::Rows;
  const opmeaning::Node *a = nullptr, *b = nullptr; // the two reads
  bool changedRoles = false;                        // a has the result's columns, b its rows
  std::vector<size_t> outerOfA, outerOfB;  // the result's leading axes that each has, in order
  size_t outer = 0, rows = 0, columns = 0; // axes of the result
  DimExpr m = 1, n = 1, k = 1;             // k: elements of one tap
  WindowAxis window[2];
  int64_t piecesDown = 0, piecesAcross = 0; // of steps
  int64_t start[2] = {0, 0};                // of depthwise windows, in memory
};

/// Recognises a product by its form.
std::optional<TileProduct> tileProductOf(opmeaning::Program &program, const opmeaning::Def &def,
                                         const DimFacts &facts);

} // namespace imbrex::lower
