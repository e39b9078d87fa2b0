#include "compiler/passes/lower/PackContraction.h"

#include "compiler/passes/lower/Compose.h"

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

struct Axis {
  const Node *var;
  DimExpr extent;
};

/// A contraction taken apart: which index belongs to which operand.
struct Parts {
  const Node *left, *right;           // X and Y with their guards
  const Node *leftGuard, *rightGuard; // may be null
  std::vector<Axis> batch, rows, columns, reduced;
};

/// The conjuncts of a guard, left to right.
void conjuncts(const Node *g, std::vector<const Node *> &out) {
  if (g->kind == TermKind::PAnd) {
    conjuncts(g->args[0], out);
    conjuncts(g->args[1], out);
  } else if (g->kind != TermKind::PTrue) {
    out.push_back(g);
  }
}

bool within(const VarSet &small, const VarSet &large) {
  return std::all_of(small.begin(), small.end(), [&](const Node *v) { return large.count(v); });
}

std::optional<Parts> takeApart(Program &p, const Def &d) {
  const Node *sum = d.body;
  if (sum->kind != TermKind::VReduce || sum->red != Red::Sum || (sum->accumulator != DType::F32) ||
      sum->vars.empty())
    return std::nullopt;
  const Node *product = sum->args[1];
  if (product->kind != TermKind::VApply || product->fn != FnId::Mul || product->type != DType::F32)
    return std::nullopt;

  Parts parts{product->args[0], product->args[1], nullptr, nullptr, {}, {}, {}, {}};
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
  for (size_t i = 0; i < d.vars.size(); ++i) {
    bool inLeft = left.count(d.vars[i]), inRight = right.count(d.vars[i]);
    auto &kind = inLeft == inRight ? parts.batch : inLeft ? parts.rows : parts.columns;
    kind.push_back({d.vars[i], d.type.dims[i]});
  }
  for (size_t i = 0; i < sum->vars.size(); ++i)
    parts.reduced.push_back({sum->vars[i], sum->extents[i]});
  // The vectors run along the output's last index, so that stores are contiguous.
  if (!parts.rows.empty() && parts.rows.back().var == d.vars.back()) {
    std::swap(parts.rows, parts.columns);
    std::swap(parts.left, parts.right);
    std::swap(parts.leftGuard, parts.rightGuard);
  }
  return parts;
}

DimExpr product(const std::vector<Axis> &axes) {
  DimExpr total = 1;
  for (const Axis &a : axes)
    total = total * a.extent;
  return total;
}

/// Why a plain loop is better than packing; empty when it is not. Unknown sizes are taken for
/// large.
std::string whyNot(const Parts &parts) {
  auto m = product(parts.rows).constant(), n = product(parts.columns).constant(),
       k = product(parts.reduced).constant();
  if (m && *m < 4)
    return "it has " + std::to_string(*m) + " rows";
  if (n && *n < 8)
    return "it has " + std::to_string(*n) + " columns";
  if (k && *k < 4)
    return "it sums " + std::to_string(*k) + " terms";
  if (m && n && k && *m * *n * *k < 8192)
    return "it is small";
  return {};
}

/// Small term-building helpers over one Program.
struct Terms {
  Program &p;
  const Node *make(TermKind k, std::vector<const Node *> args, const DimExpr &dim = 0) {
    Node n{.kind = k};
    n.args = std::move(args);
    n.dim = dim;
    return p.intern(std::move(n));
  }
  const Node *size(const DimExpr &d) {
    if (auto c = d.constant()) {
      Node n{.kind = TermKind::IxConst};
      n.number = *c;
      return p.intern(std::move(n));
    }
    return make(TermKind::IxDim, {}, d);
  }
  const Node *add(const Node *a, const Node *b) { return make(TermKind::IxAdd, {a, b}); }
  const Node *mul(const Node *a, const DimExpr &d) { return make(TermKind::IxMul, {a}, d); }
  const Node *less(const Node *a, const DimExpr &d) {
    Node n{.kind = TermKind::PCmp};
    n.cmp = Cmp::Lt;
    n.args = {a, size(d)};
    return p.intern(std::move(n));
  }
  const Node *both(const Node *a, const Node *b) {
    return !a ? b : !b ? a : make(TermKind::PAnd, {a, b});
  }
  /// Substitution of each axis's variable so that together they walk `flat` in row-major order.
  void unflatten(const Node *flat, const std::vector<Axis> &axes,
                 std::unordered_map<const Node *, const Node *> &into) {
    DimExpr stride = 1;
    for (size_t i = axes.size(); i-- > 0;) {
      const Node *digit = stride.isConstant(1) ? flat : make(TermKind::IxFloorDiv, {flat}, stride);
      // The first digit needs no mod: flat is below the product where it is used.
      into[axes[i].var] = i == 0 ? digit : make(TermKind::IxMod, {digit}, axes[i].extent);
      stride = stride * axes[i].extent;
    }
  }
  const Node *flatten(const std::vector<Axis> &axes,
                      const std::unordered_map<const Node *, const Node *> &vars) {
    const Node *flat = size(0);
    for (const Axis &a : axes)
      flat = add(mul(flat, a.extent), vars.at(a.var));
    return flat;
  }
  const Node *read(uint32_t def, DType type, std::vector<const Node *> at) {
    Node n{.kind = TermKind::VRead};
    n.type = type;
    n.source = {Source::Kind::Def, def};
    n.args = std::move(at);
    return p.intern(std::move(n));
  }
};

