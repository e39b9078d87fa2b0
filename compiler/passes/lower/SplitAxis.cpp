#include "compiler/passes/lower/SplitAxis.h"

#include "compiler/passes/lower/Compose.h"
#include "compiler/passes/lower/ContractionParts.h"
#include "compiler/passes/lower/IndexForm.h"

#include <algorithm>

namespace imbrex::lower {

using namespace opmeaning;

/// So many are unrolled.
static constexpr int64_t kMostParts = 8;
/// A shorter rest is no vector.
static constexpr int64_t kLeastRest = 16;

/// The largest number by which `body` divides `var`, if all others divide it; else 1.
static int64_t divisorOf(IndexForm &form, const Node *body, const Node *var) {
  std::vector<int64_t> divisors;
  walk(body, [&](const Node *n) {
    if ((n->kind == TermKind::IxFloorDiv || n->kind == TermKind::IxMod) &&
        form.simplify(n->args[0]) == var)
      divisors.push_back(n->dim.constant().value_or(0));
  });
  if (divisors.empty())
    return 1;
  const int64_t most = *std::max_element(divisors.begin(), divisors.end());
  const bool all = std::all_of(divisors.begin(), divisors.end(),
                               [&](int64_t d) { return d > 0 && most % d == 0; });
  return all && most <= kMostParts ? most : 1;
}

std::optional<Def> splitLastAxis(Program &p, const Def &d, const DimFacts &facts) {
  if (d.host || d.vars.empty())
    return std::nullopt;
  bool sums = false;
  walk(d.body, [&](const Node *n) {
    sums |=
        n->kind == TermKind::VReduce || n->kind == TermKind::VBest || n->kind == TermKind::IxPlace;
  });
  if (sums)
    return std::nullopt;
  IndexForm form(p, facts);
  form.bind(d.vars, d.type.dims);
  const Node *var = d.vars.back(), *body = form.simplifyScalar(d.body);
  const int64_t parts = divisorOf(form, body, var);
  const DimExpr rest = floorDiv(d.type.dims.back(), DimExpr(parts));
  if (parts == 1 || rest * DimExpr(parts) != d.type.dims.back() ||
      rest.constant().value_or(kLeastRest) < kLeastRest)
    return std::nullopt;
  Def split = d;
  Terms t{p};
  split.vars.back() = p.variable();
  split.vars.push_back(p.variable());
  split.type.dims.back() = rest;
  split.type.dims.push_back(parts);
  const Node *place = t.add(t.mul(split.vars[split.vars.size() - 2], parts), split.vars.back());
  split.body =
      rewriteTerm(p, body, {{var, place}}, [&](const Node *r, std::vector<const Node *> at) {
        Node copy = *r;
        copy.args = std::move(at);
        return p.intern(std::move(copy));
      });
  return split;
}

} // namespace imbrex::lower
