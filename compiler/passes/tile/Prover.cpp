#include "compiler/passes/tile/Prover.h"

#include <cmath>

using namespace mlir;

namespace imbrex::tile {

using AtomKind = DimExpr::AtomKind;

/// A proof is given up after this many expressions.
constexpr int kSteps = 1000;

static int64_t numberOf(std::string_view name) {
  int64_t n = 0;
  (void)StringRef(name.data(), name.size()).rsplit('.').second.getAsInteger(10, n);
  return n;
}

const Variable *Prover::innermost(const DimExpr &e) const {
  const Variable *best = nullptr;
  for (const std::string &name : e.symbols())
    if (const Variable *v = space.variable(name))
      if (!best || numberOf(v->name) > numberOf(best->name))
        best = v;
  return best;
}

bool Prover::bySizes(const DimExpr &e) {
  const DimFacts &facts = space.sizeFacts();
  return facts.provenAtLeast(facts.simplify(e), 0);
}

bool Prover::notNegative(const DimExpr &e, ArrayRef<DimExpr> given) {
  if (!e.valid())
    return false;
  steps = kSteps;
  SmallVector<DimExpr> all(given);
  all.append(space.guarantees().begin(), space.guarantees().end());
  return search(space.sizeFacts().simplify(e), all, 3);
}

Prover::Slope Prover::slopeOf(const DimExpr::Atom &a, std::string_view v, int depth) {
  auto join = [](Slope x, Slope y) {
    return x == y || y == Slope::Flat ? x : x == Slope::Flat ? y : Slope::Unknown;
  };
  switch (a.kind) {
  case AtomKind::Symbol:
    return a.name == v ? Slope::Rises : Slope::Flat;
  case AtomKind::FloorDiv:
    return mentions(a.rhs, v) ? Slope::Unknown : slope(a.lhs, v, depth - 1);
  case AtomKind::Min:
  case AtomKind::Max:
    return join(slope(a.lhs, v, depth - 1), slope(a.rhs, v, depth - 1));
  case AtomKind::Mod:
  case AtomKind::Broadcast:
    return mentions(a.lhs, v) || mentions(a.rhs, v) ? Slope::Unknown : Slope::Flat;
  }
  return Slope::Unknown;
}

Prover::Slope Prover::slope(const DimExpr &e, std::string_view v, int depth) {
  if (depth <= 0)
    return mentions(e, v) ? Slope::Unknown : Slope::Flat;
  Slope total = Slope::Flat;
  for (const DimExpr::Term &t : e.terms()) {
    Slope s = Slope::Flat;
    DimExpr others = 1;
    int uses = 0;
    for (const auto &f : t.factors) {
      Slope one = slopeOf(*f, v, depth);
      if (one == Slope::Flat) {
        others = others * exprOf(*f);
        continue;
      }
      ++uses;
      s = one;
    }
    if (uses == 0)
      continue;
    if (uses > 1 || s == Slope::Unknown || !search(others, {}, 0))
      return Slope::Unknown;
    if (t.coefficient < 0)
      s = s == Slope::Rises ? Slope::Falls : Slope::Rises;
    if (total != Slope::Flat && total != s)
      return Slope::Unknown;
    total = s;
  }
  return total;
}

/// e with a `mod` that the variable occurs in replaced by the end of its range that makes e least:
/// lhs mod rhs lies in [0, rhs - 1].
std::optional<DimExpr> Prover::withoutMod(const DimExpr &e, std::string_view v) {
  for (const DimExpr::Term &t : e.terms()) {
    for (const auto &f : t.factors) {
      if (f->kind != AtomKind::Mod || !mentions(f->lhs, v) || mentions(f->rhs, v))
        continue;
      if (t.factors.size() != 1)
        return std::nullopt;
      DimExpr term = exprOf(*f) * t.coefficient;
      return e - term + (t.coefficient < 0 ? (f->rhs - 1) * t.coefficient : DimExpr(0));
    }
  }
  return std::nullopt;
}

/// Lower bounds of e that have one division less: x - d < d*(x floordiv d) <= x.
SmallVector<DimExpr> Prover::byDivisions(const DimExpr &e) {
  SmallVector<DimExpr> bounds;
  for (const DimExpr::Term &t : e.terms())
    for (size_t i = 0; i < t.factors.size(); ++i) {
      const auto &f = *t.factors[i];
      if (f.kind != AtomKind::FloorDiv)
        continue;
      if (t.factors.size() == 1)
        for (const DimExpr &inner : byDivisions(t.coefficient > 0 ? f.lhs : DimExpr(0) - f.lhs))
          bounds.push_back(e - exprOf(f) * t.coefficient +
                           floorDiv(t.coefficient > 0 ? inner : DimExpr(0) - inner, f.rhs) *
                               t.coefficient);
      DimExpr others = t.coefficient, term = exprOf(f) * t.coefficient;
      for (size_t j = 0; j < t.factors.size(); ++j)
        if (j != i) {
          others = others * exprOf(*t.factors[j]);
          term = term * exprOf(*t.factors[j]);
        }
      DimExpr k = floorDiv(others, f.rhs);
      if (!(k * f.rhs == others))
        continue;
      if (search(k, {}, 0))
        bounds.push_back(e - term + k * (f.lhs - f.rhs + 1));
      else if (search(DimExpr(0) - k, {}, 0))
        bounds.push_back(e - term + k * f.lhs);
    }
  return bounds;
}

/// e - k*g, with k >= 0 such that a variable goes away.
std::optional<DimExpr> Prover::withoutVariable(const DimExpr &e, const DimExpr &g) {
  for (const std::string &name : g.symbols()) {
    auto inE = linearIn(e, name), inG = linearIn(g, name);
    if (!space.variable(name) || !inE || !inG)
      continue;
    auto unit = inG->factor.constant();
    if (!unit || (*unit != 1 && *unit != -1) || inE->factor.isConstant(*unit))
      continue;
    DimExpr k = inE->factor * *unit;
    if (!k.isConstant(0) && search(k, {}, 0))
      return e - k * g;
  }
  return std::nullopt;
}

/// How often g can be taken from e: once, and as often as makes a size with constant factors go
/// away.
static SmallVector<int64_t, 4> multiplesOf(const DimExpr &e, const DimExpr &g) {
  SmallVector<int64_t, 4> multiples;
  for (const std::string &name : g.symbols()) {
    if (!mentions(e, name))
      continue;
    multiples.push_back(1);
    auto inE = linearIn(e, name), inG = linearIn(g, name);
    auto have = inE ? inE->factor.constant() : std::nullopt;
    auto take = inG ? inG->factor.constant() : std::nullopt;
    if (have && take && *take != 0 && *have % *take == 0 && *have / *take > 1)
      multiples.push_back(*have / *take);
  }
  llvm::sort(multiples);
  multiples.erase(llvm::unique(multiples), multiples.end());
  return multiples;
}

/// -1 floordiv d = -1, as divisors are positive.
static DimExpr foldBelowZero(const DimExpr &e) {
  bool any = llvm::any_of(e.terms(), [](const DimExpr::Term &t) {
    return llvm::any_of(t.factors, [](const auto &f) {
      return f->kind == AtomKind::FloorDiv && f->lhs.isConstant(-1);
    });
  });
  if (!any)
    return e;
  return mapAtoms(e, [](const DimExpr::Atom &f, const DimExpr &l, const DimExpr &r) -> DimExpr {
    if (f.kind == AtomKind::FloorDiv && l.isConstant(-1))
      return -1;
    return f.kind == AtomKind::Symbol ? DimExpr::symbol(f.name) : rebuilt(f.kind, l, r);
  });
}

bool Prover::search(const DimExpr &goal, ArrayRef<DimExpr> given, int depth) {
  if (!goal.valid() || --steps < 0)
    return false;
  const DimExpr e = foldBelowZero(goal);
  if (auto c = e.constant())
    return *c >= 0;
  const Variable *v = innermost(e);
  if (!v && bySizes(e))
    return true;
  if (v && v->kind != Variable::Kind::Data) {
    DimExpr low = 0, high = v->extent - 1;
    Slope s = slope(e, v->name, 4);
    if (s == Slope::Rises && search(replaced(e, v->name, low), given, depth))
      return true;
    if (s == Slope::Falls && search(replaced(e, v->name, high), given, depth))
      return true;
    if (s == Slope::Unknown)
      if (auto other = withoutMod(e, v->name); other && search(*other, given, depth))
        return true;
  }
  // What is given may be the goal itself, or less.
  for (const DimExpr &g : given)
    if (auto c = (e - g).constant(); c && *c >= 0)
      return true;
  if (depth == 0)
    return false;
  // min(a, b) with a positive sign: both must do; with a negative one: either does. max likewise.
  for (const DimExpr::Term &t : e.terms()) {
    if (t.factors.size() != 1 ||
        (t.factors[0]->kind != AtomKind::Min && t.factors[0]->kind != AtomKind::Max))
      continue;
    const auto &a = *t.factors[0];
    DimExpr rest = e - exprOf(a) * t.coefficient;
    DimExpr left = rest + a.lhs * t.coefficient, right = rest + a.rhs * t.coefficient;
    bool both = (a.kind == AtomKind::Min) == (t.coefficient > 0);
    bool l = search(left, given, depth - 1);
    if (both ? l && search(right, given, depth - 1) : l || search(right, given, depth - 1))
      return true;
    break;
  }
  for (const DimExpr &next : byDivisions(e))
    if (search(next, given, depth - 1))
      return true;
  for (const DimExpr &g : given) {
    if (auto rest = withoutVariable(e, g); rest && search(*rest, given, depth - 1))
      return true;
    for (int64_t k : multiplesOf(e, g)) {
      DimExpr rest = e - g * k;
      if (rest.valid() && rest.terms().size() <= e.terms().size() + 1 &&
          search(rest, given, depth - 1))
        return true;
    }
  }
  return false;
}

std::optional<DimExpr> Prover::atWorst(const DimExpr &given) {
  DimExpr e = given;
  steps = kSteps;
  while (const Variable *v = innermost(e)) {
    if (v->kind == Variable::Kind::Data)
      return std::nullopt;
    Slope s = slope(e, v->name, 4);
    if (s == Slope::Unknown) {
      auto other = withoutMod(e, v->name);
      if (!other)
        return std::nullopt;
      e = *other;
      continue;
    }
    e = replaced(e, v->name, s == Slope::Rises ? DimExpr(0) : v->extent - 1);
  }
  return e;
}

//===-- Magnitudes ----------------------------------------------------------===//

double Prover::magnitude(const DimExpr::Atom &a, int depth) {
  if (depth <= 0)
    return HUGE_VAL;
  switch (a.kind) {
  case AtomKind::Symbol: {
    if (const Variable *v = space.variable(a.name))
      return v->kind == Variable::Kind::Data ? HUGE_VAL : magnitude(v->extent, depth - 1);
    return static_cast<double>(space.sizeFacts().of(a.name).hi);
  }
  case AtomKind::FloorDiv: {
    auto by = space.sizeFacts().lowerBound(a.rhs);
    return magnitude(a.lhs, depth - 1) / static_cast<double>(by && *by > 1 ? *by : 1) + 1;
  }
  case AtomKind::Mod:
    return std::min(magnitude(a.lhs, depth - 1) + magnitude(a.rhs, depth - 1),
                    magnitude(a.rhs, depth - 1));
  case AtomKind::Min:
    if (search(a.lhs, {}, 0) && search(a.rhs, {}, 0))
      return std::min(magnitude(a.lhs, depth - 1), magnitude(a.rhs, depth - 1));
    [[fallthrough]];
  case AtomKind::Max:
  case AtomKind::Broadcast:
    return std::max(magnitude(a.lhs, depth - 1), magnitude(a.rhs, depth - 1));
  }
  return HUGE_VAL;
}

double Prover::magnitude(const DimExpr &e, int depth) {
  double total = 0;
  for (const DimExpr::Term &t : e.terms()) {
    double product = std::fabs(static_cast<double>(t.coefficient));
    for (const auto &f : t.factors)
      product *= magnitude(*f, depth);
    total += product;
  }
  return total;
}

bool Prover::fits(const DimExpr &e, unsigned bits, ArrayRef<DimExpr> given) {
  steps = kSteps;
  // A little below the limit, for the rounding of doubles.
  double limit = std::ldexp(1.0, static_cast<int>(bits) - 1);
  if (magnitude(e, 8) < limit * (1 - 1e-9))
    return true;
  if (bits == 64) // products of extents: what launches guarantee of elements
    return notNegative(DimExpr(INT64_MAX / 2) - e, given) && notNegative(e + INT64_MAX / 2, given);
  int64_t top = (int64_t(1) << (bits - 1)) - 1;
  return notNegative(DimExpr(top) - e, given) && notNegative(e + top + 1, given);
}

} // namespace imbrex::tile
