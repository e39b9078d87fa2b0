// Inside of DimExpr, for the files of this folder only.
#pragma once

#include "support/dim/DimExpr.h"

namespace imbrex {

// Limits beyond which an expression becomes invalid: hostile text must not eat memory or the stack.
constexpr size_t kMaxTerms = 512;
constexpr size_t kMaxFactors = 24;
constexpr uint32_t kMaxDepth = 1000;

struct DimExpr::Poly {
  bool valid = true;
  std::vector<Term> terms;
  uint32_t depth = 0; // nesting of atoms; 0 for a constant
  size_t hash = 0;
};

/// Rounds towards minus infinity; b > 0.
inline int64_t floorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0); }
/// In [0, b); b > 0.
inline int64_t euclideanMod(int64_t a, int64_t b) { return a % b < 0 ? a % b + b : a % b; }

/// The only maker of expressions.
struct DimBuilder {
  static DimExpr invalid();
  static std::shared_ptr<const DimExpr::Poly> constantPoly(int64_t value);
  /// Sorts and merges.
  static DimExpr sum(std::vector<DimExpr::Term> terms);
  static DimExpr product(const DimExpr &a, const DimExpr &b);
  /// An unfolded atom as an expression.
  static DimExpr atom(DimExpr::AtomKind kind, std::string name, DimExpr lhs, DimExpr rhs);
  /// The folding operation of this kind.
  static DimExpr rebuild(DimExpr::AtomKind kind, const DimExpr &l, const DimExpr &r);
  static std::strong_ordering compare(const DimExpr::Atom &a, const DimExpr::Atom &b);
  static std::strong_ordering compareFactors(const DimExpr::Term &a, const DimExpr::Term &b);
  static std::strong_ordering compare(const DimExpr &a, const DimExpr &b);
};

} // namespace imbrex
