// Reductions and best. A `where` is a list of conjuncts, each tested as soon as its variables are
// bound:
//
//   sum (c < C, h < H, r < R) where h*s + r = p + pad : …     r is solved from h, not searched
//   best (u < U) where idx[u] = j : …                         u is looked up by the value of idx[u]
#include "support/opmeaning/Fold.h"
#include "support/opmeaning/evaluate/Arithmetic.h"
#include "support/opmeaning/evaluate/Compiler.h"
#include "support/opmeaning/evaluate/Pieces.h"

#include <algorithm>
#include <limits>

namespace imbrex::opmeaning {

namespace {

/// variable = (-rest) / coefficient, where that is exact.
struct Solved {
  int64_t coefficient;
  Affine rest;
};

struct Loop {
  uint32_t slot = 0;
  int64_t extent = 0;
  std::optional<Solved> solved;
  std::vector<const Code *> guards; // all must hold once the variable is bound
};

/// Sets of points looked up by keys that depend on the reduction's variables alone.
struct Lookup {
  std::vector<const Code *> earlier; // guards over the reduction's variables, before the keys
  std::vector<const Code *> inner;   // sides over the reduction's variables
  std::vector<const Code *> outer;   // the other sides
  bool used() const { return !inner.empty(); }
};

uint64_t mixKey(uint64_t h, int64_t v) {
  return (h ^ static_cast<uint64_t>(v)) * 0x9e3779b97f4a7c15ULL + (h >> 29);
}

/// Visits the points of a fold in row-major order.
struct Space {
  std::vector<const Code *> before; // guards without the fold's variables
  std::vector<Loop> loops;
  Lookup lookup;
  mutable bool indexed = false;
  mutable std::vector<std::pair<uint64_t, int64_t>> index; // key, flat place

  static bool hold(const std::vector<const Code *> &guards, Frame &f) {
    for (const Code *g : guards)
      if (!g->run(f).i)
        return false;
    return true;
  }

  template <class Visit> void each(Frame &f, Visit &&visit) const {
    if (!hold(before, f))
      return;
    if (lookup.used())
      return eachFound(f, visit);
    nest(f, 0, 0, visit);
  }

  template <class Visit> void nest(Frame &f, size_t depth, int64_t flat, Visit &&visit) const {
    if (depth == loops.size()) {
      if (f.step())
        visit(flat);
      return;
    }
    const Loop &l = loops[depth];
    int64_t begin = 0, end = l.extent;
    if (l.solved) {
      int64_t rest = -l.solved->rest.at(f), c = l.solved->coefficient;
      if (rest % c != 0 || rest / c < 0 || rest / c >= end)
        return;
      begin = rest / c;
      end = begin + 1;
    }
    bool last = depth + 1 == loops.size();
    for (int64_t v = begin; v < end && !f.failed(); ++v) {
      f.set(l.slot, v);
      if (!l.guards.empty() && !hold(l.guards, f)) {
        f.step();
        continue;
      }
      int64_t place = flat * l.extent + v;
      if (!last)
        nest(f, depth + 1, place, visit);
      else if (f.step())
        visit(place);
    }
  }

  void setPoint(Frame &f, int64_t flat) const {
    for (size_t d = loops.size(); d-- > 0;) {
      f.set(loops[d].slot, flat % loops[d].extent);
      flat /= loops[d].extent;
    }
  }

  void buildIndex(Frame &f, size_t depth, int64_t flat) const {
    if (depth == loops.size()) {
      if (!f.step() || !hold(lookup.earlier, f))
        return;
      uint64_t key = 0;
      for (const Code *c : lookup.inner)
        key = mixKey(key, c->run(f).i);
      index.emplace_back(key, flat);
      return;
    }
    for (int64_t v = 0; v < loops[depth].extent && !f.failed(); ++v) {
      f.set(loops[depth].slot, v);
      buildIndex(f, depth + 1, flat * loops[depth].extent + v);
    }
  }

