// Proves that expressions over a kernel's sizes and variables are not negative, for all admitted
// sizes.
//
//   0 <= ceildiv(m,64) - 1 - block.0          as block.0 < ceildiv(m,64): its greatest value is
//   taken
//
// Method: one variable at a time, innermost first, is replaced by the end of its range at which the
// expression is least; what is left speaks of sizes alone, and support/dim decides it. Conditions
// and guarantees of the launch are added where they help. Sound, not complete. Cost: bounded by a
// fixed number of steps.
#pragma once

#include "compiler/passes/tile/IndexSpace.h"

namespace imbrex::tile {

class Prover {
public:
  explicit Prover(const IndexSpace &space) : space(space) {}

  /// e >= 0 wherever all of `given` are >= 0.
  bool notNegative(const DimExpr &e, llvm::ArrayRef<DimExpr> given = {});
  bool equal(const DimExpr &a, const DimExpr &b, llvm::ArrayRef<DimExpr> given = {}) {
    return a == b || space.sizeFacts().provenEqual(a, b) ||
           (notNegative(a - b, given) && notNegative(b - a, given));
  }
  /// What e >= 0 comes to when every variable takes its worst value, in sizes alone: true at a
  /// launch means that e >= 0 everywhere. Nothing when the worst value is not known.
  std::optional<DimExpr> atWorst(const DimExpr &e);
  /// |e| < 2^(bits-1) for every value of the variables.
  bool fits(const DimExpr &e, unsigned bits, llvm::ArrayRef<DimExpr> given = {});

private:
  enum class Slope : uint8_t { Flat, Rises, Falls, Unknown };
  bool search(const DimExpr &e, llvm::ArrayRef<DimExpr> given, int depth);
  bool bySizes(const DimExpr &e);
  Slope slope(const DimExpr &e, std::string_view variable, int depth);
  Slope slopeOf(const DimExpr::Atom &atom, std::string_view variable, int depth);
  const Variable *innermost(const DimExpr &e) const;
  std::optional<DimExpr> withoutMod(const DimExpr &e, std::string_view variable);
  llvm::SmallVector<DimExpr> byDivisions(const DimExpr &e);
  std::optional<DimExpr> withoutVariable(const DimExpr &e, const DimExpr &g);
  double magnitude(const DimExpr &e, int depth);
  double magnitude(const DimExpr::Atom &atom, int depth);

  const IndexSpace &space;
  int steps = 0;
};

} // namespace imbrex::tile