/// name[batch…, outer, k, inner] = outer*tile + inner < flat size and guard ? term : 0
Def packed(Program &p, std::string name, const Parts &parts, const std::vector<Axis> &flat,
           int64_t tile, const Node *term, const Node *guard) {
  Terms t{p};
  Def d;
  d.name = std::move(name);
  d.type.type = DType::F32;
  std::unordered_map<const Node *, const Node *> vars;
  auto addVar = [&](const DimExpr &extent) {
    d.vars.push_back(p.variable());
    d.type.dims.push_back(extent);
    return d.vars.back();
  };
  for (const Axis &b : parts.batch)
    vars[b.var] = addVar(b.extent);
  DimExpr size = product(flat);
  const Node *outer = addVar(ceilDiv(size, tile));
  const Node *k = addVar(product(parts.reduced));
  const Node *inner = addVar(tile);
  const Node *place = t.add(t.mul(outer, tile), inner);
  t.unflatten(place, flat, vars);
  t.unflatten(k, parts.reduced, vars);
  auto keep = [&](const Node *r, std::vector<const Node *> at) {
    Node copy = *r;
    copy.args = std::move(at);
    return p.intern(std::move(copy));
  };
  const Node *value = rewriteTerm(p, term, vars, keep);
  if (value->type != DType::F32) {
    Node cast{.kind = TermKind::VCast};
    cast.type = DType::F32;
    cast.args = {value};
    value = p.intern(std::move(cast));
  }
  const Node *inside = t.less(place, size);
  if (guard)
    inside = t.both(inside, rewriteTerm(p, guard, vars, keep));
  Node zero{.kind = TermKind::VConst};
  zero.type = DType::F32;
  Node select{.kind = TermKind::VSelect};
  select.type = DType::F32;
  select.args = {inside, value, p.intern(std::move(zero))};
  d.body = p.intern(std::move(select));
  return d;
}

} // namespace

bool isPackedProduct(const Program &p, const Def &d) {
  const size_t rank = d.vars.size();
  if (d.body->kind != TermKind::VReduce || d.body->red != Red::Sum || d.body->vars.size() != 1 ||
      rank < 4 || d.body->args[0]->kind != TermKind::PTrue ||
      !d.type.dims[rank - 3].isConstant(PackedTile::rows) ||
      !d.type.dims[rank - 1].isConstant(PackedTile::columns))
    return false;
  const Node *mul = d.body->args[1];
  if (mul->kind != TermKind::VApply || mul->fn != FnId::Mul)
    return false;
  // The panels' strides are computed from the product's extents, so the operands must have exactly
  // these.
  auto panels = [&](const Node *n, size_t outer, size_t inner) {
    std::vector<DimExpr> expected(d.type.dims.begin(), d.type.dims.end() - 4);
    expected.insert(expected.end(), {d.type.dims[outer], d.body->extents[0], d.type.dims[inner]});
    return p.typeOf(n->source).dims == expected;
  };
  auto reads = [&](const Node *n, size_t outer, size_t inner) {
    if (n->kind != TermKind::VRead || n->type != DType::F32 || n->args.size() != rank - 1)
      return false;
    for (size_t i = 0; i + 4 < rank; ++i)
      if (n->args[i] != d.vars[i])
        return false;
    return n->args[rank - 4] == d.vars[outer] && n->args[rank - 3] == d.body->vars[0] &&
           n->args[rank - 2] == d.vars[inner] && panels(n, outer, inner);
  };
  return reads(mul->args[0], rank - 4, rank - 3) && reads(mul->args[1], rank - 2, rank - 1);
}

