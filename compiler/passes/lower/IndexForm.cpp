#include "compiler/passes/lower/IndexForm.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace imbrex::lower {

using namespace opmeaning;

void IndexForm::bind(const std::vector<const Node *> &vars, const std::vector<DimExpr> &sizes) {
  for (size_t i = 0; i < vars.size(); ++i)
    bind(vars[i], sizes[i]);
}

const Node *IndexForm::make(TermKind kind, std::vector<const Node *> args, const DimExpr &dim) {
  Node n{.kind = kind};
  n.args = std::move(args);
  n.dim = dim;
  return program.intern(std::move(n));
}

const Node *IndexForm::constant(int64_t value) {
  Node n{.kind = TermKind::IxConst};
  n.number = value;
  return program.intern(std::move(n));
}

const Node *IndexForm::size(const DimExpr &dim) {
  if (auto c = dim.constant())
    return constant(*c);
  return make(TermKind::IxDim, {}, dim);
}

void IndexForm::add(Linear &sum, const Node *atom, const DimExpr &coefficient) {
  for (auto &[n, c] : sum.parts)
    if (n == atom) {
      c = c + coefficient;
      return;
    }
  sum.parts.emplace_back(atom, coefficient);
}

void IndexForm::addScaled(Linear &sum, const Node *index, const DimExpr &scale) {
  const Linear other = linear(index);
  sum.constant = sum.constant + scale * other.constant;
  for (const auto &[atom, c] : other.parts)
    add(sum, atom, scale * c);
}

IndexForm::Linear IndexForm::linear(const Node *n) {
  Linear sum;
  switch (n->kind) {
  case TermKind::IxConst:
    sum.constant = n->number;
    break;
  case TermKind::IxDim:
    sum.constant = n->dim;
    break;
  case TermKind::IxAdd:
    addScaled(sum, n->args[0], 1);
    addScaled(sum, n->args[1], 1);
    break;
  case TermKind::IxSub:
    addScaled(sum, n->args[0], 1);
    addScaled(sum, n->args[1], -1);
    break;
  case TermKind::IxMul:
    addScaled(sum, n->args[0], n->dim);
    break;
  default:
    add(sum, n, 1);
  }
  std::erase_if(sum.parts, [](const auto &p) { return p.second.isConstant(0); });
  cancelDivMod(sum);
  return sum;
}

/// k*c*(e floordiv c) + k*(e mod c) = k*e
void IndexForm::cancelDivMod(Linear &sum) {
  for (size_t i = 0; i < sum.parts.size(); ++i) {
    const Node *m = sum.parts[i].first;
    if (m->kind != TermKind::IxMod)
      continue;
    DimExpr k = sum.parts[i].second;
    for (size_t j = 0; j < sum.parts.size(); ++j) {
      const Node *d = sum.parts[j].first;
      if (d->kind != TermKind::IxFloorDiv || d->args[0] != m->args[0] || !(d->dim == m->dim) ||
          !(sum.parts[j].second == k * d->dim))
        continue;
      Linear whole = linear(m->args[0]);
      sum.parts.erase(sum.parts.begin() + std::max(i, j));
      sum.parts.erase(sum.parts.begin() + std::min(i, j));
      sum.constant = sum.constant + k * whole.constant;
      for (const auto &[atom, c] : whole.parts)
        add(sum, atom, k * c);
      std::erase_if(sum.parts, [](const auto &p) { return p.second.isConstant(0); });
      return cancelDivMod(sum);
    }
  }
}

const Node *IndexForm::build(const Linear &sum) {
  const Node *out = nullptr;
  for (const auto &[atom, c] : sum.parts) {
    const Node *term = c.isConstant(1) ? atom : make(TermKind::IxMul, {atom}, c);
    out = out ? make(TermKind::IxAdd, {out, term}) : term;
  }
  if (!out)
    return size(sum.constant);
  if (sum.constant.isConstant(0))
    return out;
  return make(TermKind::IxAdd, {out, size(sum.constant)});
}