  template <class Visit> void eachFound(Frame &f, Visit &&visit) const {
    if (!indexed) {
      buildIndex(f, 0, 0);
      std::sort(index.begin(), index.end());
      indexed = true;
    }
    uint64_t key = 0;
    for (const Code *c : lookup.outer)
      key = mixKey(key, c->run(f).i);
    auto it = std::lower_bound(index.begin(), index.end(), std::pair(key, int64_t{0}));
    for (; it != index.end() && it->first == key && !f.failed(); ++it) {
      setPoint(f, it->second);
      bool all = f.step();
      for (const Loop &l : loops)
        all = all && hold(l.guards, f);
      if (all)
        visit(it->second);
    }
  }
};

/// The contract fixes neither order nor width of a float sum beyond float32, so the reference is
/// the sum itself: compensated (Neumaier 1974, as the last term of a sum may be its largest),
/// rounded once at the end.
struct SumCode final : Code {
  Space space;
  DType type;
  const Code *body;
  SumCode(Space s, DType type, const Code *body) : space(std::move(s)), type(type), body(body) {}
  Value run(Frame &f) const override {
    double sum = 0, lost = 0;
    space.each(f, [&](int64_t) {
      double term = body->run(f).d, next = sum + term;
      lost += std::abs(sum) >= std::abs(term) ? (sum - next) + term : (term - next) + sum;
      sum = next;
    });
    return real(roundTo(type, std::isfinite(sum) ? sum + lost : sum));
  }
};

struct RealFoldCode final : Code { // prod, max, min
  Space space;
  Red red;
  DType type;
  const Code *body;
  RealFoldCode(Space s, Red red, DType type, const Code *body)
      : space(std::move(s)), red(red), type(type), body(body) {}
  Value run(Frame &f) const override {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    double acc = red == Red::Prod ? 1 : red == Red::Max ? -kInfinity : kInfinity;
    space.each(f, [&](int64_t) {
      double v = body->run(f).d;
      acc = red == Red::Prod ? acc * v : red == Red::Max ? maxReal(acc, v) : minReal(acc, v);
    });
    return real(roundTo(type, acc));
  }
};

struct IntegerFoldCode final : Code {
  Space space;
  FnId fn;
  DType accumulator, type;
  int64_t identity;
  const Code *body;
  IntegerFoldCode(Space s, FnId fn, DType accumulator, DType type, int64_t identity,
                  const Code *body)
      : space(std::move(s)), fn(fn), accumulator(accumulator), type(type), identity(identity),
        body(body) {}
  Value run(Frame &f) const override {
    int64_t acc = identity;
    bool undefined = false;
    space.each(
        f, [&](int64_t) { acc = applyInteger(fn, accumulator, acc, body->run(f).i, undefined); });
    return integer(wrapTo(type, acc));
  }
};

/// The value; the place stays in `place` until the next run.
struct BestCode final : Code {
  Space space;
  Best best;
  Tie tie;
  DType type;
  const Code *body;
  mutable int64_t place = -1;
  BestCode(Space s, Best best, Tie tie, DType type, const Code *body)
      : space(std::move(s)), best(best), tie(tie), type(type), body(body) {}

  Value run(Frame &f) const override { return isFloat(type) ? runReal(f) : runInteger(f); }

  Value runReal(Frame &f) const {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    double winner = best == Best::Max ? -kInfinity : kInfinity;
    int64_t at = -1;
    space.each(f, [&](int64_t flat) {
      double v = body->run(f).d;
      if (at >= 0 && std::isnan(winner))
        return;
      bool better = best == Best::Max ? v > winner : v < winner;
      if (at < 0 || std::isnan(v) || better || (tie == Tie::Last && v == winner)) {
        winner = v;
        at = flat;
      }
    });
    place = at;
    return real(winner);
  }

  Value runInteger(Frame &f) const {
    int64_t winner = best == Best::Max ? leastInteger(type) : greatestInteger(type);
    int64_t at = -1;
    space.each(f, [&](int64_t flat) {
      int64_t v = body->run(f).i;
      bool better = best == Best::Max ? integerLess(type, winner, v) : integerLess(type, v, winner);
      if (at < 0 || better || (tie == Tie::Last && v == winner)) {
        winner = v;
        at = flat;
      }
    });
    place = at;
    return integer(winner);
  }
};

struct PlaceCode final : Code {
  const Code *value; // keeps the best up to date
  const BestCode *best;
  PlaceCode(const Code *value, const BestCode *best) : value(value), best(best) {}
  Value run(Frame &f) const override {
    value->run(f);
    return integer(best->place);
  }
};

void conjuncts(const Node *g, std::vector<const Node *> &out) {
  if (g->kind == TermKind::PTrue)
    return;
  if (g->kind != TermKind::PAnd) {
    out.push_back(g);
    return;
  }
  conjuncts(g->args[0], out);
  conjuncts(g->args[1], out);
}

} // namespace

/// Builds the Space of one fold.
class FoldCompiler {
public:
  FoldCompiler(Compiler &c, const Node *n) : c(c), n(n) {}

  Space space() {
    std::vector<int64_t> extents;
    for (const DimExpr &e : n->extents)
      extents.push_back(c.sizeOrFail(e));
    Space s;
    for (size_t i = 0; i < extents.size(); ++i)
      s.loops.push_back({c.slots + static_cast<uint32_t>(i), extents[i], {}, {}});
    c.bind(n->vars, extents);
    conjuncts(n->args[0], guards);
    findLookup(s);
    size_t depth = 0; // a later guard may rely on an earlier one
    for (const Node *g : guards) {
      depth = std::max(depth, depthOf(g));
      if (depth == 0) {
        s.before.push_back(c.code(g));
        continue;
      }
      Loop &l = s.loops[depth - 1];
      if (!s.lookup.used() && l.guards.empty() && !l.solved && depthOf(g) == depth)
        if ((l.solved = solve(g, l.slot)))
          continue;
      l.guards.push_back(c.code(g));
    }
    return s;
  }

private:
  Compiler &c;
  const Node *n;
  std::vector<const Node *> guards;

