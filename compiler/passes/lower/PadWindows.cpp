#include "compiler/passes/lower/PadWindows.h"

#include "compiler/passes/lower/Compose.h"
#include "compiler/passes/lower/ContractionParts.h"
#include "compiler/passes/lower/IndexForm.h"

#include <algorithm>
#include <cmath>

namespace imbrex::lower {

using namespace opmeaning;

namespace {

/// Windows with less work than this are not worth a kernel for the copy.
constexpr int64_t kLeastWork = 8192;

/// What the copy holds beyond the edge, so that it adds nothing; null where there is no such value.
const Node *neutral(Program &p, const Node *reduce, DType type) {
  Node c{.kind = TermKind::VConst};
  c.type = type;
  if (reduce->red != Red::Sum && !isFloat(type))
    return nullptr;
  if (reduce->red == Red::Max)
    c.real = -INFINITY;
  else if (reduce->red == Red::Min)
    c.real = INFINITY;
  else if (reduce->red != Red::Sum || type == DType::Bool)
    return nullptr;
  return p.intern(std::move(c));
}

class Padding {
public:
  Padding(Program &p, const DimFacts &facts, const Def &d) : p(p), form(p, facts), def(d) {
    form.bind(d.vars, d.type.dims);
    form.bind(d.body->vars, d.body->extents);
  }

  /// The padded copy, and `d` reading it from place `at`; nothing when it does not pay.
  std::optional<std::pair<Def, Def>> make(uint32_t at) {
    const Node *reduce = def.body;
    for (const Node *candidate : candidates()) {
      read = candidate;
      const Node *outside = neutral(p, reduce, read->type);
      if (outside && findEdges() && guardIsBounds() && pays())
        return std::pair(copy(outside), reader(at));
    }
    return std::nullopt;
  }

private:
  struct Axis {
    const Node *index; // simplified
    DimExpr size;      // of the operand
    DimExpr low = 0, extent;
    bool reachesOver = false;
  };

  std::vector<const Node *> candidates() const {
    const Node *term = def.body->args[1];
    std::vector<const Node *> reads;
    auto consider = [&](const Node *n) {
      if (n->kind == TermKind::VRead && !n->args.empty())
        reads.push_back(n);
    };
    consider(term);
    if (def.body->red == Red::Sum && term->kind == TermKind::VApply && term->fn == FnId::Mul)
      for (const Node *factor : term->args)
        consider(factor);
    return reads;
  }

  /// Fills in `axes`; false when some index has no known range.
  bool findEdges() {
    axes.clear();
    const TensorType &type = p.typeOf(read->source);
    bool over = false;
    for (size_t i = 0; i < read->args.size(); ++i) {
      Axis axis{form.simplify(read->args[i]), type.dims[i], 0, type.dims[i], false};
      if (!form.inBounds(axis.index, axis.size)) {
        IndexRange range = form.range(axis.index);
        if (!range.lo || !range.hi)
          return false;
        axis.low = *range.lo;
        axis.extent = roundedUp(*range.hi - *range.lo + 1, strideOf(axis.index));
        axis.reachesOver = over = true;
      }
      axes.push_back(std::move(axis));
    }
    return over;
  }

  /// By how much a product's window moves from place to place: 1 where it is not known.
  int64_t strideOf(const Node *index) const {
    auto at = affineOf(index);
    if (at && def.body->args[1] != read)
      for (const auto &[var, by] : at->parts)
        if (by > 1 && std::find(def.vars.begin(), def.vars.end(), var) != def.vars.end())
          return by;
    return 1;
  }
  /// Whole strides, so that each phase of them has as many elements.
  static DimExpr roundedUp(const DimExpr &extent, int64_t stride) {
    return ceilDiv(extent, DimExpr(stride)) * DimExpr(stride);
  }

  /// Every conjunct of the guard is 0 <= index or index < size of one of the axes.
  bool guardIsBounds() {
    std::vector<const Node *> guards;
    conjuncts(form.simplifyGuard(def.body->args[0]), guards);
    auto isBound = [&](const Node *g) {
      return g->kind == TermKind::PCmp && std::any_of(axes.begin(), axes.end(), [&](const Axis &a) {
               return (g->cmp == Cmp::Le && g->args[0] == form.constant(0) &&
                       g->args[1] == a.index) ||
                      (g->cmp == Cmp::Lt && g->args[0] == a.index &&
                       g->args[1] == form.simplify(form.size(a.size)));
             });
    };
    return std::all_of(guards.begin(), guards.end(), isBound);
  }

  /// Each element of the copy is read several times, and there are not many more than before.
  bool pays() const {
    DimExpr work = 1, elems = 1, before = 1;
    for (const DimExpr &e : def.type.dims)
      work = work * e;
    for (const DimExpr &e : def.body->extents)
      work = work * e;
    for (const Axis &a : axes) {
      elems = elems * a.extent;
      before = before * a.size;
    }
    auto w = work.constant(), e = elems.constant(), b = before.constant();
    if (w && *w < kLeastWork)
      return false;
    if (e && b && *e > 4 * *b + 4096)
      return false;
    return !w || !e || *w >= 2 * *e;
  }

