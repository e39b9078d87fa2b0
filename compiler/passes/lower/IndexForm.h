// Index terms in simplest form, and what is known of their range. Without it every reshape, slice
// and unpacked tile would cost divisions per element; with it most reads become plain strided
// loads.
//
//   4*(f floordiv 4) + f mod 4            ->  f
//   (8*i + j) floordiv 8, 0 <= j < 8      ->  i
//   (8*i + j) floordiv 24, 0 <= j < 8     ->  i floordiv 3
//   0 <= i and i < 16, i a variable < 16  ->  true
#pragma once

#include "support/opmeaning/Program.h"

#include <map>
#include <optional>
#include <unordered_map>

namespace imbrex::lower {

using opmeaning::Node;

/// Bounds of an index, inclusive; a side is missing when it is not known.
struct IndexRange {
  std::optional<DimExpr> lo, hi;
};

/// i for the index select(extent = 1, 0, i), with which a dimension of that extent is read when it
/// broadcasts; else null.
const Node *broadcastIndex(const Node *index, const DimExpr &extent);

/// Works on terms of one Program, under facts and the extents of the variables in scope.
class IndexForm {
public:
  IndexForm(opmeaning::Program &program, const DimFacts &facts) : program(program), facts(facts) {}

  /// Declares 0 <= var < extent.
  void bind(const Node *var, const DimExpr &extent) {
    extents[var] = extent;
    ranges.clear();
  }
  void bind(const std::vector<const Node *> &vars, const std::vector<DimExpr> &sizes);

  /// The same index, simpler. Linear in the size of the term.
  const Node *simplify(const Node *index);
  /// The same guard with decided parts folded; PTrue or PNot(PTrue) when decided as a whole.
  const Node *simplifyGuard(const Node *guard);
  /// A scalar with its indices and guards simplified, and selects on decided guards resolved.
  /// Guards on the way refine nothing: reads under them keep their own indices.
  const Node *simplifyScalar(const Node *scalar);

  IndexRange range(const Node *index);
  /// 0 <= index < extent in every case.
  bool inBounds(const Node *index, const DimExpr &extent);
  bool atLeastOne(const DimExpr &size) const { return facts.provenAtLeast(size, 1); }
  /// The row-major place of `at` in a tensor of these sizes, simplified.
  const Node *flatten(const std::vector<const Node *> &at, const std::vector<DimExpr> &sizes);
  std::optional<bool> decide(const Node *guard);

  const Node *constant(int64_t value);
  const Node *size(const DimExpr &dim);

private:
  /// constant + sum of coefficient * atom; an atom is a term that is no sum.
  struct Linear {
    DimExpr constant = 0;
    std::vector<std::pair<const Node *, DimExpr>> parts;
  };
  Linear linear(const Node *index);
  void add(Linear &sum, const Node *atom, const DimExpr &coefficient);
  void addScaled(Linear &sum, const Node *index, const DimExpr &scale);
  void cancelDivMod(Linear &sum);
  const Node *build(const Linear &sum);
  /// Parts of a sum over a common factor of theirs and of a divisor, and the rest.
  struct Factored {
    int64_t factor;
    Linear coarse, fine; // sum = factor * coarse + fine, 0 <= fine < factor
  };
  std::optional<Factored> factored(const Linear &sum, int64_t divisor);
  const Node *divide(const Node *numerator, const DimExpr &divisor);
  const Node *remainder(const Node *numerator, const DimExpr &divisor);
  IndexRange rangeOf(const Linear &sum);
  IndexRange computeRange(const Node *index);
  const Node *make(opmeaning::TermKind kind, std::vector<const Node *> args,
                   const DimExpr &dim = 0);

  opmeaning::Program &program;
  const DimFacts &facts;
  std::unordered_map<const Node *, DimExpr> extents;
  std::unordered_map<const Node *, const Node *> memo;
  std::unordered_map<const Node *, IndexRange> ranges; // of the extents bound so far
};

} // namespace imbrex::lower
