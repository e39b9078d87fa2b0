// Conservative bounds of dimension expressions: interval arithmetic over the atoms, sharpened by
// two rewrites: every symbol is shifted to start at 0 (n*m-n with m >= 1 becomes n*m'), and one
// floordiv, min or max at a time is replaced by what bounds it (n - n floordiv 2 >= n - n/2).
#include "support/dim/DimBounds.h"

#include <algorithm>

namespace imbrex {

using Kind = DimExpr::AtomKind;
using Term = DimExpr::Term;

// INT64_MIN and INT64_MAX stand for the infinities.
static bool infinite(int64_t v) { return v == INT64_MIN || v == INT64_MAX; }

static int64_t clampWide(__int128 v) {
  return v >= INT64_MAX ? INT64_MAX : v <= INT64_MIN ? INT64_MIN : static_cast<int64_t>(v);
}

static int64_t mulEnd(int64_t a, int64_t b) {
  if (a == 0 || b == 0)
    return 0;
  if (infinite(a) || infinite(b))
    return (a > 0) == (b > 0) ? INT64_MAX : INT64_MIN;
  return clampWide(static_cast<__int128>(a) * b);
}

static Interval mul(Interval a, Interval b) {
  int64_t c[] = {mulEnd(a.lo, b.lo), mulEnd(a.lo, b.hi), mulEnd(a.hi, b.lo), mulEnd(a.hi, b.hi)};
  return {*std::min_element(c, c + 4), *std::max_element(c, c + 4)};
}

static Interval add(Interval a, Interval b) {
  auto end = [](int64_t x, int64_t y, int64_t infinity) {
    if (x == infinity || y == infinity)
      return infinity;
    return clampWide(static_cast<__int128>(x) + y);
  };
  return {end(a.lo, b.lo, INT64_MIN), end(a.hi, b.hi, INT64_MAX)};
}

static int64_t divEnd(int64_t a, int64_t b) { // b >= 1
  if (infinite(a))
    return a;
  if (b == INT64_MAX)
    return a < 0 ? -1 : 0;
  return floorDivide(a, b);
}

static Interval divide(Interval a, Interval b) {
  if (b.hi < 1)
    return {INT64_MIN, INT64_MAX};
  b.lo = std::max<int64_t>(b.lo, 1);
  int64_t c[] = {divEnd(a.lo, b.lo), divEnd(a.lo, b.hi), divEnd(a.hi, b.lo), divEnd(a.hi, b.hi)};
  return {*std::min_element(c, c + 4), *std::max_element(c, c + 4)};
}

static Interval modulo(Interval a, Interval b) {
  int64_t hi = b.hi == INT64_MAX ? INT64_MAX : std::max<int64_t>(b.hi - 1, 0);
  if (a.lo >= 0) {
    if (b.lo >= 1 && a.hi < b.lo)
      return a;
    hi = std::min(hi, a.hi);
  }
  return {0, hi};
}

Interval DimBounds::atom(const DimExpr::Atom &a, int budget) const {
  if (a.kind == Kind::Symbol) {
    SymbolFacts f = facts(a.name);
    return {f.lo, f.hi};
  }
  Interval l = of(a.lhs, budget), r = of(a.rhs, budget);
  switch (a.kind) {
  case Kind::FloorDiv:
    return divide(l, r);
  case Kind::Mod:
    return modulo(l, r);
  case Kind::Min:
    return {std::min(l.lo, r.lo), std::min(l.hi, r.hi)};
  case Kind::Max:
    return {std::max(l.lo, r.lo), std::max(l.hi, r.hi)};
  case Kind::Broadcast: // one of the two
    return {std::min(l.lo, r.lo), std::max(l.hi, r.hi)};
  case Kind::Symbol:
    break;
  }
  return {INT64_MIN, INT64_MAX};
}

Interval DimBounds::direct(const DimExpr &e, int budget) const {
  Interval total{0, 0};
  for (const Term &t : e.terms()) {
    Interval p{t.coefficient, t.coefficient};
    if (infinite(t.coefficient))
      return {INT64_MIN, INT64_MAX};
    for (const auto &f : t.factors)
      p = mul(p, atom(*f, budget));
    total = add(total, p);
  }
  return total;
}

/// The expression over symbols that start at 0.
DimExpr DimBounds::shifted(const DimExpr &e) const {
  return e.substitute([&](std::string_view name) -> std::optional<DimExpr> {
    SymbolFacts f = facts(name);
    if (f.lo == 0 || f.lo == INT64_MIN)
      return std::nullopt;
    return DimExpr::symbol(name) + f.lo;
  });
}

static DimExpr withoutTerm(const DimExpr &e, size_t skip) {
  std::vector<Term> rest;
  for (size_t i = 0; i < e.terms().size(); ++i)
    if (i != skip)
      rest.push_back(e.terms()[i]);
  return DimBuilder::sum(std::move(rest));
}

/// A lower bound of k*atom + rest through a bound on the atom.
int64_t DimBounds::lowerByAtom(int64_t k, const DimExpr::Atom &a, const DimExpr &rest,
                               int budget) const {
  if (a.kind == Kind::Min || a.kind == Kind::Max || a.kind == Kind::Broadcast) {
    int64_t l = of(rest + a.lhs * k, budget).lo, r = of(rest + a.rhs * k, budget).lo;
    // k*max >= both sides for k > 0, and is one of the sides in any case.
    return a.kind != Kind::Broadcast && (a.kind == Kind::Max) == (k > 0) ? std::max(l, r)
                                                                         : std::min(l, r);
  }
  auto c = a.rhs.constant();
  if (!c || *c <= 0)
    return INT64_MIN;
  DimExpr scaled = 0; // c * (k*atom + rest), bounded from below
  if (a.kind == Kind::FloorDiv)
    scaled = rest * *c + (k < 0 ? a.lhs * k : (a.lhs - (*c - 1)) * k);
  else if (a.kind == Kind::Mod)
    return INT64_MIN;
  if (!scaled.valid())
    return INT64_MIN;
  int64_t lo = of(scaled, budget).lo;
  return infinite(lo) ? lo : -floorDivide(-lo, *c);
}

Interval DimBounds::of(const DimExpr &e, int budget) const {
  if (!e.valid())
    return {INT64_MIN, INT64_MAX};
  Interval best = direct(e, budget);
  if (budget <= 0 || e.terms().size() < 2 || e.terms().size() > 16)
    return best;
  for (size_t i = 0; i < e.terms().size(); ++i) {
    const Term &t = e.terms()[i];
    if (t.factors.size() != 1 || t.factors[0]->kind == Kind::Symbol || infinite(t.coefficient))
      continue;
    DimExpr rest = withoutTerm(e, i);
    best.lo = std::max(best.lo, lowerByAtom(t.coefficient, *t.factors[0], rest, budget - 1));
    int64_t down = lowerByAtom(-t.coefficient, *t.factors[0], DimExpr(0) - rest, budget - 1);
    if (!infinite(down))
      best.hi = std::min(best.hi, -down);
  }
  return best;
}

Interval DimBounds::bound(const DimExpr &e) const {
  Interval plain = of(e, 3);
  DimExpr moved = shifted(e);
  if (moved == e || !moved.valid())
    return plain;
  DimBounds zero([this](std::string_view name) {
    SymbolFacts f = facts(name);
    if (f.lo == INT64_MIN)
      return f;
    return SymbolFacts{0, f.hi == INT64_MAX ? INT64_MAX : f.hi - f.lo, 1};
  });
  Interval other = zero.of(moved, 3);
  return {std::max(plain.lo, other.lo), std::min(plain.hi, other.hi)};
}

} // namespace imbrex
