#include "compiler/passes/tile/Bijection.h"

using namespace mlir;

namespace imbrex::tile {

using AtomKind = DimExpr::AtomKind;
using Axis = PieceMap::Axis;

namespace {

class Search {
public:
  Search(const IndexSpace &space, PieceMap map,
         llvm::function_ref<bool(const DimExpr &, const DimExpr &)> mayCheck)
      : space(space), prover(space), map(std::move(map)), mayCheck(mayCheck) {}

  BijectionResult run();

private:
  bool step();
  bool dropSingle();
  bool dropCoordinate();
  bool fuse();
  bool fusePair(size_t outer, size_t inner, const DimExpr &stride);
  bool split();
  bool splitBy(size_t variable, const DimExpr &divisor);
  bool reorder(const Unraveled &order);
  void substitute(const std::string &name, const DimExpr &by);
  bool usedElsewhere(const std::string &name, std::optional<size_t> coordinate) const;
  bool same(const DimExpr &a, const DimExpr &b) { return prover.equal(a, b); }
  DimExpr reduce(const DimExpr &e);
  bool below(std::string_view variable, const DimExpr &limit);
  std::string whyNot() const;
  Axis &fresh(const DimExpr &extent);

  const IndexSpace &space;
  Prover prover;
  PieceMap map;
  llvm::function_ref<bool(const DimExpr &, const DimExpr &)> mayCheck;
  BijectionResult result;
  std::vector<Axis> known; // variables that steps have made or removed, with their ranges
  size_t count = 0;
};

bool Search::usedElsewhere(const std::string &name, std::optional<size_t> coordinate) const {
  for (size_t i = 0; i < map.coordinates.size(); ++i)
    if (coordinate != i && mentions(map.coordinates[i], name))
      return true;
  return llvm::any_of(map.variables,
                      [&](const Axis &a) { return a.name != name && mentions(a.extent, name); });
}

void Search::substitute(const std::string &name, const DimExpr &by) {
  for (DimExpr &c : map.coordinates)
    c = reduce(replaced(c, name, by));
  for (Axis &a : map.variables)
    a.extent = reduce(replaced(a.extent, name, by));
}

Axis &Search::fresh(const DimExpr &extent) {
  map.variables.push_back({"step." + std::to_string(count++), extent});
  known.push_back(map.variables.back());
  return map.variables.back();
}

/// Folds x floordiv d and x mod d of variables that steps made, whose ranges the space does not
/// know: with 0 <= x < d the quotient is 0 and the remainder x.
DimExpr Search::reduce(const DimExpr &e) {
  return mapAtoms(e, [&](const DimExpr::Atom &f, const DimExpr &l, const DimExpr &r) -> DimExpr {
    if (f.kind == AtomKind::Symbol)
      return DimExpr::symbol(f.name);
    if (f.kind != AtomKind::FloorDiv && f.kind != AtomKind::Mod)
      return rebuilt(f.kind, l, r);
    // l = r*y + x, with x a variable of fewer values than the divisor: quotient y, remainder x.
    for (const std::string &s : l.symbols()) {
      auto parts = linearIn(l, s);
      if (!parts || !parts->factor.isConstant(1) || !below(s, r))
        continue;
      DimExpr multiple = floorDiv(parts->rest, r);
      if (multiple * r == parts->rest)
        return f.kind == AtomKind::FloorDiv ? multiple : DimExpr::symbol(s);
    }
    return rebuilt(f.kind, l, r);
  });
}

/// The variable is known to have at most `limit` values.
bool Search::below(std::string_view variable, const DimExpr &limit) {
  return llvm::any_of(known, [&](const Axis &a) {
    return a.name == variable && (a.extent == limit || prover.equal(a.extent, limit));
  });
}

/// A variable with one value.
bool Search::dropSingle() {
  for (size_t i = 0; i < map.variables.size(); ++i) {
    if (!map.variables[i].extent.isConstant(1))
      continue;
    std::string name = map.variables[i].name;
    map.variables.erase(map.variables.begin() + static_cast<ptrdiff_t>(i));
    substitute(name, 0);
    return true;
  }
  for (size_t c = 0; c < map.coordinates.size(); ++c)
    if (map.coordinates[c].isConstant(0) && same(map.targets[c], 1)) {
      map.coordinates.erase(map.coordinates.begin() + static_cast<ptrdiff_t>(c));
      map.targets.erase(map.targets.begin() + static_cast<ptrdiff_t>(c));
      return true;
    }
  return false;
}

/// f_c = v, T - 1 - v, (v + r) mod T or (r - v) mod T, with v in [0, T).
bool Search::dropCoordinate() {
  for (size_t c = 0; c < map.coordinates.size(); ++c) {
    DimExpr f = map.coordinates[c];
    const DimExpr target = map.targets[c];
    bool rotated = false;
    if (f.terms().size() == 1 && f.terms()[0].coefficient == 1 &&
        f.terms()[0].factors.size() == 1 && f.terms()[0].factors[0]->kind == AtomKind::Mod &&
        (same(f.terms()[0].factors[0]->rhs, target) || space.without(Rule::Rotation))) {
      f = f.terms()[0].factors[0]->lhs;
      rotated = true;
    }
    for (size_t i = 0; i < map.variables.size(); ++i) {
      const Axis v = map.variables[i];
      auto parts = linearIn(f, v.name);
      if (!parts || llvm::any_of(map.variables, [&](const Axis &o) {
            return mentions(v.extent, o.name) || (!rotated && mentions(parts->rest, o.name)) ||
                   mentions(parts->factor, o.name);
          }))
        continue;
      bool up = parts->factor.isConstant(1), down = parts->factor.isConstant(-1);
      if (!up && !down)
        continue;
      // A rotation's offset may depend on variables that are fixed before v: the others stay.
      if (rotated && usedElsewhere(v.name, c))
        continue;
      if (!rotated && !(up ? same(parts->rest, 0) : same(parts->rest, target - 1)))
        continue;
      if (!same(v.extent, target) && !space.without(Rule::Extents)) {
        if (!mayCheck(v.extent, target))
          continue;
        result.ifEqual.push_back({v.extent, target});
      }
      map.variables.erase(map.variables.begin() + static_cast<ptrdiff_t>(i));
      map.coordinates.erase(map.coordinates.begin() + static_cast<ptrdiff_t>(c));
      map.targets.erase(map.targets.begin() + static_cast<ptrdiff_t>(c));
      return true;
    }
  }
  return false;
}

/// p = inner + stride*outer takes every value of [0, total) once when inner is in [0, stride) and
/// outer in [0, total/stride), or when the shorter of the two rows is cut off at the end.
bool Search::fusePair(size_t o, size_t i, const DimExpr &stride) {
  const Axis outer = map.variables[o], inner = map.variables[i];
  DimExpr total = 0;
  bool good = false;
  // Two ranges below zero are empty, but their product is not.
  if (!mentions(inner.extent, outer.name) && !mentions(outer.extent, inner.name) &&
      same(inner.extent, stride) && prover.notNegative(stride) &&
      prover.notNegative(outer.extent)) {
    total = outer.extent * stride;
    good = true;
  }
  // b + G*t < N, with t in [0, ceildiv(N - b, G)): N is read off the extent of t.
  if (!good && mentions(outer.extent, inner.name) && !mentions(inner.extent, outer.name) &&
      same(inner.extent, stride)) {
    for (const DimExpr::Term &t : outer.extent.terms()) {
      if (t.coefficient != 1 || t.factors.size() != 1 || t.factors[0]->kind != AtomKind::FloorDiv ||
          !same(t.factors[0]->rhs, stride))
        continue;
      DimExpr b = DimExpr::symbol(inner.name), rest = outer.extent - exprOf(*t.factors[0]);
      DimExpr n = t.factors[0]->lhs + stride * (rest - 1) + 1 + b;
      // No block at all would write nothing.
      if (!mentions(n, inner.name) && ceilDiv(n - b, stride) == outer.extent) {
        if (!prover.notNegative(stride - 1))
          result.ifPositive.push_back(stride);
        total = n;
        good = true;
      }
    }
  }
  // inner in [0, min(stride, N - stride*outer)), outer in [0, ceildiv(N, stride)).
  if (!good && mentions(inner.extent, outer.name) && !mentions(outer.extent, inner.name)) {
    const auto &terms = inner.extent.terms();
    if (terms.size() == 1 && terms[0].coefficient == 1 && terms[0].factors.size() == 1 &&
        terms[0].factors[0]->kind == AtomKind::Min) {
      for (bool flip : {false, true}) {
        const DimExpr &bound = flip ? terms[0].factors[0]->rhs : terms[0].factors[0]->lhs;
        const DimExpr &rest = flip ? terms[0].factors[0]->lhs : terms[0].factors[0]->rhs;
        DimExpr n = rest + stride * DimExpr::symbol(outer.name);
        if (same(bound, stride) && !mentions(n, outer.name) &&
            same(outer.extent, ceilDiv(n, stride))) {
          total = n;
          good = true;
        }
      }
    }
  }
  if (!good)
    return false;
  // inner := p - stride*outer must make outer disappear.
  std::string p = "step." + std::to_string(count);
  PieceMap before = map;
  const DimExpr by = DimExpr::symbol(p) - stride * DimExpr::symbol(outer.name);
  std::vector<Axis> rest;
  for (const Axis &a : map.variables)
    if (a.name != outer.name && a.name != inner.name)
      rest.push_back(a);
  map.variables = rest;
  for (DimExpr &c : map.coordinates)
    c = replaced(c, inner.name, by);
  for (Axis &a : map.variables)
    a.extent = replaced(a.extent, inner.name, by);
  bool gone =
      llvm::none_of(map.coordinates, [&](const DimExpr &c) { return mentions(c, outer.name); }) &&
      llvm::none_of(map.variables, [&](const Axis &a) { return mentions(a.extent, outer.name); });
  if (!gone) {
    map = before;
    return false;
  }
  fresh(total);
  return true;
}

bool Search::fuse() {
  for (size_t i = 0; i < map.variables.size(); ++i)
    for (size_t o = 0; o < map.variables.size(); ++o) {
      if (i == o)
        continue;
      for (const DimExpr &c : map.coordinates) {
        // inner with factor 1 and outer with factor `stride`, in a coordinate or below a division
        std::vector<DimExpr> sums = {c};
        for (const DimExpr::Term &t : c.terms())
          for (const auto &f : t.factors)
            if (f->kind == AtomKind::FloorDiv || f->kind == AtomKind::Mod)
              sums.push_back(f->lhs);
        for (const DimExpr &s : sums) {
          auto inner = linearIn(s, map.variables[i].name);
          auto outer = linearIn(s, map.variables[o].name);
          if (!inner || !outer || !inner->factor.isConstant(1) || outer->factor.isConstant(0) ||
              mentions(outer->factor, map.variables[i].name))
            continue;
          if (llvm::any_of(map.variables,
                           [&](const Axis &a) { return mentions(outer->factor, a.name); }))
            continue;
          if (fusePair(o, i, outer->factor))
            return true;
        }
      }
    }
  return false;
}

/// v := divisor*q + r.
bool Search::splitBy(size_t i, const DimExpr &d) {
  const Axis v = map.variables[i];
  DimExpr quotient = floorDiv(v.extent, d);
  const bool even = quotient * d == v.extent;
  // An even split by 0 leaves both sides without a value.
  if (!prover.notNegative(even ? d : d - 1))
    return false;
  PieceMap before = map;
  size_t names = known.size();
  map.variables.erase(map.variables.begin() + static_cast<ptrdiff_t>(i));
  std::string q = fresh(even ? quotient : ceilDiv(v.extent, d)).name;
  DimExpr rest = even ? d : min(d, v.extent - d * DimExpr::symbol(q));
  std::string r = fresh(rest).name;
  // The remainder is below the divisor even in the last, shorter row.
  known.push_back({r, d});
  substitute(v.name, d * DimExpr::symbol(q) + DimExpr::symbol(r));
  // It has to resolve the divisions that it was made for.
  for (const DimExpr &c : map.coordinates)
    for (const DimExpr::Term &t : c.terms())
      for (const auto &f : t.factors)
        if ((f->kind == AtomKind::FloorDiv || f->kind == AtomKind::Mod) && f->rhs == d &&
            mentions(f->lhs, q)) {
          map = before;
          known.resize(names);
          return false;
        }
  return true;
}

bool Search::split() {
  for (size_t i = 0; i < map.variables.size(); ++i)
    for (const DimExpr &c : map.coordinates)
      for (const DimExpr::Term &t : c.terms())
        for (const auto &f : t.factors) {
          if (f->kind != AtomKind::FloorDiv && f->kind != AtomKind::Mod)
            continue;
          auto parts = linearIn(f->lhs, map.variables[i].name);
          if (!parts || !parts->factor.isConstant(1) || !same(parts->rest, 0) ||
              llvm::any_of(map.variables, [&](const Axis &a) { return mentions(f->rhs, a.name); }))
            continue;
          if (splitBy(i, f->rhs))
            return true;
        }
  return false;
}

/// Variables that only tile.unravel reads become the coordinates that it gives, when its flat
/// number meets every number below the product of its extents once.
bool Search::reorder(const Unraveled &u) {
  auto usesOrder = [&](const DimExpr &e) {
    return llvm::any_of(u.variables, [&](const std::string &v) { return mentions(e, v); });
  };
  if (!llvm::any_of(map.coordinates, usesOrder))
    return false;
  PieceMap inner;
  DimExpr total = 1;
  for (const DimExpr &e : u.extents)
    total = total * e;
  inner.coordinates = {u.flat};
  inner.targets = {total};
  std::vector<Axis> rest;
  for (const Axis &a : map.variables)
    (mentions(u.flat, a.name) ? inner.variables : rest).push_back(a);
  for (const Axis &a : inner.variables) {
    auto uses = [&](const DimExpr &e) { return mentions(e, a.name); };
    if (llvm::any_of(map.coordinates, uses) ||
        llvm::any_of(rest, [&](const Axis &o) { return uses(o.extent); }))
      return false;
  }
  BijectionResult flat = proveBijection(space, inner, mayCheck);
  if (!flat.proven()) {
    result.whyNot = "the number that tile.unravel takes apart: " + flat.whyNot;
    return false;
  }
  result.ifEqual.insert(result.ifEqual.end(), flat.ifEqual.begin(), flat.ifEqual.end());
  result.ifPositive.insert(result.ifPositive.end(), flat.ifPositive.begin(), flat.ifPositive.end());
  map.variables = rest;
  for (size_t k = 0; k < u.variables.size(); ++k) {
    map.variables.push_back({u.variables[k], u.extents[k]});
    known.push_back(map.variables.back());
  }
  return true;
}

bool Search::step() { return dropSingle() || dropCoordinate() || fuse() || split(); }

std::string Search::whyNot() const {
  std::string text;
  auto list = [&](auto &&items, auto &&print) {
    std::string out;
    for (const auto &item : items)
      out += (out.empty() ? "" : ", ") + print(item);
    return out;
  };
  if (!map.coordinates.empty())
    text = "the coordinate " +
           list(map.coordinates, [&](const DimExpr &c) { return space.text(c); }) +
           " is not known to meet each of " +
           list(map.targets, [&](const DimExpr &t) { return space.text(t); }) + " values once";
  if (!map.variables.empty()) {
    if (!text.empty())
      text += ", and ";
    text += list(map.variables, [&](const Axis &a) {
      return a.name + " (0 to below " + space.text(a.extent) + ")";
    });
    text +=
        map.coordinates.empty() ? " does not occur in it, so pieces are written again" : " is left";
  }
  return text;
}

BijectionResult Search::run() {
  known = map.variables;
  for (const Unraveled &u : space.unraveled())
    if (!reorder(u) && !result.whyNot.empty())
      return result;
  for (int budget = 64; budget > 0 && step(); --budget)
    ;
  if (!map.coordinates.empty() || !map.variables.empty())
    result.whyNot = whyNot();
  return result;
}

} // namespace

BijectionResult
proveBijection(const IndexSpace &space, PieceMap map,
               llvm::function_ref<bool(const DimExpr &, const DimExpr &)> mayCheck) {
  return Search(space, std::move(map), mayCheck).run();
}

} // namespace imbrex::tile