void packContractions(Program &p, const DimFacts &facts, std::vector<std::string> &remarks) {
  std::vector<Def> out;
  std::vector<uint32_t> place(p.defs.size());
  auto moved = [&](const Node *r, std::vector<const Node *> at) {
    Node copy = *r;
    copy.args = std::move(at);
    if (r->source.kind == Source::Kind::Def)
      copy.source.index = place[r->source.index];
    return p.intern(std::move(copy));
  };
  Terms t{p};
  for (size_t i = 0; i < p.defs.size(); ++i) {
    Def d = p.defs[i];
    d.body = rewriteTerm(p, d.body, {}, moved);
    auto parts = takeApart(p, d);
    std::string reason = parts ? whyNot(*parts) : "";
    if (!reason.empty())
      remarks.push_back("the contraction '" + d.name + "' runs as a plain loop nest: " + reason);
    if (!parts || !reason.empty()) {
      place[i] = static_cast<uint32_t>(out.size());
      out.push_back(std::move(d));
      continue;
    }
    constexpr int64_t MR = PackedTile::rows, NR = PackedTile::columns;
    const auto a = static_cast<uint32_t>(out.size()), b = a + 1, tile = a + 2;
    out.push_back(
        packed(p, d.name + ".rows", *parts, parts->rows, MR, parts->left, parts->leftGuard));
    out.push_back(packed(p, d.name + ".columns", *parts, parts->columns, NR, parts->right,
                         parts->rightGuard));

    // t[batch…, mo, mi, no, ni] = sum(k) a[batch…, mo, k, mi] * b[batch…, no, k, ni]
    Def prod;
    prod.name = d.name + ".product";
    prod.type.type = DType::F32;
    std::vector<const Node *> batch;
    auto addVar = [&](const DimExpr &extent) {
      prod.vars.push_back(p.variable());
      prod.type.dims.push_back(extent);
      return prod.vars.back();
    };
    for (const Axis &x : parts->batch)
      batch.push_back(addVar(x.extent));
    const Node *mo = addVar(ceilDiv(product(parts->rows), MR)), *mi = addVar(MR);
    const Node *no = addVar(ceilDiv(product(parts->columns), NR)), *ni = addVar(NR);
    Node sum = *d.body;
    const Node *k = p.variable();
    sum.vars = {k};
    sum.extents = {product(parts->reduced)};
    sum.type = sum.accumulator = DType::F32;
    auto at = [&](const Node *outer, const Node *inner) {
      std::vector<const Node *> place = batch;
      place.insert(place.end(), {outer, k, inner});
      return place;
    };
    Node mul{.kind = TermKind::VApply};
    mul.type = DType::F32;
    mul.fn = FnId::Mul;
    mul.args = {t.read(a, DType::F32, at(mo, mi)), t.read(b, DType::F32, at(no, ni))};
    sum.args = {t.make(TermKind::PTrue, {}), p.intern(std::move(mul))};
    prod.body = p.intern(std::move(sum));
    out.push_back(std::move(prod));

    // The definition itself reads its tile.
    std::unordered_map<const Node *, const Node *> self;
    for (const Node *v : d.vars)
      self[v] = v;
    const Node *m = t.flatten(parts->rows, self), *n = t.flatten(parts->columns, self);
    std::vector<const Node *> where;
    for (const Axis &x : parts->batch)
      where.push_back(x.var);
    where.insert(where.end(),
                 {t.make(TermKind::IxFloorDiv, {m}, MR), t.make(TermKind::IxMod, {m}, MR),
                  t.make(TermKind::IxFloorDiv, {n}, NR), t.make(TermKind::IxMod, {n}, NR)});
    d.body = t.read(tile, DType::F32, where);
    if (d.type.type != DType::F32) {
      Node cast{.kind = TermKind::VCast};
      cast.type = d.type.type;
      cast.args = {d.body};
      d.body = p.intern(std::move(cast));
    }
    place[i] = static_cast<uint32_t>(out.size());
    out.push_back(std::move(d));
  }
  p.defs = std::move(out);
  auto fix = [&](Source s) {
    return s.kind == Source::Kind::Def ? Source{s.kind, place[s.index]} : s;
  };
  for (Require &r : p.requirements)
    r.guard = rewriteTerm(p, r.guard, {}, moved);
  for (OpenDim &o : p.opens)
    o.source = fix(o.source);
  for (uint32_t &o : p.outputs)
    o = place[o];
}

} // namespace imbrex::lower
