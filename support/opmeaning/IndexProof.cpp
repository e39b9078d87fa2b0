#include "support/opmeaning/IndexProof.h"

#include <algorithm>

namespace imbrex::opmeaning {

/// Every symbol of a product that is at least 1 is itself at least 1.
static void assumeNonEmpty(DimFacts &facts, const DimExpr &extent) {
  if (extent.terms().size() != 1)
    return;
  for (const auto &f : extent.terms()[0].factors)
    if (f->kind == DimExpr::AtomKind::Symbol && facts.of(f->name).lo >= 0)
      (void)facts.add(f->name, {1, INT64_MAX, 1});
}

IndexProof::IndexProof(const DimFacts &facts, std::span<const Node *const> vars,
                       std::span<const DimExpr> extents)
    : scoped(facts) {
  for (size_t i = 0; i < vars.size(); ++i)
    assumeNonEmpty(scoped, extents[i]);
  for (size_t i = 0; i < vars.size(); ++i) {
    std::string name = symbolOf(vars[i]);
    auto hi = scoped.upperBound(extents[i]);
    // An empty range contradicts; whatever is said of it is true.
    if (hi && *hi > 0)
      (void)scoped.add(name, {0, *hi - 1, 1});
    extentOf.insert_or_assign(std::move(name), extents[i]);
  }
}

std::optional<DimExpr> IndexProof::expression(const Node *n) {
  auto arg = [&](size_t i) { return expression(n->args[i]); };
  switch (n->kind) {
  case TermKind::IxVar:
    return DimExpr::symbol(symbolOf(n));
  case TermKind::IxConst:
    return DimExpr(n->number);
  case TermKind::IxDim:
    return n->dim;
  default:
    break;
  }
  if (n->kind > TermKind::IxMax)
    return std::nullopt;
  auto a = arg(0);
  auto b = n->args.size() > 1 ? arg(1) : std::optional<DimExpr>(n->dim);
  if (!a || !b)
    return std::nullopt;
  switch (n->kind) {
  case TermKind::IxAdd:
    return *a + *b;
  case TermKind::IxSub:
    return *a - *b;
  case TermKind::IxMul:
    return *a * *b;
  case TermKind::IxFloorDiv:
    return floorDiv(*a, *b);
  case TermKind::IxMod:
    return mod(*a, *b);
  case TermKind::IxMin:
    return min(*a, *b);
  case TermKind::IxMax:
    return max(*a, *b);
  default:
    return std::nullopt;
  }
}

DimExpr IndexProof::least(const DimExpr &e) const {
  DimExpr out = e;
  for (const auto &t : e.terms()) {
    if (t.factors.size() != 1 || t.factors[0]->kind != DimExpr::AtomKind::Symbol)
      continue;
    auto it = extentOf.find(t.factors[0]->name);
    if (it == extentOf.end())
      continue;
    const std::string &name = it->first;
    DimExpr v = DimExpr::symbol(name);
    DimExpr rest = out - v * t.coefficient;
    auto names = rest.symbols();
    if (std::binary_search(names.begin(), names.end(), name))
      continue;
    out = t.coefficient > 0 ? rest : rest + (it->second - 1) * t.coefficient;
  }
  return out;
}

bool IndexProof::nonNegative(const DimExpr &e) const {
  return e.valid() && (scoped.provenAtLeast(e, 0) || scoped.provenAtLeast(least(e), 0));
}

bool IndexProof::atLeast(const Node *index, const DimExpr &bound) const {
  if (index->kind == TermKind::IxSelect)
    return atLeast(index->args[1], bound) && atLeast(index->args[2], bound);
  auto e = expression(index);
  return e && nonNegative(*e - bound);
}

bool IndexProof::atMost(const Node *index, const DimExpr &bound) const {
  if (index->kind == TermKind::IxSelect)
    return atMost(index->args[1], bound) && atMost(index->args[2], bound);
  auto e = expression(index);
  return e && nonNegative(bound - *e);
}

bool IndexProof::differenceAtLeast(const Node *a, const Node *b, int64_t k) const {
  auto x = expression(a), y = expression(b);
  return x && y && nonNegative(*x - *y - k);
}

static std::optional<bool> negate(std::optional<bool> v) {
  return v ? std::optional(!*v) : std::nullopt;
}

std::optional<bool> IndexProof::decide(const Node *g) const {
  switch (g->kind) {
  case TermKind::PTrue:
    return true;
  case TermKind::PNot:
    return negate(decide(g->args[0]));
  case TermKind::PAnd:
  case TermKind::POr: {
    bool absorbing = g->kind == TermKind::POr;
    auto a = decide(g->args[0]), b = decide(g->args[1]);
    if (a == absorbing || b == absorbing)
      return absorbing;
    return a && b ? std::optional(!absorbing) : std::nullopt;
  }
  case TermKind::PCmp:
    break;
  default:
    return std::nullopt;
  }
  const Node *a = g->args[0], *b = g->args[1];
  switch (g->cmp) {
  case Cmp::Le:
    return differenceAtLeast(b, a, 0)   ? std::optional(true)
           : differenceAtLeast(a, b, 1) ? std::optional(false)
                                        : std::nullopt;
  case Cmp::Lt:
    return differenceAtLeast(b, a, 1)   ? std::optional(true)
           : differenceAtLeast(a, b, 0) ? std::optional(false)
                                        : std::nullopt;
  case Cmp::Eq:
  case Cmp::Ne: {
    auto x = expression(a), y = expression(b);
    if (!x || !y)
      return std::nullopt;
    bool same = g->cmp == Cmp::Eq;
    if (scoped.provenEqual(*x, *y))
      return same;
    if (scoped.provenUnequal(*x, *y) || nonNegative(*x - *y - 1) || nonNegative(*y - *x - 1))
      return !same;
    return std::nullopt;
  }
  }
  return std::nullopt;
}

} // namespace imbrex::opmeaning
