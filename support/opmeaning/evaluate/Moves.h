// Definitions that only move elements, computed a row at a time.
//
//   y[i, j, l] = 16 * i + l < 40 ? x[j, 16 * i + l] : 0
//
// Places and guards that are affine in the variables make one range of a row: its elements are
// copied with one step, and the constant stands before and behind it. What has other terms
// (quotients, choices that depend on data) is refused. Cost: a copy of the elements, and a few
// additions a row.
#pragma once

#include "support/opmeaning/evaluate/Compiler.h"

#include <array>

namespace imbrex::opmeaning {

class Moves {
public:
  /// Of a body over the variables that are bound in `c`, with these extents, into elements of
  /// `type`. None of the extents is 0.
  static std::optional<Moves> of(Compiler &c, const Node *body, DType type,
                                 const std::vector<int64_t> &extents);

  /// Writes all elements; a fault of `f` says that a place does not exist.
  void run(Frame &f, std::byte *to) const;

private:
  /// An index into a dimension that may be illegal.
  struct Index {
    Affine value;
    int64_t extent;
  };

  bool addGuard(Compiler &c, const Node *n);
  bool addRead(Compiler &c, const Node *n, DType type);
  int64_t step(const Affine &a) const; // along a row
  void row(Frame &f, std::byte *to) const;
  void copy(std::byte *to, int64_t first, int64_t count) const;
  void fill(std::byte *to, int64_t count) const;

  const std::byte *from = nullptr;
  int64_t bytes = 0; // of an element
  Affine place;      // of the element that is read
  std::vector<Index> indices;
  std::vector<Affine> guards;              // none is negative where an element is read
  std::array<std::byte, 8> otherwise = {}; // elsewhere
  bool otherwiseZero = true;
  std::vector<int64_t> outer; // extents
  int64_t length = 1;         // of a row
};

} // namespace imbrex::opmeaning
