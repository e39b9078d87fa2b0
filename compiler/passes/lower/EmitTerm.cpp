#include "compiler/passes/lower/EmitTerm.h"

#include "compiler/passes/lower/EmitFunctions.h"

namespace imbrex::lower {

using namespace mlir;
using namespace opmeaning;

static Value constantIndex(OpBuilder &b, Location loc, int64_t v) {
  return arith::ConstantIndexOp::create(b, loc, v);
}

Value SizeEmitter::emitAtom(OpBuilder &b, Location loc, const DimExpr::Atom &atom) {
  if (atom.kind == DimExpr::AtomKind::Symbol)
    return symbolValue(atom.name);
  Value l = emit(b, loc, atom.lhs), r = emit(b, loc, atom.rhs);
  switch (atom.kind) {
  case DimExpr::AtomKind::FloorDiv:
    return arith::FloorDivSIOp::create(b, loc, l, r);
  case DimExpr::AtomKind::Mod: {
    Value q = arith::FloorDivSIOp::create(b, loc, l, r);
    return arith::SubIOp::create(b, loc, l, Value(arith::MulIOp::create(b, loc, q, r)));
  }
  case DimExpr::AtomKind::Min:
    return arith::MinSIOp::create(b, loc, l, r);
  case DimExpr::AtomKind::Max:
    return arith::MaxSIOp::create(b, loc, l, r);
  case DimExpr::AtomKind::Broadcast: {
    Value one = constantIndex(b, loc, 1);
    Value isOne = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, l, one);
    return arith::SelectOp::create(b, loc, isOne, r, l);
  }
  case DimExpr::AtomKind::Symbol:
    break;
  }
  return nullptr;
}

Value SizeEmitter::emit(OpBuilder &b, Location loc, const DimExpr &e) {
  if (auto c = e.constant())
    return constantIndex(b, loc, *c);
  Value sum;
  for (const auto &term : e.terms()) {
    Value product;
    for (const auto &factor : term.factors) {
      Value v = emitAtom(b, loc, *factor);
      product = product ? Value(arith::MulIOp::create(b, loc, product, v)) : v;
    }
    Value c = constantIndex(b, loc, term.coefficient);
    product = !product                ? c
              : term.coefficient == 1 ? product
                                      : Value(arith::MulIOp::create(b, loc, product, c));
    sum = sum ? Value(arith::AddIOp::create(b, loc, sum, product)) : product;
  }
  return sum;
}

OpFoldResult SizeEmitter::fold(OpBuilder &b, Location loc, const DimExpr &e) {
  if (auto c = e.constant())
    return b.getIndexAttr(*c);
  return emit(b, loc, e);
}

Value TermEmitter::index(OpBuilder &b, Location loc, const Node *n) {
  if (auto it = known.find(n); it != known.end())
    return it->second;
  return known[n] = emitIndex(b, loc, n);
}

Value TermEmitter::guard(OpBuilder &b, Location loc, const Node *n) {
  if (auto it = known.find(n); it != known.end())
    return it->second;
  return known[n] = emitGuard(b, loc, n);
}

Value TermEmitter::scalar(OpBuilder &b, Location loc, const Node *n) {
  if (auto it = known.find(n); it != known.end())
    return it->second;
  return known[n] = emitScalar(b, loc, n);
}

/// Vectors have no high half of a 64-bit product, so a division of indices keeps a loop scalar; one
/// of 32 bits does not.
static Value divideNarrow(OpBuilder &b, Location loc, Value index, int64_t by, bool quotient) {
  Type narrow = b.getI32Type();
  Value x = arith::IndexCastUIOp::create(b, loc, narrow, index);
  Value d = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(static_cast<int32_t>(by)));
  Value r = quotient ? Value(arith::DivUIOp::create(b, loc, x, d))
                     : Value(arith::RemUIOp::create(b, loc, x, d));
  return arith::IndexCastUIOp::create(b, loc, b.getIndexType(), r);
}

Value TermEmitter::emitIndex(OpBuilder &b, Location loc, const Node *n) {
  auto arg = [&](size_t i) { return index(b, loc, n->args[i]); };
  switch (n->kind) {
  case TermKind::IxConst:
    return constantIndex(b, loc, n->number);
  case TermKind::IxDim:
    return sizes.emit(b, loc, n->dim);
  case TermKind::IxAdd:
    return arith::AddIOp::create(b, loc, arg(0), arg(1));
  case TermKind::IxSub:
    return arith::SubIOp::create(b, loc, arg(0), arg(1));
  case TermKind::IxMul:
    return arith::MulIOp::create(b, loc, arg(0), sizes.emit(b, loc, n->dim));
  case TermKind::IxFloorDiv:
  case TermKind::IxMod: {
    Value d = sizes.emit(b, loc, n->dim);
    IndexRange r = form.range(n->args[0]);
    bool natural = r.lo && r.lo->constant().value_or(-1) >= 0;
    bool div = n->kind == TermKind::IxFloorDiv;
    auto most = r.hi ? r.hi->constant() : std::nullopt;
    auto by = n->dim.constant();
    if (natural && most && *most <= INT32_MAX && by && *by <= INT32_MAX)
      return divideNarrow(b, loc, arg(0), *by, div);
    if (natural)
      return div ? Value(arith::DivUIOp::create(b, loc, arg(0), d))
                 : Value(arith::RemUIOp::create(b, loc, arg(0), d));
    Value q = arith::FloorDivSIOp::create(b, loc, arg(0), d);
    if (div)
      return q;
    return arith::SubIOp::create(b, loc, arg(0), Value(arith::MulIOp::create(b, loc, q, d)));
  }
  case TermKind::IxMin:
    return arith::MinSIOp::create(b, loc, arg(0), arg(1));
  case TermKind::IxMax:
    return arith::MaxSIOp::create(b, loc, arg(0), arg(1));
  case TermKind::IxSelect:
    return arith::SelectOp::create(b, loc, guard(b, loc, n->args[0]), arg(1), arg(2));
  case TermKind::IxRead: {
    DType type = program.typeOf(n->source).type;
    Value v = load(b, loc, n);
    v = emitCast(b, loc, v, type, DType::I64);
    return arith::IndexCastOp::create(b, loc, b.getIndexType(), v);
  }
  default:
    llvm_unreachable("not an index outside a reduce");
  }
}

