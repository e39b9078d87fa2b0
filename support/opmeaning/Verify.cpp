// The verifier of Programs: sorts, scopes, dtypes, arities, ranks of reads, divisors > 0.
#include "support/opmeaning/IndexProof.h"

#include <algorithm>
#include <set>

namespace imbrex::opmeaning {

namespace {

enum class Sort : uint8_t { Index, Guard, Scalar };

Sort sortOf(const Node *n) {
  return isIndex(n->kind) ? Sort::Index : isGuard(n->kind) ? Sort::Guard : Sort::Scalar;
}

/// One body or guard.
class TermVerifier {
public:
  TermVerifier(const Program &p, const DimFacts &facts, size_t defsBefore)
      : p(p), facts(facts), defsBefore(defsBefore) {}

  void bind(std::span<const Node *const> vars, std::span<const DimExpr> extents) {
    for (size_t i = 0; i < vars.size(); ++i) {
      scope.insert(vars[i]);
      assumePositive(i < extents.size() ? extents[i] : DimExpr(0));
    }
  }

  /// The first thing wrong with n, or "".
  const std::string &check(const Node *n) {
    visit(n);
    return problem;
  }

private:
  const Program &p;
  DimFacts facts;
  size_t defsBefore;
  std::set<const Node *> scope;
  std::set<const Node *> good; // checked under the outermost scope
  std::string problem;

  void bad(std::string why) {
    if (problem.empty())
      problem = std::move(why);
  }

  /// Inside of a definition there is an element, so that the factors of its extents are at least 1;
  /// the same holds for a tensor that is read.
  void assumePositive(const DimExpr &extent) {
    if (extent.terms().size() != 1)
      return;
    for (const auto &f : extent.terms()[0].factors)
      if (f->kind == DimExpr::AtomKind::Symbol && facts.of(f->name).lo >= 0)
        (void)facts.add(f->name, {1, INT64_MAX, 1});
  }

  void expectArgs(const Node *n, std::initializer_list<Sort> sorts) {
    if (n->args.size() != sorts.size())
      return bad("a term has " + std::to_string(n->args.size()) + " parts, not " +
                 std::to_string(sorts.size()));
    size_t i = 0;
    for (Sort s : sorts)
      if (sortOf(n->args[i++]) != s)
        return bad("a term has a part of the wrong sort");
  }

  void visit(const Node *n) {
    if (!problem.empty() || good.count(n))
      return;
    if (!n->dim.valid())
      return bad("a size does not fit in 64 bits");
    shape(n);
    if (!problem.empty())
      return;
    bool binds = !n->vars.empty();
    DimFacts saved = binds || n->source.kind == Source::Kind::Def ? facts : DimFacts();
    if (binds)
      bind(n->vars, n->extents);
    for (const Node *a : n->args)
      visit(a);
    if (binds) {
      for (const Node *v : n->vars)
        scope.erase(v);
      facts = std::move(saved);
    }
    // Shared terms under binders stay valid: a variable belongs to one binder only.
    good.insert(n);
  }

  void shape(const Node *n) {
    switch (n->kind) {
    case TermKind::IxVar:
      if (!scope.count(n))
        bad("a variable is used outside of its scope");
      return;
    case TermKind::IxConst:
    case TermKind::IxDim:
    case TermKind::PTrue:
    case TermKind::VConst:
      return expectArgs(n, {});
    case TermKind::IxAdd:
    case TermKind::IxSub:
    case TermKind::IxMin:
    case TermKind::IxMax:
    case TermKind::PCmp:
      return expectArgs(n, {Sort::Index, Sort::Index});
    case TermKind::IxMul:
      return expectArgs(n, {Sort::Index});
    case TermKind::IxFloorDiv:
    case TermKind::IxMod:
      expectArgs(n, {Sort::Index});
      if (!facts.provenAtLeast(n->dim, 1))
        divisor(n->dim);
      return;
    case TermKind::IxSelect:
      return expectArgs(n, {Sort::Guard, Sort::Index, Sort::Index});
    case TermKind::IxPlace:
      if (n->args.size() != 1 || n->args[0]->kind != TermKind::VBest)
        bad("a place of something that is no best");
      return;
    case TermKind::PNot:
    case TermKind::VFromPred:
      return expectArgs(n, {Sort::Guard});
    case TermKind::PAnd:
    case TermKind::POr:
      return expectArgs(n, {Sort::Guard, Sort::Guard});
    case TermKind::PScalar:
      expectArgs(n, {Sort::Scalar});
      if (problem.empty() && n->args[0]->type != DType::Bool)
        bad("a guard of type " + std::string(name(n->args[0]->type)));
      return;
    case TermKind::IxRead:
    case TermKind::VRead:
      return read(n);
    case TermKind::VFromIx:
      return expectArgs(n, {Sort::Index});
    default:
      return scalar(n);
    }
  }

  /// A divisor that is not proven positive must at least be able to be; where it is a factor of
  /// what the term reads, an element exists only if it is.
  void divisor(const DimExpr &d) {
    auto hi = facts.upperBound(d);
    if (!d.valid() || (hi && *hi < 1))
      return bad("division by '" + d.str() + "', which is not greater than 0");
    for (const Operand &o : p.operands)
      for (const DimExpr &e : o.type.dims)
        assumePositive(e);
    if (!facts.provenAtLeast(d, 1))
      bad("division by '" + d.str() + "', which is not proven greater than 0");
  }