IndexRange IndexForm::rangeOf(const Linear &sum) {
  IndexRange r{sum.constant, sum.constant};
  for (const auto &[atom, c] : sum.parts) {
    IndexRange a = range(atom);
    bool up = facts.provenAtLeast(c, 0), down = facts.provenAtLeast(DimExpr(0) - c, 0);
    auto &low = up ? a.lo : a.hi;
    auto &high = up ? a.hi : a.lo;
    if (!up && !down)
      return {};
    r.lo = r.lo && low ? std::optional(*r.lo + c * *low) : std::nullopt;
    r.hi = r.hi && high ? std::optional(*r.hi + c * *high) : std::nullopt;
  }
  return r;
}

IndexRange IndexForm::range(const Node *n) {
  if (auto it = ranges.find(n); it != ranges.end())
    return it->second;
  IndexRange r = computeRange(n);
  ranges[n] = r;
  return r;
}

IndexRange IndexForm::computeRange(const Node *n) {
  switch (n->kind) {
  case TermKind::IxVar:
    if (auto it = extents.find(n); it != extents.end())
      return {DimExpr(0), it->second - 1};
    return {};
  case TermKind::IxConst:
    return {DimExpr(n->number), DimExpr(n->number)};
  case TermKind::IxDim:
    return {n->dim, n->dim};
  case TermKind::IxMod: {
    IndexRange a = range(n->args[0]);
    IndexRange r{DimExpr(0), n->dim - 1};
    if (a.lo && a.hi && facts.provenAtLeast(*a.lo, 0) && facts.provenAtLeast(n->dim - 1 - *a.hi, 0))
      return a;
    return r;
  }
  case TermKind::IxFloorDiv: {
    IndexRange a = range(n->args[0]);
    return {a.lo ? std::optional(floorDiv(*a.lo, n->dim)) : std::nullopt,
            a.hi ? std::optional(floorDiv(*a.hi, n->dim)) : std::nullopt};
  }
  case TermKind::IxMin:
  case TermKind::IxMax: {
    IndexRange a = range(n->args[0]), b = range(n->args[1]);
    bool least = n->kind == TermKind::IxMin;
    IndexRange r;
    // The tight side needs both bounds; the other takes whichever is there.
    if (least) {
      if (a.lo && b.lo)
        r.lo = min(*a.lo, *b.lo);
      r.hi = a.hi && b.hi ? std::optional(min(*a.hi, *b.hi)) : a.hi ? a.hi : b.hi;
    } else {
      if (a.hi && b.hi)
        r.hi = max(*a.hi, *b.hi);
      r.lo = a.lo && b.lo ? std::optional(max(*a.lo, *b.lo)) : a.lo ? a.lo : b.lo;
    }
    return r;
  }
  case TermKind::IxSelect: {
    IndexRange a = range(n->args[1]), b = range(n->args[2]);
    IndexRange r;
    if (a.lo && b.lo)
      r.lo = min(*a.lo, *b.lo);
    if (a.hi && b.hi)
      r.hi = max(*a.hi, *b.hi);
    return r;
  }
  case TermKind::IxAdd:
  case TermKind::IxSub:
  case TermKind::IxMul:
    return rangeOf(linear(n));
  default:
    return {};
  }
}

static bool isPart(const DimExpr &part, const DimExpr &whole) {
  const auto parts = whole.broadcastParts();
  return std::ranges::find(parts, part) != parts.end();
}

const Node *broadcastIndex(const Node *index, const DimExpr &extent) {
  if (index->kind != TermKind::IxSelect || index->args[1]->kind != TermKind::IxConst ||
      index->args[1]->number != 0)
    return nullptr;
  const Node *g = index->args[0];
  bool one = g->kind == TermKind::PCmp && g->cmp == Cmp::Eq &&
             g->args[0]->kind == TermKind::IxDim && g->args[0]->dim == extent &&
             g->args[1]->kind == TermKind::IxConst && g->args[1]->number == 1;
  return one ? index->args[2] : nullptr;
}

