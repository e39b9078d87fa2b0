// Definitions, requirements, scopes and reductions of the Builder. Operators over terms are in
// BuilderTerms.cpp, scalars and reads in BuilderScalars.cpp.
#include "support/opmeaning/Builder.h"

#include "support/opmeaning/IndexProof.h"

#include <algorithm>

namespace imbrex::opmeaning {

Builder::Builder(std::vector<Operand> operands, DimFacts facts) : known(std::move(facts)) {
  prog.operands = std::move(operands);
}

size_t Builder::operandCount() const { return prog.operands.size(); }

std::optional<Tensor> Builder::in(size_t i) const {
  if (i >= prog.operands.size() || !prog.operands[i].present)
    return std::nullopt;
  const TensorType &t = prog.operands[i].type;
  return Tensor{t.type,
                t.dims,
                {Source::Kind::Operand, static_cast<uint32_t>(i)},
                const_cast<Builder *>(this)};
}

const HostTensor *Builder::constant(size_t i) const {
  if (i >= prog.operands.size() || !prog.operands[i].present || !prog.operands[i].constant)
    return nullptr;
  return &*prog.operands[i].constant;
}

std::optional<std::vector<Dim>> Builder::named(Source source) const {
  if (source.kind != Source::Kind::Operand)
    return std::nullopt;
  const Operand &o = prog.operands[source.index];
  auto elems = o.type.dims.empty() ? std::optional<int64_t>(1) : o.type.dims[0].constant();
  if (!o.sizes || o.type.dims.size() > 1 || elems != static_cast<int64_t>(o.sizes->size()))
    return std::nullopt;
  return o.sizes;
}

void Builder::fail(std::string why) {
  if (failure.empty())
    failure = why.empty() ? "the operands do not fit" : std::move(why);
}

// Scopes.

std::vector<Ix> Builder::enter(const std::vector<Dim> &extents) {
  std::vector<Ix> axes;
  for (const Dim &d : extents) {
    scopeVars.push_back(prog.variable());
    scopeExtents.push_back(d);
    axes.emplace_back(scopeVars.back(), this);
  }
  return axes;
}

void Builder::leave(size_t count) {
  scopeVars.resize(scopeVars.size() - count);
  scopeExtents.resize(scopeExtents.size() - count);
}

/// Runs `term` with `guard` on the path.
const Node *Builder::under(const Node *guard, const std::function<const Node *()> &term) {
  if (guard->kind == TermKind::PTrue)
    return term();
  path.push_back(guard);
  const Node *n = term();
  path.pop_back();
  return n;
}

/// guard, where the guards of the path hold: not path or guard.
const Node *Builder::underPath(const Node *guard) {
  for (size_t i = path.size(); i-- > 0;) {
    const Node *p = path[i];
    const Node *no =
        p->kind == TermKind::PNot ? p->args[0] : prog.intern({.kind = TermKind::PNot, .args = {p}});
    guard = prog.intern({.kind = TermKind::POr, .args = {no, guard}});
  }
  return guard;
}

std::optional<bool> Builder::decide(const Node *guard) const {
  return IndexProof(known, scopeVars, scopeExtents).decide(guard);
}

// Interning.

const Node *Builder::node(const Ix &i) {
  if (i.form == Ix::Form::Node)
    return i.n;
  Dim d = i.form == Ix::Form::Literal ? Dim(i.literal) : i.dim;
  if (!d.valid())
    fail("a size does not fit in 64 bits");
  if (auto c = d.constant())
    return prog.intern({.kind = TermKind::IxConst, .number = *c});
  return prog.intern({.kind = TermKind::IxDim, .dim = d});
}

const Node *Builder::guardNode(Cmp cmp, const Ix &a, const Ix &b) {
  const Node *n = prog.intern({.kind = TermKind::PCmp, .args = {node(a), node(b)}, .cmp = cmp});
  auto truth = decide(n);
  if (!truth)
    return n;
  const Node *yes = prog.intern({.kind = TermKind::PTrue});
  return *truth ? yes : prog.intern({.kind = TermKind::PNot, .args = {yes}});
}

static bool isFalse(const Node *n) {
  return n->kind == TermKind::PNot && n->args[0]->kind == TermKind::PTrue;
}

const Node *Builder::node(const Pred &p) {
  if (p.n)
    return p.n;
  if (p.sides)
    return guardNode(p.cmp, p.sides->first, p.sides->second);
  const Node *yes = prog.intern({.kind = TermKind::PTrue});
  const Node *no = prog.intern({.kind = TermKind::PNot, .args = {yes}});
  if (p.join == Pred::Join::None)
    return p.decided ? yes : no;
  bool both = p.join == Pred::Join::All;
  const Node *out = nullptr;
  for (const Pred &q : *p.parts) {
    const Node *n = node(q);
    if (n == (both ? yes : no))
      continue;
    if (n == (both ? no : yes)) {
      // and: nothing after it is reached. The guards before it are total, so the whole is decided.
      return n;
    }
    out = out ? prog.intern({.kind = both ? TermKind::PAnd : TermKind::POr, .args = {out, n}}) : n;
  }
  return out ? out : both ? yes : no;
}

// Requirements.

void Builder::require(const Pred &p, std::string why) {
  if (!p.n && p.join == Pred::Join::All) {
    // One by one, so that each equality is learned.
    for (const Pred &part : *p.parts)
      require(part, why);
    return;
  }
  if (p.sides && path.empty() && p.cmp == Cmp::Eq) {
    const auto &[a, b] = *p.sides;
    if (a.form != Ix::Form::Node && b.form != Ix::Form::Node) {
      Dim x = a.form == Ix::Form::Dim ? a.dim : Dim(a.literal);
      Dim y = b.form == Ix::Form::Dim ? b.dim : Dim(b.literal);
      const Node *n = node(p);
      if (n->kind == TermKind::PTrue)
        return;
      if (isFalse(n) || !known.addEquality(x, y))
        return fail(why + " (" + known.simplify(x).str() + " and " + known.simplify(y).str() + ")");
      prog.requirements.push_back({n, {}, {}, std::move(why)});
      return;
    }
  }
  const Node *n = node(p);
  if (n->kind == TermKind::PTrue)
    return;
  // A false guard that depends on no element fails every call; otherwise only the elements that
  // reach it.
  if (isFalse(n) && path.empty() && scopeVars.empty())
    return fail(std::move(why));
  n = underPath(n);
  if (auto truth = decide(n); truth && *truth)
    return;
  for (const Require &r : prog.requirements)
    if (r.guard == n)
      return;
  if (p.sides && path.empty())
    learn(p);
  prog.requirements.push_back({n, scopeVars, scopeExtents, std::move(why)});
}

/// A required k <= s or k < s bounds the symbol s from now on.
void Builder::learn(const Pred &p) {
  const auto &[a, b] = *p.sides;
  if (a.form != Ix::Form::Literal || b.form != Ix::Form::Dim || a.literal == INT64_MAX)
    return;
  auto symbol = b.dim.asSymbol();
  if (symbol && (p.cmp == Cmp::Le || p.cmp == Cmp::Lt))
    (void)known.add(*symbol, {a.literal + (p.cmp == Cmp::Lt), INT64_MAX, 1});
}

Dim Builder::open(Source source, std::vector<int64_t> at) {
  for (const OpenDim &o : prog.opens)
    if (o.source == source && o.at == at)
      return Dim::symbol(o.symbol);
  // Operand types may carry open sizes of earlier operators.
  auto taken = [&](const std::string &s) {
    for (const OpenDim &o : prog.opens)
      if (o.symbol == s)
        return true;
    for (const Operand &o : prog.operands)
      for (const Dim &d : o.type.dims)
        for (const std::string &used : d.symbols())
          if (used == s)
            return true;
    return false;
  };
  size_t i = prog.opens.size();
  while (taken("$" + std::to_string(i)))
    ++i;
  prog.opens.push_back({"$" + std::to_string(i), source, std::move(at)});
  return Dim::symbol(prog.opens.back().symbol);
}

// Definitions.

Tensor Builder::define(std::string name, DType type, std::vector<Dim> dims, const Fn<Val> &body) {
  for (Dim &d : dims) {
    if (!d.valid()) {
      fail("a size of '" + name + "' does not fit in 64 bits");
      d = 0;
    }
    d = known.simplify(d);
    require(le(0, Ix(d)), "a size of '" + name + "' is negative: " + d.str());
    if (auto c = d.constant(); c && *c < 0)
      d = 0;
  }
  std::vector<Ix> axes = enter(dims);
  Val v = body(axes);
  std::vector<const Node *> vars(scopeVars.end() - static_cast<ptrdiff_t>(dims.size()),
                                 scopeVars.end());
  leave(dims.size());
  if (v.type != type)
    fail("'" + name + "' is declared " + std::string(imbrex::name(type)) + " but computes " +
         std::string(imbrex::name(v.type)));
  auto index = static_cast<uint32_t>(prog.defs.size());
  prog.defs.push_back({std::move(name), {type, dims}, std::move(vars), v.n, false});
  return {type, std::move(dims), {Source::Kind::Def, index}, this};
}

Tensor Builder::def(std::string name, DType type, std::vector<Dim> dims, const Fn<Val> &body) {
  return define(std::move(name), type, std::move(dims), body);
}

Tensor Builder::shapeDef(std::string name, DType type, std::vector<Dim> dims, const Fn<Val> &body) {
  if (dims.size() > 1 || (dims.size() == 1 && !dims[0].constant()))
    fail("'" + name + "' runs on the host and needs rank 0 or 1 with a literal size");
  Tensor t = define(std::move(name), type, std::move(dims), body);
  prog.defs[t.source.index].host = true;
  return t;
}

Node Builder::fold(const std::vector<Dim> &extents, const Fn<Pred> &where, const Fn<Val> &body,
                   TermKind kind) {
  std::vector<Dim> sizes;
  for (const Dim &d : extents) {
    sizes.push_back(known.simplify(d));
    if (!sizes.back().valid()) {
      fail("the size of a reduction does not fit in 64 bits");
      sizes.back() = 0;
    }
  }
  std::vector<Ix> axes = enter(sizes);
  const Node *guard = where ? node(where(axes)) : prog.intern({.kind = TermKind::PTrue});
  DType type = DType::Invalid;
  const Node *term = under(guard, [&] {
    Val v = body(axes);
    type = v.type;
    return v.n;
  });
  Node n{.kind = kind, .type = type, .args = {guard, term}};
  n.vars.assign(scopeVars.end() - static_cast<ptrdiff_t>(sizes.size()), scopeVars.end());
  n.extents = sizes;
  leave(sizes.size());
  return n;
}

Val Builder::reduce(Red red, DType accumulator, std::vector<Dim> extents, const Fn<Pred> &where,
                    const Fn<Val> &body) {
  Node n = fold(extents, where, body, TermKind::VReduce);
  n.red = red;
  n.accumulator = accumulator;
  DType type = n.type;
  bool logical = red == Red::And || red == Red::Or;
  if (logical != (type == DType::Bool))
    fail(logical ? "and/or reduce bool only" : "bool is reduced by and/or only");
  return {prog.intern(std::move(n)), this, type};
}

Builder::BestOf Builder::best(Best best, Tie tie, std::vector<Dim> extents, const Fn<Pred> &where,
                              const Fn<Val> &body) {
  Node n = fold(extents, where, body, TermKind::VBest);
  n.best = best;
  n.tie = tie;
  n.accumulator = n.type;
  DType type = n.type;
  const Node *value = prog.intern(std::move(n));
  const Node *place = prog.intern({.kind = TermKind::IxPlace, .args = {value}});
  return {{value, this, type}, {place, this}};
}

// Broadcasting.

/// DimExpr's function, which the member of that name hides.
static Dim broadcastOf(const Dim &a, const Dim &b) { return broadcast(a, b); }

/// Every size that broadcasts to `a` broadcasts to `whole`, too.
static bool isPartOf(const Dim &a, const Dim &whole, const DimFacts &facts) {
  const auto parts = whole.broadcastParts();
  return std::ranges::all_of(a.broadcastParts(), [&](const Dim &p) {
    return std::ranges::any_of(parts, [&](const Dim &q) { return facts.provenEqual(p, q); });
  });
}

Dim Builder::broadcast(const Dim &a, const Dim &b, std::string_view what) {
  if (known.provenEqual(b, 1) || isPartOf(b, a, known))
    return a;
  if (known.provenEqual(a, 1) || isPartOf(a, b, known))
    return b;
  const std::string why = std::string(what) + " do not broadcast";
  const bool aIsMany = known.provenUnequal(a, 1), bIsMany = known.provenUnequal(b, 1);
  if (aIsMany && bIsMany && known.provenUnequal(a, b)) {
    fail(why + " (" + a.str() + " and " + b.str() + ")");
    return a;
  }
  if (aIsMany || bIsMany) { // not 1, so it is the result
    requireBroadcast(aIsMany ? b : a, aIsMany ? a : b, why);
    return aIsMany ? a : b;
  }
  require(any({eq(Ix(a), Ix(b)), eq(Ix(a), Ix(1)), eq(Ix(b), Ix(1))}), why);
  return broadcastOf(a, b);
}

void Builder::requireBroadcast(const Dim &a, const Dim &whole, std::string why) {
  if (known.provenEqual(a, 1) || isPartOf(a, whole, known))
    return;
  if (known.provenUnequal(a, 1))
    require(eq(Ix(a), Ix(whole)), std::move(why));
  else if (known.provenUnequal(a, whole))
    require(eq(Ix(a), Ix(1)), std::move(why));
  else
    require(any({eq(Ix(a), Ix(whole)), eq(Ix(a), Ix(1))}), std::move(why));
}

Ix Builder::broadcastIndex(const Ix &i, const Dim &a) {
  if (known.provenEqual(a, 1))
    return Ix(0);
  if (known.provenUnequal(a, 1))
    return i;
  for (size_t k = 0; k < scopeVars.size(); ++k)
    if (scopeVars[k] == i.n && known.provenEqual(a, scopeExtents[k]))
      return i;
  return select(eq(Ix(a), Ix(1)), [] { return Ix(0); }, [&] { return i; });
}

Result<Program> Builder::finish(std::vector<Tensor> outputs) {
  for (Tensor &t : outputs) {
    if (t.source.kind == Source::Kind::Operand)
      t = def("y", t.type, t.dims, [&, t](Axes i) { return t({i.begin(), i.end()}); });
    prog.outputs.push_back(t.source.index);
  }
  if (!failure.empty())
    return badInput(520, failure);
  normalize(prog);
  if (auto s = verify(prog, known); !s)
    return s.takeError();
  return std::move(prog);
}

DType accumulatorFor(DType t) { return t == DType::F16 || t == DType::BF16 ? DType::F32 : t; }

} // namespace imbrex::opmeaning
