// Bounds of dimension expressions from bounds of symbols; inside of DimFacts.
#pragma once

#include "support/dim/DimImpl.h"

#include <utility>

namespace imbrex {

/// INT64_MIN and INT64_MAX mean unbounded.
struct Interval {
  int64_t lo, hi;
};

class DimBounds {
public:
  using Lookup = std::function<SymbolFacts(std::string_view)>;
  explicit DimBounds(Lookup facts) : facts(std::move(facts)) {}

  /// Cost: polynomial in the expression's size; at most three floordiv, min or max are opened on a
  /// path.
  Interval bound(const DimExpr &e) const;

private:
  Lookup facts;
  Interval of(const DimExpr &e, int budget) const;
  Interval direct(const DimExpr &e, int budget) const;
  Interval atom(const DimExpr::Atom &a, int budget) const;
  int64_t lowerByAtom(int64_t k, const DimExpr::Atom &a, const DimExpr &rest, int budget) const;
  DimExpr shifted(const DimExpr &e) const;
};

} // namespace imbrex
