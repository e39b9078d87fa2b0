#include "compiler/passes/lower/ContractionParts.h"

#include <algorithm>
#include <unordered_set>

namespace imbrex::lower {

using namespace opmeaning;

namespace {

using VarSet = std::unordered_set<const Node *>;

VarSet variablesOf(const Node *root) {
  VarSet vars;
  walk(root, [&](const Node *n) {
    if (n->kind == TermKind::IxVar)
      vars.insert(n);
  });
  return vars;
}

bool within(const VarSet &small, const VarSet &large) {
  return std::all_of(small.begin(), small.end(), [&](const Node *v) { return large.count(v); });
}

/// From the last axis backwards: those of the right side alone, then those of the left side alone.
void sortAxes(const Def &d, const VarSet &left, const VarSet &right, ContractionParts &parts) {
  size_t end = d.vars.size();
  auto take = [&](const VarSet &mine, const VarSet &theirs, std::vector<Axis> &into) {
    while (end > 0 && mine.count(d.vars[end - 1]) && !theirs.count(d.vars[end - 1])) {
      into.insert(into.begin(), {d.vars[end - 1], d.type.dims[end - 1]});
      --end;
    }
  };
  take(right, left, parts.columns);
  take(left, right, parts.rows);
  for (size_t i = 0; i < end; ++i) {
    parts.outer.push_back({d.vars[i], d.type.dims[i]});
    if (left.count(d.vars[i]))
      parts.outerOfLeft.push_back(i);
    if (right.count(d.vars[i]))
      parts.outerOfRight.push_back(i);
  }
}

} // namespace

void conjuncts(const Node *g, std::vector<const Node *> &out) {
  if (g->kind == TermKind::PAnd) {
    conjuncts(g->args[0], out);
    conjuncts(g->args[1], out);
  } else if (g->kind != TermKind::PTrue) {
    out.push_back(g);
  }
}

std::optional<ContractionParts> contractionParts(Program &p, const Def &d) {
  const Node *sum = d.body;
  if (sum->kind != TermKind::VReduce || sum->red != Red::Sum || (sum->accumulator != DType::F32) ||
      sum->vars.empty())
    return std::nullopt;
  const Node *product = sum->args[1];
  if (product->kind != TermKind::VApply || product->fn != FnId::Mul || product->type != DType::F32)
    return std::nullopt;
  ContractionParts parts{
      product->args[0], product->args[1], nullptr, nullptr, {}, {}, {}, {}, {}, {}};
  VarSet left = variablesOf(parts.left), right = variablesOf(parts.right);
  std::vector<const Node *> guards;
  conjuncts(sum->args[0], guards);
  for (const Node *g : guards) {
    VarSet vars = variablesOf(g);
    const Node **slot = within(vars, left)    ? &parts.leftGuard
                        : within(vars, right) ? &parts.rightGuard
                                              : nullptr;
    if (!slot)
      return std::nullopt;
    Node both{.kind = TermKind::PAnd};
    both.args = {*slot, g};
    *slot = *slot ? p.intern(std::move(both)) : g;
  }
  for (size_t i = 0; i < sum->vars.size(); ++i)
    parts.reduced.push_back({sum->vars[i], sum->extents[i]});
  // The vectors run along the output's last index, so that stores are contiguous.
  if (!d.vars.empty() && left.count(d.vars.back()) && !right.count(d.vars.back())) {
    std::swap(left, right);
    std::swap(parts.left, parts.right);
    std::swap(parts.leftGuard, parts.rightGuard);
  }
  sortAxes(d, left, right, parts);
  return parts;
}

DimExpr extentOf(const std::vector<Axis> &axes) {
  DimExpr total = 1;
  for (const Axis &a : axes)
    total = total * a.extent;
  return total;
}

const Axis *axisOf(const std::vector<Axis> &axes, const Node *var) {
  auto it = std::find_if(axes.begin(), axes.end(), [&](const Axis &a) { return a.var == var; });
  return it == axes.end() ? nullptr : &*it;
}

std::string whyPlainLoop(const ContractionParts &parts) {
  auto m = extentOf(parts.rows).constant(), n = extentOf(parts.columns).constant(),
       k = extentOf(parts.reduced).constant();
  if (m && *m < 4)
    return "it has " + std::to_string(*m) + " rows";
  if (n && *n < 8)
    return "it has " + std::to_string(*n) + " columns";
  if (k && *k < 4)
    return "it sums " + std::to_string(*k) + " terms";
  if (m && n && k && *m * *n * *k < 8192)
    return "it is small";
  // A convolution that is transposed over three open axes has 27; nothing is proven of so many.
  constexpr size_t kMaxTerms = 16;
  for (const DimExpr &size :
       {extentOf(parts.rows), extentOf(parts.columns), extentOf(parts.reduced)})
    if (size.terms().size() > kMaxTerms)
      return "a size of it is a formula of " + std::to_string(size.terms().size()) + " terms";
  return {};
}

static bool collect(const Node *n, int64_t by, AffineIndex &into) {
  switch (n->kind) {
  case TermKind::IxConst:
    into.constant += by * n->number;
    return true;
  case TermKind::IxVar:
    for (auto &[var, c] : into.parts)
      if (var == n) {
        c += by;
        return true;
      }
    into.parts.emplace_back(n, by);
    return true;
  case TermKind::IxAdd:
    return collect(n->args[0], by, into) && collect(n->args[1], by, into);
  case TermKind::IxMul:
    return n->dim.constant() && collect(n->args[0], by * *n->dim.constant(), into);
  default:
    return false;
  }
}

std::optional<AffineIndex> affineOf(const Node *index) {
  AffineIndex found;
  if (!collect(index, 1, found))
    return std::nullopt;
  return found;
}

std::optional<Slide> slideOf(const Node *index, const Node *place, const Node *tap) {
  auto at = affineOf(index);
  if (!at || at->constant < 0 || at->parts.size() != 2)
    return std::nullopt;
  Slide s{at->constant, 0};
  for (const auto &[var, by] : at->parts) {
    if (var == place && (by == 1 || by == 2))
      s.stride = by;
    else if (var != tap || by != 1)
      return std::nullopt;
  }
  return s.stride ? std::optional(s) : std::nullopt;
}

//===-- Terms -----------------------------------------------------------------===//

const Node *Terms::make(TermKind k, std::vector<const Node *> args, const DimExpr &dim) {
  Node n{.kind = k};
  n.args = std::move(args);
  n.dim = dim;
  return p.intern(std::move(n));
}

const Node *Terms::size(const DimExpr &d) {
  if (auto c = d.constant()) {
    Node n{.kind = TermKind::IxConst};
    n.number = *c;
    return p.intern(std::move(n));
  }
  return make(TermKind::IxDim, {}, d);
}

const Node *Terms::less(const Node *a, const DimExpr &d) {
  Node n{.kind = TermKind::PCmp};
  n.cmp = Cmp::Lt;
  n.args = {a, size(d)};
  return p.intern(std::move(n));
}

void Terms::unflatten(const Node *flat, const std::vector<Axis> &axes,
                      std::unordered_map<const Node *, const Node *> &into) {
  DimExpr stride = 1;
  for (size_t i = axes.size(); i-- > 0;) {
    const Node *digit = stride.isConstant(1) ? flat : div(flat, stride);
    // The first digit needs no mod: flat is below the product where it is used.
    into[axes[i].var] = i == 0 ? digit : mod(digit, axes[i].extent);
    stride = stride * axes[i].extent;
  }
}

const Node *Terms::flatten(const std::vector<Axis> &axes,
                           const std::unordered_map<const Node *, const Node *> &vars) {
  const Node *flat = size(0);
  for (const Axis &a : axes)
    flat = add(mul(flat, a.extent), vars.at(a.var));
  return flat;
}

const Node *Terms::read(uint32_t def, DType type, std::vector<const Node *> at) {
  Node n{.kind = TermKind::VRead};
  n.type = type;
  n.source = {Source::Kind::Def, def};
  n.args = std::move(at);
  return p.intern(std::move(n));
}

const Node *Terms::castTo(const Node *value, DType type) {
  if (value->type == type)
    return value;
  Node cast{.kind = TermKind::VCast};
  cast.type = type;
  cast.args = {value};
  return p.intern(std::move(cast));
}

const Node *Terms::select(const Node *condition, const Node *value) {
  Node zero{.kind = TermKind::VConst};
  zero.type = DType::F32;
  Node select{.kind = TermKind::VSelect};
  select.type = DType::F32;
  select.args = {condition, value, p.intern(std::move(zero))};
  return p.intern(std::move(select));
}

const Node *Terms::sum(std::vector<const Node *> vars, std::vector<DimExpr> extents, const Node *x,
                       const Node *y) {
  Node mul{.kind = TermKind::VApply};
  mul.type = DType::F32;
  mul.fn = FnId::Mul;
  mul.args = {x, y};
  Node sum{.kind = TermKind::VReduce};
  sum.type = sum.accumulator = DType::F32;
  sum.red = Red::Sum;
  sum.vars = std::move(vars);
  sum.extents = std::move(extents);
  sum.args = {make(TermKind::PTrue, {}), p.intern(std::move(mul))};
  return p.intern(std::move(sum));
}

} // namespace imbrex::lower