  const Node *shifted(const Node *index, const DimExpr &by) {
    Node n{.kind = TermKind::IxAdd};
    n.args = {index, form.size(by)};
    return p.intern(std::move(n));
  }
  const Node *compare(Cmp how, const Node *a, const Node *b) {
    Node n{.kind = TermKind::PCmp};
    n.cmp = how;
    n.args = {a, b};
    return p.intern(std::move(n));
  }
  const Node *both(const Node *a, const Node *b) {
    if (!a)
      return b;
    Node n{.kind = TermKind::PAnd};
    n.args = {a, b};
    return p.intern(std::move(n));
  }

  /// p[j] = 0 <= j + low < size ? x[j + low] : outside
  Def copy(const Node *outside) {
    Def d;
    d.name = def.name + ".padded";
    d.type.type = read->type;
    Node inner = *read;
    const Node *guard = nullptr;
    for (size_t i = 0; i < axes.size(); ++i) {
      const Axis &a = axes[i];
      d.vars.push_back(p.variable());
      d.type.dims.push_back(a.extent);
      inner.args[i] = d.vars.back();
      if (!a.reachesOver)
        continue;
      inner.args[i] = shifted(d.vars.back(), a.low);
      guard = both(guard, compare(Cmp::Le, form.constant(0), inner.args[i]));
      guard = both(guard, compare(Cmp::Lt, inner.args[i], form.size(a.size)));
    }
    Node select{.kind = TermKind::VSelect};
    select.type = read->type;
    select.args = {guard, p.intern(std::move(inner)), outside};
    d.body = p.intern(std::move(select));
    return d;
  }

  Def reader(uint32_t at) {
    Node moved = *read;
    moved.source = {Source::Kind::Def, at};
    for (size_t i = 0; i < axes.size(); ++i)
      if (axes[i].reachesOver)
        moved.args[i] = form.simplify(shifted(axes[i].index, DimExpr(0) - axes[i].low));
    const Node *fresh = p.intern(std::move(moved));
    Node reduce = *def.body;
    Node yes{.kind = TermKind::PTrue};
    reduce.args[0] = p.intern(std::move(yes));
    if (reduce.args[1] == read) {
      reduce.args[1] = fresh;
    } else {
      Node product = *reduce.args[1];
      for (const Node *&factor : product.args)
        factor = factor == read ? fresh : factor;
      reduce.args[1] = p.intern(std::move(product));
    }
    Def d = def;
    d.body = p.intern(std::move(reduce));
    return d;
  }

  Program &p;
  IndexForm form;
  const Def &def;
  const Node *read = nullptr;
  std::vector<Axis> axes;
};

} // namespace

/// j or j + c.
static bool isShifted(const Node *index) {
  return index->kind == TermKind::IxVar ||
         (index->kind == TermKind::IxAdd && index->args[0]->kind == TermKind::IxVar &&
          (index->args[1]->kind == TermKind::IxConst || index->args[1]->kind == TermKind::IxDim));
}

bool isPadding(const Def &d) {
  if (d.body->kind != TermKind::VSelect || d.body->args[2]->kind != TermKind::VConst)
    return false;
  const Node *read = d.body->args[1];
  return read->kind == TermKind::VRead && read->args.size() == d.vars.size() &&
         std::all_of(read->args.begin(), read->args.end(), isShifted);
}

void padWindows(Program &p, const DimFacts &facts) {
  std::vector<Def> out;
  const auto count = static_cast<uint32_t>(p.defs.size());
  std::vector<uint32_t> place(count);
  // A copy's index is its new one, `count` higher, until it is moved.
  auto moved = [&](const Node *r, std::vector<const Node *> at) {
    Node copy = *r;
    copy.args = std::move(at);
    if (r->source.kind == Source::Kind::Def)
      copy.source.index =
          r->source.index < count ? place[r->source.index] : r->source.index - count;
    return p.intern(std::move(copy));
  };
  auto add = [&](Def d) {
    d.body = rewriteTerm(p, d.body, {}, moved);
    out.push_back(std::move(d));
  };
  for (size_t i = 0; i < count; ++i) {
    const Def &d = p.defs[i];
    std::optional<std::pair<Def, Def>> padded;
    if (d.body->kind == TermKind::VReduce && d.body->args[0]->kind != TermKind::PTrue)
      padded = Padding(p, facts, d).make(count + static_cast<uint32_t>(out.size()));
    if (padded)
      add(std::move(padded->first));
    place[i] = static_cast<uint32_t>(out.size());
    add(padded ? std::move(padded->second) : d);
  }
  p.defs = std::move(out);
  for (Require &r : p.requirements)
    r.guard = rewriteTerm(p, r.guard, {}, moved);
  for (OpenDim &o : p.opens)
    if (o.source.kind == Source::Kind::Def)
      o.source.index = place[o.source.index];
  for (uint32_t &o : p.outputs)
    o = place[o];
}

} // namespace imbrex::lower