  void read(const Node *n) {
    bool operand = n->source.kind == Source::Kind::Operand;
    size_t count = operand ? p.operands.size() : defsBefore;
    if (n->source.index >= count || (operand && !p.operands[n->source.index].present))
      return bad("a read of an operand or definition that does not exist there");
    const TensorType &t = p.typeOf(n->source);
    if (t.dims.size() != n->args.size())
      return bad("a read with the wrong number of indices");
    for (const Node *a : n->args)
      if (!isIndex(a->kind))
        return bad("a read at something that is no index");
    if (n->kind == TermKind::IxRead ? !isInteger(t.type) : t.type != n->type)
      bad("a read of type " + std::string(name(t.type)));
  }

  void fold(const Node *n) {
    expectArgs(n, {Sort::Guard, Sort::Scalar});
    if (!problem.empty())
      return;
    if (n->vars.size() != n->extents.size())
      return bad("a reduction with variables and extents of different number");
    for (const DimExpr &e : n->extents)
      if (!e.valid())
        return bad("a size does not fit in 64 bits");
    bool logical = n->kind == TermKind::VReduce && (n->red == Red::And || n->red == Red::Or);
    if (n->args[1]->type != n->type || logical != (n->type == DType::Bool))
      return bad("a reduction over type " + std::string(name(n->args[1]->type)));
    if (n->accumulator == DType::Invalid || isFloat(n->accumulator) != isFloat(n->type))
      bad("a reduction of " + std::string(name(n->type)) + " in " +
          std::string(name(n->accumulator)));
  }

  void apply(const Node *n) {
    if (n->fn >= FnId::Count)
      return bad("an unknown function");
    const FnInfo &row = info(n->fn);
    if (n->args.size() != row.arity)
      return bad("'" + std::string(row.name) + "' has the wrong number of operands");
    for (const Node *a : n->args)
      if (!isScalar(a->kind) || a->type != n->args[0]->type || !accepts(row.operands, a->type))
        return bad("'" + std::string(row.name) + "' does not take type " +
                   std::string(name(a->type)));
    DType result = row.result == ResultRule::Bool ? DType::Bool : n->args[0]->type;
    if (n->type != result)
      bad("'" + std::string(row.name) + "' has the wrong result type");
  }

  void scalar(const Node *n) {
    if (n->type == DType::Invalid)
      return bad("a scalar without a type");
    switch (n->kind) {
    case TermKind::VCast:
      expectArgs(n, {Sort::Scalar});
      if (problem.empty() && (isNarrow(n->type) || isNarrow(n->args[0]->type) ||
                              isReference(n->type) || isReference(n->args[0]->type)))
        bad("a cast of a narrow type or a reference");
      return;
    case TermKind::VBits:
      expectArgs(n, {Sort::Scalar});
      if (problem.empty() && byteSize(n->type) != byteSize(n->args[0]->type))
        bad("bits of another size");
      return;
    case TermKind::VDetach:
      expectArgs(n, {Sort::Scalar});
      if (problem.empty() && n->args[0]->type != n->type)
        bad("a detach that changes the type");
      return;
    case TermKind::VSelect:
      expectArgs(n, {Sort::Guard, Sort::Scalar, Sort::Scalar});
      if (problem.empty() && (n->args[1]->type != n->type || n->args[2]->type != n->type))
        bad("a select between " + std::string(name(n->args[1]->type)) + " and " +
            std::string(name(n->args[2]->type)));
      return;
    case TermKind::VApply:
      return apply(n);
    default:
      return fold(n);
    }
  }
};

} // namespace

static std::string checkDef(const Program &p, size_t i, const DimFacts &facts) {
  const Def &d = p.defs[i];
  if (!d.body || !isScalar(d.body->kind) || d.body->type != d.type.type)
    return "its body is not of its type";
  if (d.vars.size() != d.type.dims.size())
    return "it has variables and sizes of different number";
  for (const DimExpr &e : d.type.dims)
    if (!e.valid())
      return "a size does not fit in 64 bits";
  if (d.host && (d.type.dims.size() > 1 || (d.vars.size() == 1 && !d.type.dims[0].constant())))
    return "a host definition has rank 0 or 1 and a literal size";
  TermVerifier v(p, facts, i);
  v.bind(d.vars, d.type.dims);
  return v.check(d.body);
}

Status verify(const Program &p, const DimFacts &facts) {
  auto wrong = [](const std::string &where, const std::string &why) {
    return internalError(510, "the meaning is ill-formed: " + where + ": " + why);
  };
  for (size_t i = 0; i < p.defs.size(); ++i)
    if (std::string why = checkDef(p, i, facts); !why.empty())
      return wrong("'" + p.defs[i].name + "'", why);
  for (const Require &r : p.requirements) {
    if (!r.guard || !isGuard(r.guard->kind))
      return wrong("a requirement", "it is no guard");
    TermVerifier v(p, facts, p.defs.size());
    v.bind(r.vars, r.extents);
    if (std::string why = v.check(r.guard); !why.empty())
      return wrong("the requirement that " + r.why, why);
  }
  for (uint32_t o : p.outputs)
    if (o >= p.defs.size())
      return wrong("an output", "it is no definition");
  for (const OpenDim &o : p.opens) {
    size_t count = o.source.kind == Source::Kind::Operand ? p.operands.size() : p.defs.size();
    if (o.source.index >= count || p.typeOf(o.source).dims.size() != o.at.size())
      return wrong("the size " + o.symbol, "what it reads does not exist");
  }
  return {};
}

} // namespace imbrex::opmeaning