bool IndexForm::inBounds(const Node *index, const DimExpr &extent) {
  if (const Node *many = broadcastIndex(index, extent)) {
    // Where the extent is not 1, it is the size to which it broadcasts.
    IndexRange r = range(many);
    return r.lo && r.hi && facts.provenAtLeast(*r.lo, 0) && isPart(extent, *r.hi + 1);
  }
  IndexRange r = range(index);
  return r.lo && r.hi && facts.provenAtLeast(*r.lo, 0) &&
         facts.provenAtLeast(extent - 1 - *r.hi, 0);
}

std::optional<IndexForm::Factored> IndexForm::factored(const Linear &sum, int64_t divisor) {
  auto constant = sum.constant.constant();
  if (!constant)
    return std::nullopt;
  std::set<int64_t, std::greater<>> factors;
  for (const auto &[atom, c] : sum.parts)
    if (auto cc = c.constant())
      factors.insert(std::gcd(*cc, divisor));
  for (int64_t g : factors) {
    if (g <= 1)
      break;
    Factored f{g, {}, {}};
    const int64_t below = ((*constant % g) + g) % g;
    f.fine.constant = below;
    f.coarse.constant = (*constant - below) / g;
    for (const auto &[atom, c] : sum.parts)
      if (auto cc = c.constant(); cc && *cc % g == 0)
        add(f.coarse, atom, *cc / g);
      else
        add(f.fine, atom, c);
    IndexRange r = rangeOf(f.fine);
    if (r.lo && r.hi && facts.provenAtLeast(*r.lo, 0) &&
        facts.provenAtLeast(DimExpr(g - 1) - *r.hi, 0))
      return f;
  }
  return std::nullopt;
}

/// Splits numerator = divisor*q + r and divides what divides.
const Node *IndexForm::divide(const Node *numerator, const DimExpr &divisor) {
  if (divisor.isConstant(1))
    return numerator;
  Linear all = linear(numerator), quotient, rest;
  auto exact = [&](const DimExpr &c) -> std::optional<DimExpr> {
    auto cc = c.constant(), d = divisor.constant();
    if (cc && d && *d > 0)
      return *cc % *d == 0 ? std::optional(DimExpr(*cc / *d)) : std::nullopt;
    if (c == divisor)
      return DimExpr(1);
    DimExpr q = floorDiv(c, divisor);
    if (q * divisor == c)
      return q;
    return std::nullopt;
  };
  for (const auto &[atom, c] : all.parts) {
    if (auto q = exact(c))
      add(quotient, atom, *q);
    else
      add(rest, atom, c);
  }
  if (auto q = exact(all.constant))
    quotient.constant = *q;
  else if (auto c = all.constant.constant(), d = divisor.constant(); c && d && *d > 0) {
    int64_t fl = *c / *d - (*c % *d < 0);
    quotient.constant = fl;
    rest.constant = *c - fl * *d;
  } else
    rest.constant = all.constant;
  IndexRange r = rangeOf(rest);
  if (r.lo && r.hi && facts.provenAtLeast(*r.lo, 0) && facts.provenAtLeast(divisor - 1 - *r.hi, 0))
    return build(quotient);
  // (e floordiv a) floordiv b = e floordiv (a*b)
  if (quotient.parts.empty() && quotient.constant.isConstant(0) && rest.parts.size() == 1 &&
      rest.constant.isConstant(0) && rest.parts[0].second.isConstant(1) &&
      rest.parts[0].first->kind == TermKind::IxFloorDiv)
    return divide(rest.parts[0].first->args[0], rest.parts[0].first->dim * divisor);
  const Node *left = nullptr;
  if (auto d = divisor.constant(); d && *d > 1)
    if (auto f = factored(rest, *d))
      left = divide(build(f->coarse), *d / f->factor);
  if (!left)
    left = make(TermKind::IxFloorDiv, {build(rest)}, divisor);
  if (quotient.parts.empty() && quotient.constant.isConstant(0))
    return left;
  addScaled(quotient, left, 1);
  return build(quotient);
}