Value TermEmitter::emitGuard(OpBuilder &b, Location loc, const Node *n) {
  switch (n->kind) {
  case TermKind::PTrue:
    return arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
  case TermKind::PCmp: {
    auto p = n->cmp == Cmp::Eq   ? arith::CmpIPredicate::eq
             : n->cmp == Cmp::Ne ? arith::CmpIPredicate::ne
             : n->cmp == Cmp::Lt ? arith::CmpIPredicate::slt
                                 : arith::CmpIPredicate::sle;
    return arith::CmpIOp::create(b, loc, p, index(b, loc, n->args[0]), index(b, loc, n->args[1]));
  }
  case TermKind::PScalar:
    return scalar(b, loc, n->args[0]);
  case TermKind::PNot:
    return arith::XOrIOp::create(b, loc, guard(b, loc, n->args[0]),
                                 Value(arith::ConstantOp::create(b, loc, b.getBoolAttr(true))));
  case TermKind::PAnd:
    return arith::AndIOp::create(b, loc, guard(b, loc, n->args[0]), guard(b, loc, n->args[1]));
  case TermKind::POr:
    return arith::OrIOp::create(b, loc, guard(b, loc, n->args[0]), guard(b, loc, n->args[1]));
  default:
    llvm_unreachable("not a guard");
  }
}

Value TermEmitter::load(OpBuilder &b, Location loc, const Node *read) {
  const TensorType &type = program.typeOf(read->source);
  std::vector<const Node *> at;
  bool proven = true;
  for (size_t i = 0; i < read->args.size(); ++i) {
    const Node *ix = form.simplify(read->args[i]);
    if (!form.inBounds(ix, type.dims[i])) {
      // max(0, min(ix, D - 1))
      proven = false;
      Node last{.kind = TermKind::IxMin};
      last.args = {ix, form.size(type.dims[i] - 1)};
      Node first{.kind = TermKind::IxMax};
      first.args = {program.intern(std::move(last)), form.constant(0)};
      ix = program.intern(std::move(first));
    }
    at.push_back(ix);
  }
  clamped += !proven;
  const Node *flat = form.flatten(at, type.dims);
  DimExpr elems = 1;
  for (const auto &d : type.dims)
    elems = elems * d;
  if (!proven && !form.atLeastOne(elems)) {
    // Perhaps there is no element at all: one axis at 0 does not make the place 0.
    Node last{.kind = TermKind::IxMin};
    last.args = {flat, form.size(max(elems - 1, DimExpr(0)))};
    flat = program.intern(std::move(last));
  }
  Value place = index(b, loc, flat);
  Value v = memref::LoadOp::create(b, loc, memory(read->source), ValueRange{place});
  if (type.type == DType::Bool)
    v = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, v,
                              Value(arith::ConstantOp::create(b, loc, b.getI8IntegerAttr(0))));
  return v;
}

Value TermEmitter::emitScalar(OpBuilder &b, Location loc, const Node *n) {
  switch (n->kind) {
  case TermKind::VConst:
    return emitConstant(b, loc, n->type, n->real, n->number);
  case TermKind::VCast:
    return emitCast(b, loc, scalar(b, loc, n->args[0]), n->args[0]->type, n->type);
  case TermKind::VBits: {
    Value v = scalar(b, loc, n->args[0]);
    Type to = computeType(b.getContext(), n->type);
    return v.getType() == to ? v : Value(arith::BitcastOp::create(b, loc, to, v));
  }
  case TermKind::VFromIx: {
    Value i = arith::IndexCastOp::create(b, loc, b.getI64Type(), index(b, loc, n->args[0]));
    return emitCast(b, loc, i, DType::I64, n->type);
  }
  case TermKind::VFromPred:
    return guard(b, loc, n->args[0]);
  case TermKind::VRead:
    return load(b, loc, n);
  case TermKind::VApply: {
    SmallVector<Value> args;
    for (const Node *a : n->args)
      args.push_back(scalar(b, loc, a));
    return emitFunction(b, loc, n->fn, n->args[0]->type, args);
  }
  case TermKind::VSelect:
    return arith::SelectOp::create(b, loc, guard(b, loc, n->args[0]), scalar(b, loc, n->args[1]),
                                   scalar(b, loc, n->args[2]));
  case TermKind::VDetach:
    return scalar(b, loc, n->args[0]);
  default:
    llvm_unreachable("a reduce inside a scalar: the definition is not in normal form");
  }
}

} // namespace imbrex::lower
