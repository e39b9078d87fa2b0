// Reads, constants, functions and selects of the Builder.
#include "support/opmeaning/Builder.h"
#include "support/opmeaning/Fold.h"

#include <cmath>

namespace imbrex::opmeaning {

static std::vector<const Node *> nodes(Builder *b, const std::vector<Ix> &at) {
  std::vector<const Node *> out;
  for (const Ix &i : at)
    out.push_back(b->node(i));
  return out;
}

static bool rankFits(const Tensor &t, size_t count) {
  if (t.rank() == count)
    return true;
  t.b->fail("a tensor of rank " + std::to_string(t.rank()) + " is read with " +
            std::to_string(count) + " indices");
  return false;
}

Val Tensor::operator()(std::vector<Ix> at) const {
  if (!rankFits(*this, at.size()))
    return b->constant(0, type);
  Node n{.kind = TermKind::VRead, .type = type, .args = nodes(b, at), .source = source};
  return {b->program().intern(std::move(n)), b, type};
}

/// The flat place of literal indices in a tensor of known sizes, or -1.
static int64_t flatPlace(const HostTensor &t, const std::vector<int64_t> &at) {
  if (at.size() != t.shape().size())
    return -1;
  int64_t flat = 0;
  for (size_t i = 0; i < at.size(); ++i) {
    if (at[i] < 0 || at[i] >= t.shape()[i])
      return -1;
    flat = flat * t.shape()[i] + at[i];
  }
  return flat;
}

Ix Tensor::index(std::vector<Ix> at) const {
  if (!isInteger(type))
    b->fail("an index is read from a tensor of type " + std::string(name(type)));
  if (!rankFits(*this, at.size()))
    return Ix(0);
  std::vector<int64_t> literal;
  for (const Ix &i : at)
    if (const Node *n = b->node(i); n->kind == TermKind::IxConst)
      literal.push_back(n->number);
  if (literal.size() == at.size() && source.kind == Source::Kind::Operand)
    if (const HostTensor *c = b->constant(source.index))
      if (int64_t flat = flatPlace(*c, literal); flat >= 0)
        return Ix(b->node(Ix(c->toInt(flat))), b);
  if (auto named = b->named(source); named && literal.size() == at.size() && at.size() <= 1)
    if (size_t k = at.empty() ? 0 : static_cast<size_t>(literal[0]); k < named->size())
      return Ix(b->node(Ix((*named)[k])), b);
  return {b->program().intern({.kind = TermKind::IxRead, .args = nodes(b, at), .source = source}),
          b};
}

Dim Tensor::value(std::vector<int64_t> at) const {
  if (!isInteger(type)) {
    b->fail("a size is read from a tensor of type " + std::string(name(type)));
    return 0;
  }
  if (!rankFits(*this, at.size()))
    return 0;
  for (size_t i = 0; i < at.size(); ++i)
    if (auto c = dims[i].constant(); at[i] < 0 || (c && at[i] >= *c)) {
      b->fail("element " + std::to_string(at[i]) + " of a tensor with " + dims[i].str() +
              " elements does not exist");
      return 0;
    }
  if (auto named = b->named(source); named && at.size() <= 1)
    return at.empty() ? named->front() : named->at(static_cast<size_t>(at[0]));
  std::optional<HostTensor> folded;
  const HostTensor *c = nullptr;
  if (source.kind == Source::Kind::Operand)
    c = b->constant(source.index);
  else if ((folded = foldConstantDef(b->program(), source.index)))
    c = &*folded;
  if (!c)
    return b->open(source, std::move(at));
  int64_t flat = flatPlace(*c, at);
  return flat < 0 ? Dim(0) : Dim(c->toInt(flat));
}

// Constants.

Val Builder::real(double v, DType type) {
  if (!isFloat(type)) {
    fail("a real constant of type " + std::string(name(type)));
    return integer(0, type);
  }
  return {prog.intern({.kind = TermKind::VConst, .type = type, .real = v}), this, type};
}

Val Builder::integer(int64_t v, DType type) {
  if (isFloat(type))
    return real(static_cast<double>(v), type);
  return {prog.intern({.kind = TermKind::VConst, .type = type, .number = wrapTo(type, v)}), this,
          type};
}

Val Builder::constant(double v, DType type) {
  return isFloat(type) ? real(v, type) : integer(saturateTo(type, std::trunc(v)), type);
}

// Functions.

Val Builder::f(FnId fn, std::initializer_list<Val> args) {
  return f(fn, std::span<const Val>(args.begin(), args.size()));
}

Val Builder::f(FnId fn, std::span<const Val> args) {
  const FnInfo &row = info(fn);
  DType type = args.empty() ? DType::Invalid : args[0].type;
  DType result = row.result == ResultRule::Bool ? DType::Bool : type;
  std::vector<const Node *> nodes;
  bool fits = args.size() == row.arity && accepts(row.operands, type);
  for (const Val &a : args) {
    if (a.type != type)
      fail("'" + std::string(row.name) + "' takes operands of one type, not " +
           std::string(name(type)) + " and " + std::string(name(a.type)));
    nodes.push_back(a.n);
  }
  if (!fits)
    fail("'" + std::string(row.name) + "' does not take operands of type " +
         std::string(name(type)));
  return {
      prog.intern({.kind = TermKind::VApply, .type = result, .args = std::move(nodes), .fn = fn}),
      this, result};
}

Val Builder::bits(const Val &v, DType type) {
  if (v.type == type)
    return v;
  if (byteSize(v.type) != byteSize(type) || v.type == DType::Bool || type == DType::Bool ||
      isReference(v.type) || isReference(type))
    fail("the bits of " + std::string(name(v.type)) + " are no " + std::string(name(type)));
  return {prog.intern({.kind = TermKind::VBits, .type = type, .args = {v.n}}), this, type};
}

Val Builder::cast(const Val &v, DType type) {
  if (v.type == type)
    return v;
  if (isNarrow(v.type) || isNarrow(type) || isReference(v.type) || isReference(type))
    fail("a plain cast between " + std::string(name(v.type)) + " and " + std::string(name(type)));
  return {prog.intern({.kind = TermKind::VCast, .type = type, .args = {v.n}}), this, type};
}

Val Builder::cast(const Ix &i, DType type) {
  if (const Node *n = node(i); n->kind != TermKind::IxConst)
    return {prog.intern({.kind = TermKind::VFromIx, .type = type, .args = {n}}), this, type};
  else
    return type == DType::Bool ? integer(n->number != 0, type) : integer(n->number, type);
}

Val Builder::cast(const Pred &p) {
  const Node *n = node(p);
  if (n->kind == TermKind::PScalar)
    return {n->args[0], this, DType::Bool};
  if (n->kind == TermKind::PTrue)
    return integer(1, DType::Bool);
  if (n->kind == TermKind::PNot && n->args[0]->kind == TermKind::PTrue)
    return integer(0, DType::Bool);
  return {prog.intern({.kind = TermKind::VFromPred, .type = DType::Bool, .args = {n}}), this,
          DType::Bool};
}

Val Builder::detach(const Val &v) {
  return {prog.intern({.kind = TermKind::VDetach, .type = v.type, .args = {v.n}}), this, v.type};
}

Pred Builder::holds(const Val &boolean) {
  if (boolean.type != DType::Bool)
    fail("a guard of type " + std::string(name(boolean.type)));
  Pred p;
  if (boolean.n->kind == TermKind::VConst) {
    p.decided = boolean.n->number != 0;
    return p;
  }
  p.b = this;
  p.n = boolean.n->kind == TermKind::VFromPred
            ? boolean.n->args[0]
            : prog.intern({.kind = TermKind::PScalar, .args = {boolean.n}});
  return p;
}

// Selects. A decided guard leaves the other branch unbuilt.

Val Builder::select(const Pred &p, const Fn0<Val> &then, const Fn0<Val> &otherwise) {
  const Node *g = node(p);
  if (g->kind == TermKind::PTrue)
    return then();
  if (g->kind == TermKind::PNot && g->args[0]->kind == TermKind::PTrue)
    return otherwise();
  DType type = DType::Invalid, other = DType::Invalid;
  const Node *a = under(g, [&] {
    Val v = then();
    type = v.type;
    return v.n;
  });
  const Node *no = prog.intern({.kind = TermKind::PNot, .args = {g}});
  const Node *b = under(no, [&] {
    Val v = otherwise();
    other = v.type;
    return v.n;
  });
  if (type != other)
    fail("a select between " + std::string(name(type)) + " and " + std::string(name(other)));
  if (a == b)
    return {a, this, type};
  return {prog.intern({.kind = TermKind::VSelect, .type = type, .args = {g, a, b}}), this, type};
}

Ix Builder::select(const Pred &p, const Fn0<Ix> &then, const Fn0<Ix> &otherwise) {
  const Node *g = node(p);
  if (g->kind == TermKind::PTrue)
    return then();
  if (g->kind == TermKind::PNot && g->args[0]->kind == TermKind::PTrue)
    return otherwise();
  const Node *a = under(g, [&] { return node(then()); });
  const Node *no = prog.intern({.kind = TermKind::PNot, .args = {g}});
  const Node *b = under(no, [&] { return node(otherwise()); });
  if (a == b)
    return {a, this};
  return {prog.intern({.kind = TermKind::IxSelect, .args = {g, a, b}}), this};
}

} // namespace imbrex::opmeaning