const Node *IndexForm::remainder(const Node *numerator, const DimExpr &divisor) {
  if (divisor.isConstant(1))
    return constant(0);
  Linear all = linear(numerator), rest;
  auto c0 = all.constant.constant(), d = divisor.constant();
  for (const auto &[atom, c] : all.parts) {
    auto cc = c.constant();
    bool multiple =
        (cc && d && *d > 0 && *cc % *d == 0) || c == divisor || floorDiv(c, divisor) * divisor == c;
    if (!multiple)
      add(rest, atom, c);
  }
  if (c0 && d && *d > 0)
    rest.constant = ((*c0 % *d) + *d) % *d;
  else if (!(all.constant == divisor))
    rest.constant = all.constant;
  IndexRange r = rangeOf(rest);
  const Node *base = build(rest);
  if (r.lo && r.hi && facts.provenAtLeast(*r.lo, 0) && facts.provenAtLeast(divisor - 1 - *r.hi, 0))
    return base;
  // (e mod a) mod b = e mod b when b divides a
  if (base->kind == TermKind::IxMod && floorDiv(base->dim, divisor) * divisor == base->dim)
    return remainder(base->args[0], divisor);
  if (d && *d > 1)
    if (auto f = factored(rest, *d)) {
      Linear sum;
      addScaled(sum, remainder(build(f->coarse), *d / f->factor), f->factor);
      addScaled(sum, build(f->fine), 1);
      return build(sum);
    }
  return make(TermKind::IxMod, {base}, divisor);
}

const Node *IndexForm::simplify(const Node *n) {
  if (auto it = memo.find(n); it != memo.end())
    return it->second;
  const Node *out = n;
  switch (n->kind) {
  case TermKind::IxAdd:
  case TermKind::IxSub:
    out = build(linear(make(n->kind, {simplify(n->args[0]), simplify(n->args[1])})));
    break;
  case TermKind::IxMul:
    out = build(linear(make(n->kind, {simplify(n->args[0])}, n->dim)));
    break;
  case TermKind::IxFloorDiv:
    out = divide(simplify(n->args[0]), n->dim);
    break;
  case TermKind::IxMod:
    out = remainder(simplify(n->args[0]), n->dim);
    break;
  case TermKind::IxMin:
  case TermKind::IxMax: {
    const Node *a = simplify(n->args[0]), *b = simplify(n->args[1]);
    const Node *least = n->kind == TermKind::IxMin ? a : b, *most = least == a ? b : a;
    Node cmp{.kind = TermKind::PCmp};
    cmp.cmp = Cmp::Le;
    cmp.args = {least, most};
    Node rev = cmp;
    rev.args = {most, least};
    if (a == b || decide(program.intern(cmp)) == std::optional(true))
      out = a;
    else if (decide(program.intern(rev)) == std::optional(true))
      out = b;
    else
      out = make(n->kind, {a, b});
    break;
  }
  case TermKind::IxSelect: {
    const Node *g = simplifyGuard(n->args[0]);
    if (auto d = decide(g))
      out = simplify(n->args[*d ? 1 : 2]);
    else
      out = make(n->kind, {g, simplify(n->args[1]), simplify(n->args[2])});
    break;
  }
  case TermKind::IxRead: {
    Node copy = *n;
    for (auto &a : copy.args)
      a = simplify(a);
    out = program.intern(std::move(copy));
    break;
  }
  default:
    break;
  }
  memo[n] = out;
  return out;
}

