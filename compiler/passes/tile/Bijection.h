// Proves that a map from blocks and iterations to pieces meets every piece exactly once.
//
//   (b0, b1) -> (b1, b0)                      on [0,M) x [0,N) onto [0,N) x [0,M)
//   p -> (p floordiv N, p mod N)              on [0,M*N) onto [0,M) x [0,N)
//   (b, t) -> b + G*t                         t in [0, ceildiv(N - b, G)), onto [0,N)
//
// Method: variables and coordinates are removed together, each step a bijection by itself: a fused
// pair becomes one variable, a variable read by floordiv and mod becomes two, a coordinate that is
// a variable (reversed or rotated perhaps) leaves with it. Proven when nothing is left.
#pragma once

#include "compiler/passes/tile/Prover.h"

namespace imbrex::tile {

/// A map on the space of its variables, under conditions that are part of the domain.
struct PieceMap {
  struct Axis {
    std::string name;
    DimExpr extent = 0; // may mention other variables
  };
  std::vector<Axis> variables;
  std::vector<DimExpr> coordinates;
  std::vector<DimExpr> targets; // coordinate i ranges over [0, targets[i])
};

/// Why a map is not known to be a bijection; empty when it is.
struct BijectionResult {
  std::string whyNot;
  /// Equalities of sizes (left == right) that a launch has to check for it to be one.
  std::vector<std::pair<DimExpr, DimExpr>> ifEqual;
  /// Sizes that have to be at least 1 besides: the blocks of a persistent kernel.
  std::vector<DimExpr> ifPositive;
  bool proven() const { return whyNot.empty(); }
};

/// `mayCheck(a, b)`: may a launch check a == b instead of a proof?
BijectionResult proveBijection(const IndexSpace &space, PieceMap map,
                               llvm::function_ref<bool(const DimExpr &, const DimExpr &)> mayCheck);

} // namespace imbrex::tile
