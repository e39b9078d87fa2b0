#include "compiler/passes/lower/KernelBuilder.h"

#include "compiler/passes/lower/EmitFunctions.h"

namespace imbrex::lower {

using namespace mlir;
using namespace opmeaning;

/// The winner of a set, kept with its place in registers over a loop nest inside each output point.
void KernelBuilder::best(const Def &d) {
  const bool wantsPlace = d.body->kind == TermKind::VFromIx;
  const Node *r = wantsPlace ? d.body->args[0]->args[0] : d.body;
  form.bind(r->vars, r->extents);
  SmallVector<unsigned> all;
  for (unsigned i = 0; i < loops.size(); ++i)
    all.push_back(i);
  const bool most = r->best == Best::Max, first = r->tie == Tie::First;
  auto scan = [&](OpBuilder &at) {
    Node asReduce = *r;
    asReduce.red = most ? Red::Max : Red::Min;
    Value zero = arith::ConstantIndexOp::create(at, loc(), 0),
          one = arith::ConstantIndexOp::create(at, loc(), 1);
    SmallVector<Value> state = {identity(at, &asReduce),
                                arith::ConstantIndexOp::create(at, loc(), -1)};
    SmallVector<scf::ForOp> nest;
    OpBuilder inner = at;
    SmallVector<Value> carried = state;
    for (size_t i = 0; i < r->vars.size(); ++i) {
      Value size = sizes.emit(inner, loc(), r->extents[i]);
      auto loop = scf::ForOp::create(inner, loc(), zero, size, one, carried);
      terms.bind(r->vars[i], loop.getInductionVar());
      carried.assign(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end());
      nest.push_back(loop);
      inner.setInsertionPointToStart(loop.getBody());
    }
    Value v = terms.scalar(inner, loc(), r->args[1]);
    std::vector<const Node *> at0(r->vars.begin(), r->vars.end());
    Value place = terms.index(inner, loc(), form.flatten(at0, r->extents));
    Value empty = arith::CmpIOp::create(inner, loc(), arith::CmpIPredicate::slt, carried[1], zero);
    DType t = r->args[1]->type;
    Value wins =
        first
            ? emitFunction(inner, loc(), FnId::Lt, t,
                           most ? ArrayRef<Value>{carried[0], v} : ArrayRef<Value>{v, carried[0]})
            : emitFunction(inner, loc(), FnId::Le, t,
                           most ? ArrayRef<Value>{carried[0], v} : ArrayRef<Value>{v, carried[0]});
    if (isFloat(t)) {
      // NaN wins, the first of them by place; nothing beats a NaN.
      Value isNan = emitFunction(inner, loc(), FnId::IsNaN, t, {v});
      Value hadNan = emitFunction(inner, loc(), FnId::IsNaN, t, {carried[0]});
      Value no = arith::ConstantOp::create(inner, loc(), inner.getBoolAttr(false));
      wins = arith::OrIOp::create(inner, loc(), wins, isNan);
      wins = arith::SelectOp::create(inner, loc(), hadNan, no, wins);
    }
    wins = arith::OrIOp::create(inner, loc(), wins, empty);
    const Node *where = form.simplifyGuard(r->args[0]);
    if (form.decide(where) != std::optional(true))
      wins = arith::AndIOp::create(inner, loc(), wins, terms.guard(inner, loc(), where));
    SmallVector<Value> next = {arith::SelectOp::create(inner, loc(), wins, v, carried[0]),
                               arith::SelectOp::create(inner, loc(), wins, place, carried[1])};
    scf::YieldOp::create(inner, loc(), next);
    for (size_t i = nest.size(); i-- > 1;) {
      OpBuilder end = OpBuilder::atBlockEnd(nest[i - 1].getBody());
      scf::YieldOp::create(end, loc(), nest[i].getResults());
    }
    return nest.empty() ? state : SmallVector<Value>(nest[0].getResults());
  };
  // The loop nest holds the reads; none is mapped, so the root is the place-free shell.
  Node shell{.kind = TermKind::VConst};
  shell.type = d.type.type;
  generic(p.intern(shell), outView(d), all, [&](OpBuilder &inside, Value) {
    auto state = scan(inside);
    Value v = state[0];
    if (wantsPlace) {
      Value i = arith::IndexCastOp::create(inside, loc(), inside.getI64Type(), state[1]);
      v = emitCast(inside, loc(), i, DType::I64, d.type.type);
    }
    return toStorage(inside, v, d.type.type);
  });
}

} // namespace imbrex::lower