std::optional<bool> IndexForm::decide(const Node *g) {
  switch (g->kind) {
  case TermKind::PTrue:
    return true;
  case TermKind::PNot: {
    auto d = decide(g->args[0]);
    return d ? std::optional(!*d) : std::nullopt;
  }
  case TermKind::PAnd:
  case TermKind::POr: {
    bool absorbing = g->kind == TermKind::POr;
    auto a = decide(g->args[0]), b = decide(g->args[1]);
    if (a == std::optional(absorbing) || b == std::optional(absorbing))
      return absorbing;
    return a && b ? std::optional(!absorbing) : std::nullopt;
  }
  case TermKind::PCmp: {
    const Node *diff = make(TermKind::IxSub, {g->args[1], g->args[0]}); // rhs - lhs
    IndexRange r = rangeOf(linear(diff));
    bool ge0 = r.lo && facts.provenAtLeast(*r.lo, 0), gt0 = r.lo && facts.provenAtLeast(*r.lo, 1);
    bool le0 = r.hi && facts.provenAtLeast(DimExpr(0) - *r.hi, 0),
         lt0 = r.hi && facts.provenAtLeast(DimExpr(-1) - *r.hi, 0);
    switch (g->cmp) {
    case Cmp::Eq:
    case Cmp::Ne: {
      bool same = ge0 && le0, differ = gt0 || lt0;
      if (!same && !differ)
        return std::nullopt;
      return (g->cmp == Cmp::Eq) == same;
    }
    case Cmp::Lt:
      return gt0 ? std::optional(true) : le0 ? std::optional(false) : std::nullopt;
    case Cmp::Le:
      return ge0 ? std::optional(true) : lt0 ? std::optional(false) : std::nullopt;
    }
    return std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

const Node *IndexForm::simplifyGuard(const Node *g) {
  if (auto d = decide(g)) {
    const Node *yes = make(TermKind::PTrue, {});
    return *d ? yes : make(TermKind::PNot, {yes});
  }
  switch (g->kind) {
  case TermKind::PCmp: {
    Node copy = *g;
    copy.args = {simplify(g->args[0]), simplify(g->args[1])};
    return program.intern(std::move(copy));
  }
  case TermKind::PScalar: {
    Node copy = *g;
    copy.args = {simplifyScalar(g->args[0])};
    return program.intern(std::move(copy));
  }
  case TermKind::PNot:
    return make(TermKind::PNot, {simplifyGuard(g->args[0])});
  case TermKind::PAnd:
  case TermKind::POr: {
    bool neutral = g->kind == TermKind::PAnd;
    const Node *a = simplifyGuard(g->args[0]), *b = simplifyGuard(g->args[1]);
    if (decide(a) == std::optional(neutral))
      return b;
    if (decide(b) == std::optional(neutral))
      return a;
    return make(g->kind, {a, b});
  }
  default:
    return g;
  }
}

const Node *IndexForm::simplifyScalar(const Node *s) {
  if (auto it = memo.find(s); it != memo.end())
    return it->second;
  Node copy = *s;
  const Node *out = nullptr;
  switch (s->kind) {
  case TermKind::VSelect: {
    copy.args[0] = simplifyGuard(s->args[0]);
    if (auto d = decide(copy.args[0]))
      out = simplifyScalar(s->args[*d ? 1 : 2]);
    else {
      copy.args[1] = simplifyScalar(s->args[1]);
      copy.args[2] = simplifyScalar(s->args[2]);
    }
    break;
  }
  case TermKind::VReduce:
  case TermKind::VBest:
    bind(s->vars, s->extents);
    copy.args = {simplifyGuard(s->args[0]), simplifyScalar(s->args[1])};
    break;
  case TermKind::VFromPred:
    copy.args = {simplifyGuard(s->args[0])};
    break;
  default:
    for (auto &a : copy.args)
      a = isIndex(a->kind) ? simplify(a) : isGuard(a->kind) ? simplifyGuard(a) : simplifyScalar(a);
  }
  if (!out)
    out = program.intern(std::move(copy));
  memo[s] = out;
  return out;
}

const Node *IndexForm::flatten(const std::vector<const Node *> &at,
                               const std::vector<DimExpr> &sizes) {
  if (at.empty())
    return constant(0);
  const Node *place = simplify(at[0]);
  for (size_t i = 1; i < at.size(); ++i)
    place = make(TermKind::IxAdd, {make(TermKind::IxMul, {place}, sizes[i]), simplify(at[i])});
  return simplify(place);
}

} // namespace imbrex::lower
