// The fusion class of a definition in normal form.
#include "support/opmeaning/Program.h"

#include <algorithm>
#include <set>

namespace imbrex::opmeaning {

/// Every index is the definition's own variable, in increasing order, of a dimension proven equal;
/// or 0 on a dimension of size 1.
static bool isPlainRead(const Program &p, const Def &d, const Node *read, const DimFacts &facts) {
  const TensorType &t = p.typeOf(read->source);
  size_t next = 0;
  for (size_t i = 0; i < read->args.size(); ++i) {
    const Node *ix = read->args[i];
    if (ix->kind == TermKind::IxConst && ix->number == 0 && facts.provenEqual(t.dims[i], 1))
      continue;
    while (next < d.vars.size() && d.vars[next] != ix)
      ++next;
    if (next == d.vars.size() || !facts.provenEqual(t.dims[i], d.type.dims[next]))
      return false;
    ++next;
  }
  return true;
}

static const Node *throughCasts(const Node *n) {
  while (n->kind == TermKind::VCast || n->kind == TermKind::VDetach)
    n = n->args[0];
  return n;
}

static std::set<const Node *> parallelIndices(const Def &d, const Node *read) {
  std::set<const Node *> used;
  for (const Node *a : read->args)
    walk(a, [&](const Node *n) {
      if (std::find(d.vars.begin(), d.vars.end(), n) != d.vars.end())
        used.insert(n);
    });
  return used;
}

/// A factor of a contraction: one read, possibly cast, possibly shifted by a term without own reads
/// of variables (a quantized operand minus its zero point).
static const Node *factorRead(const Node *n) {
  n = throughCasts(n);
  if (n->kind == TermKind::VApply && n->fn == FnId::Sub)
    n = throughCasts(n->args[0]);
  return n->kind == TermKind::VRead ? n : nullptr;
}

static bool isContraction(const Def &d) {
  const Node *sum = d.body;
  if (sum->kind != TermKind::VReduce || sum->red != Red::Sum)
    return false;
  const Node *mul = throughCasts(sum->args[1]);
  if (mul->kind != TermKind::VApply || mul->fn != FnId::Mul)
    return false;
  const Node *a = factorRead(mul->args[0]), *b = factorRead(mul->args[1]);
  if (!a || !b)
    return false;
  auto x = parallelIndices(d, a), y = parallelIndices(d, b);
  bool onlyA = std::any_of(x.begin(), x.end(), [&](const Node *v) { return !y.count(v); });
  bool onlyB = std::any_of(y.begin(), y.end(), [&](const Node *v) { return !x.count(v); });
  return onlyA && onlyB;
}

DefClass classify(const Program &p, const Def &d, const DimFacts &facts) {
  if (d.host)
    return DefClass::Host;
  bool folds = false, plain = true;
  walk(d.body, [&](const Node *n) {
    folds |= n->kind == TermKind::VReduce || n->kind == TermKind::VBest;
    if (n->kind == TermKind::VRead)
      plain = plain && isPlainRead(p, d, n, facts);
    plain = plain && n->kind != TermKind::IxRead;
  });
  if (folds)
    return isContraction(d) ? DefClass::Contraction : DefClass::Reduction;
  return plain ? DefClass::Elementwise : DefClass::Reindex;
}

} // namespace imbrex::opmeaning
