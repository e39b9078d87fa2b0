// Proofs about index terms: what holds for every value of their variables.
#pragma once

#include "support/opmeaning/Program.h"

#include <optional>
#include <span>

namespace imbrex::opmeaning {

/// Decides comparisons and bounds of indices whose variables range over 0 <= v < extent.
class IndexProof {
public:
  IndexProof(const DimFacts &facts, std::span<const Node *const> vars,
             std::span<const DimExpr> extents);

  /// index >= bound for every value of the variables. False when it cannot be proven.
  bool atLeast(const Node *index, const DimExpr &bound) const;
  /// index <= bound for every value of the variables.
  bool atMost(const Node *index, const DimExpr &bound) const;
  /// a - b >= k for every value of the variables.
  bool differenceAtLeast(const Node *a, const Node *b, int64_t k) const;
  /// A guard's truth when it is the same for every value of the variables.
  std::optional<bool> decide(const Node *guard) const;

  /// The index as an expression in which variable v is the symbol "%N", N its ordinal. Nothing when
  /// it reads data or selects.
  static std::optional<DimExpr> expression(const Node *index);
  static std::string symbolOf(const Node *var) { return "%" + std::to_string(var->number); }

private:
  DimFacts scoped;
  std::map<std::string, DimExpr, std::less<>> extentOf;
  /// Replaces variables that occur linearly by the end of their range where `e` is least.
  DimExpr least(const DimExpr &e) const;
  bool nonNegative(const DimExpr &e) const;
};

} // namespace imbrex::opmeaning