  bool isOwn(const Node *v) const {
    return std::find(n->vars.begin(), n->vars.end(), v) != n->vars.end();
  }

  /// How many of the loops must be open before the term has a value.
  size_t depthOf(const Node *term) const {
    size_t depth = 0;
    walk(term, [&](const Node *x) {
      for (size_t i = 0; i < n->vars.size(); ++i)
        if (n->vars[i] == x)
          depth = std::max(depth, i + 1);
    });
    return depth;
  }

  /// Variables from outside of the fold.
  bool usesOthers(const Node *term) const {
    std::set<const Node *> bound(n->vars.begin(), n->vars.end());
    walk(term, [&](const Node *x) { bound.insert(x->vars.begin(), x->vars.end()); });
    bool found = false;
    walk(term, [&](const Node *x) { found |= x->kind == TermKind::IxVar && !bound.count(x); });
    return found;
  }

  static bool readsData(const Node *term) {
    bool found = false;
    walk(term, [&](const Node *x) {
      found |=
          x->kind == TermKind::IxRead || x->kind == TermKind::VRead || x->kind == TermKind::IxPlace;
    });
    return found;
  }

  std::optional<Solved> solve(const Node *g, uint32_t slot) {
    if (g->kind != TermKind::PCmp || g->cmp != Cmp::Eq)
      return std::nullopt;
    auto a = c.affine(g->args[0]), b = c.affine(g->args[1]);
    if (!a || !b)
      return std::nullopt;
    // Both ranges are within half of int64, so their difference fits.
    Affine d = *a;
    d.base -= b->base;
    for (const auto &[s, k] : b->parts)
      d.parts.emplace_back(s, -k);
    int64_t own = 0;
    for (auto &[s, k] : d.parts)
      if (s == slot) {
        own += k;
        k = 0;
      }
    std::erase_if(d.parts, [](const auto &p) { return p.second == 0; });
    if (own == 0)
      return std::nullopt;
    return Solved{own, std::move(d)};
  }

  /// Equalities between a side over the fold's own variables that reads data, and a side without
  /// them.
  void findLookup(Space &s) {
    std::vector<const Node *> earlier;
    for (const Node *g : guards) {
      bool equality = g->kind == TermKind::PCmp && g->cmp == Cmp::Eq;
      const Node *in = equality ? g->args[0] : nullptr, *out = equality ? g->args[1] : nullptr;
      if (equality && depthOf(in) == 0)
        std::swap(in, out);
      if (equality && depthOf(in) > 0 && !usesOthers(in) && depthOf(out) == 0) {
        if (readsData(in) || s.lookup.used()) {
          s.lookup.inner.push_back(c.code(in));
          s.lookup.outer.push_back(c.code(out));
        }
        continue;
      }
      // A key may rely on what stands before it.
      if (depthOf(g) > 0 && !usesOthers(g)) {
        if (!s.lookup.used())
          s.lookup.earlier.push_back(c.code(g));
        continue;
      }
      if (depthOf(g) > 0)
        break;
    }
    if (!s.lookup.used())
      s.lookup.earlier.clear();
  }
};

const Code *Compiler::fold(const Node *n) {
  Space space = FoldCompiler(*this, n).space();
  const Code *body = code(n->args[1]);
  if (n->kind == TermKind::VBest) {
    DType type = realMode() && isFloat(n->type) ? DType::F64 : n->type;
    return arena.add(BestCode(std::move(space), n->best, n->tie, type, body));
  }
  if (isFloat(n->type)) {
    DType type = realMode() ? DType::F64 : n->type;
    if (n->red != Red::Sum)
      return arena.add(RealFoldCode(std::move(space), n->red, type, body));
    return arena.add(SumCode(std::move(space), type, body));
  }
  constexpr FnId kFns[] = {FnId::Add, FnId::Mul, FnId::Max, FnId::Min, FnId::And, FnId::Or};
  int64_t identity = n->red == Red::Prod || n->red == Red::And ? 1
                     : n->red == Red::Max                      ? leastInteger(n->accumulator)
                     : n->red == Red::Min                      ? greatestInteger(n->accumulator)
                                                               : 0;
  return arena.add(IntegerFoldCode(std::move(space), kFns[static_cast<size_t>(n->red)],
                                   n->accumulator, n->type, identity, body));
}

const Code *Compiler::place(const Node *n) {
  const Code *value = code(n->args[0]);
  const auto *kept = dynamic_cast<const KeptCode *>(value);
  const auto *best = dynamic_cast<const BestCode *>(kept ? kept->inner : value);
  return best ? arena.add(PlaceCode(value, best))
              : fail(internalError(544, "a place of something that is no best"));
}

} // namespace imbrex::opmeaning
