// The operators over Ix, Pred and Val: they fold what is decided at once and intern the rest.
#include "support/opmeaning/Builder.h"

namespace imbrex::opmeaning {

// Indices.

static std::optional<Dim> asDim(const Ix &i) {
  switch (i.form) {
  case Ix::Form::Literal:
    return Dim(i.literal);
  case Ix::Form::Dim:
    return i.dim;
  case Ix::Form::Node:
    if (i.n->kind == TermKind::IxConst)
      return Dim(i.n->number);
    if (i.n->kind == TermKind::IxDim)
      return i.n->dim;
    break;
  }
  return std::nullopt;
}

static Builder *builderOf(const Ix &a, const Ix &b) { return a.b ? a.b : b.b; }

/// A size keeps its builder-less form, so that it stays usable where no builder is known.
static Ix fromDim(const Dim &d) {
  auto c = d.constant();
  return c ? Ix(*c) : Ix(d);
}

static Ix make(Builder *b, TermKind kind, std::vector<const Node *> args, Dim dim = 0) {
  Node n{.kind = kind, .args = std::move(args), .dim = std::move(dim)};
  return {b->program().intern(std::move(n)), b};
}

/// x + d for a size d, merged with a size that x ends in.
static Ix plusDim(const Ix &x, const Dim &d) {
  if (d.isConstant(0))
    return x;
  if (x.n->kind == TermKind::IxAdd &&
      (x.n->args[1]->kind == TermKind::IxConst || x.n->args[1]->kind == TermKind::IxDim)) {
    Dim both = *asDim(Ix(x.n->args[1], x.b)) + d;
    return plusDim(Ix(x.n->args[0], x.b), both);
  }
  return make(x.b, TermKind::IxAdd, {x.n, x.b->node(Ix(d))});
}

Ix operator+(const Ix &a, const Ix &b) {
  auto x = asDim(a), y = asDim(b);
  if (x && y)
    return fromDim(*x + *y);
  if (y)
    return plusDim(a, *y);
  if (x)
    return plusDim(b, *x);
  // Sizes go to the right: (i + d) + j = (i + j) + d.
  if (a.n->kind == TermKind::IxAdd)
    if (auto d = asDim(Ix(a.n->args[1], a.b)))
      return plusDim(Ix(a.n->args[0], a.b) + b, *d);
  if (b.n->kind == TermKind::IxAdd)
    if (auto d = asDim(Ix(b.n->args[1], b.b)))
      return plusDim(a + Ix(b.n->args[0], b.b), *d);
  return make(a.b, TermKind::IxAdd, {a.n, b.n});
}

Ix operator-(const Ix &a, const Ix &b) {
  auto x = asDim(a), y = asDim(b);
  if (x && y)
    return fromDim(*x - *y);
  if (y && (Dim(0) - *y).valid())
    return plusDim(a, Dim(0) - *y);
  Builder *bld = builderOf(a, b);
  return make(bld, TermKind::IxSub, {bld->node(a), bld->node(b)});
}

Ix operator*(const Ix &a, const Dim &d) {
  if (auto x = asDim(a))
    return fromDim(*x * d);
  if (d.isConstant(1))
    return a;
  if (d.isConstant(0))
    return Ix(0);
  return make(a.b, TermKind::IxMul, {a.n}, d);
}
Ix operator*(const Dim &d, const Ix &a) { return a * d; }

Ix floorDiv(const Ix &a, const Dim &d) {
  auto x = asDim(a);
  if (x && (!d.constant() || *d.constant() > 0))
    return fromDim(floorDiv(*x, d));
  if (d.isConstant(1))
    return a;
  return x ? fromDim(floorDiv(*x, d)) : make(a.b, TermKind::IxFloorDiv, {a.n}, d);
}

Ix mod(const Ix &a, const Dim &d) {
  if (auto x = asDim(a))
    return fromDim(mod(*x, d));
  if (d.isConstant(1))
    return Ix(0);
  return make(a.b, TermKind::IxMod, {a.n}, d);
}

static Ix extreme(TermKind kind, const Ix &a, const Ix &b) {
  auto x = asDim(a), y = asDim(b);
  if (x && y)
    return fromDim(kind == TermKind::IxMin ? min(*x, *y) : max(*x, *y));
  Builder *bld = builderOf(a, b);
  const Node *l = bld->node(a), *r = bld->node(b);
  return l == r ? a : make(bld, kind, {l, r});
}
Ix min(const Ix &a, const Ix &b) { return extreme(TermKind::IxMin, a, b); }
Ix max(const Ix &a, const Ix &b) { return extreme(TermKind::IxMax, a, b); }

// Guards.

static Pred decidedPred(bool v) {
  Pred p;
  p.decided = v;
  return p;
}

static bool isDecided(const Pred &p) { return !p.n && !p.sides && p.join == Pred::Join::None; }

static bool holdsBetween(Cmp cmp, int64_t a, int64_t b) {
  switch (cmp) {
  case Cmp::Eq:
    return a == b;
  case Cmp::Ne:
    return a != b;
  case Cmp::Lt:
    return a < b;
  case Cmp::Le:
    return a <= b;
  }
  return false;
}

static Pred compare(Cmp cmp, const Ix &a, const Ix &b) {
  auto x = asDim(a), y = asDim(b);
  if (x && y) {
    auto l = x->constant(), r = y->constant();
    if (l && r)
      return decidedPred(holdsBetween(cmp, *l, *r));
    if (auto d = (*x - *y).constant())
      return decidedPred(holdsBetween(cmp, *d, 0));
  }
  Pred p;
  p.cmp = cmp;
  p.sides = std::make_shared<const std::pair<Ix, Ix>>(a, b);
  p.b = builderOf(a, b);
  if (!p.b)
    return p;
  const Node *n = p.b->node(p);
  if (n->kind == TermKind::PTrue)
    return decidedPred(true);
  if (n->kind == TermKind::PNot && n->args[0]->kind == TermKind::PTrue)
    return decidedPred(false);
  p.sides.reset();
  p.n = n;
  return p;
}
Pred eq(const Ix &a, const Ix &b) { return compare(Cmp::Eq, a, b); }
Pred ne(const Ix &a, const Ix &b) { return compare(Cmp::Ne, a, b); }
Pred lt(const Ix &a, const Ix &b) { return compare(Cmp::Lt, a, b); }
Pred le(const Ix &a, const Ix &b) { return compare(Cmp::Le, a, b); }

Pred operator!(const Pred &p) {
  if (isDecided(p))
    return decidedPred(!p.decided);
  Pred out;
  out.b = p.b;
  if (p.n) {
    out.n = p.n->kind == TermKind::PNot
                ? p.n->args[0]
                : p.b->program().intern({.kind = TermKind::PNot, .args = {p.n}});
    return out;
  }
  if (p.sides) {
    const auto &[a, b] = *p.sides;
    switch (p.cmp) {
    case Cmp::Eq:
      return ne(a, b);
    case Cmp::Ne:
      return eq(a, b);
    case Cmp::Lt:
      return le(b, a);
    case Cmp::Le:
      return lt(b, a);
    }
  }
  // not (a and b) = not a or not b, evaluated in the same order.
  std::vector<Pred> parts;
  for (const Pred &q : *p.parts)
    parts.push_back(!q);
  out.join = p.join == Pred::Join::All ? Pred::Join::Any : Pred::Join::All;
  out.parts = std::make_shared<const std::vector<Pred>>(std::move(parts));
  return out;
}

static Pred join(Pred::Join how, std::span<const Pred> guards) {
  bool neutral = how == Pred::Join::All;
  std::vector<Pred> parts;
  Builder *b = nullptr;
  for (const Pred &p : guards) {
    if (isDecided(p)) {
      if (p.decided == neutral)
        continue;
      // What follows cannot be reached.
      parts.push_back(p);
      break;
    }
    b = b ? b : p.b;
    parts.push_back(p);
  }
  if (parts.empty())
    return decidedPred(neutral);
  if (parts.size() == 1)
    return parts[0];
  Pred out;
  out.b = b;
  out.join = how;
  out.parts = std::make_shared<const std::vector<Pred>>(std::move(parts));
  if (!b)
    return out;
  out.n = b->node(out);
  out.join = Pred::Join::None;
  out.parts.reset();
  if (out.n->kind == TermKind::PTrue)
    return decidedPred(true);
  return out;
}
Pred all(std::initializer_list<Pred> guards) {
  return join(Pred::Join::All, {guards.begin(), guards.size()});
}
Pred all(std::span<const Pred> guards) { return join(Pred::Join::All, guards); }
Pred any(std::initializer_list<Pred> guards) {
  return join(Pred::Join::Any, {guards.begin(), guards.size()});
}

// Scalars.

Val operator+(const Val &a, const Val &b) { return (a.b ? a.b : b.b)->f(FnId::Add, {a, b}); }
Val operator-(const Val &a, const Val &b) { return (a.b ? a.b : b.b)->f(FnId::Sub, {a, b}); }
Val operator*(const Val &a, const Val &b) { return (a.b ? a.b : b.b)->f(FnId::Mul, {a, b}); }
Val operator/(const Val &a, const Val &b) { return (a.b ? a.b : b.b)->f(FnId::Div, {a, b}); }
Val operator-(const Val &a) { return a.b->f(FnId::Neg, {a}); }

} // namespace imbrex::opmeaning
