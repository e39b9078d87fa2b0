#include "compiler/passes/lower/KernelBuilder.h"

#include "compiler/passes/lower/Compose.h"
#include "compiler/passes/lower/EmitFunctions.h"

#include <cmath>

namespace imbrex::lower {

using namespace mlir;
using namespace opmeaning;

Value KernelBuilder::identity(OpBuilder &at, const Node *r) {
  DType t = r->type;
  bool floats = isFloat(t);
  switch (r->red) {
  case Red::Sum:
  case Red::Or:
    return emitConstant(at, loc(), t, 0, 0);
  case Red::Prod:
  case Red::And:
    return emitConstant(at, loc(), t, 1, 1);
  case Red::Max:
  case Red::Min: {
    bool most = r->red == Red::Max;
    if (floats)
      return emitConstant(at, loc(), t, most ? -INFINITY : INFINITY, 0);
    if (t == DType::Bool)
      return emitConstant(at, loc(), t, 0, most ? 0 : 1);
    unsigned width = static_cast<unsigned>(byteSize(t) * 8);
    APInt v = isUnsignedInt(t)
                  ? (most ? APInt(width, 0) : APInt::getMaxValue(width))
                  : (most ? APInt::getSignedMinValue(width) : APInt::getSignedMaxValue(width));
    return arith::ConstantOp::create(at, loc(), IntegerAttr::get(at.getIntegerType(width), v));
  }
  }
  return nullptr;
}

static FnId combiner(Red r) {
  switch (r) {
  case Red::Sum:
    return FnId::Add;
  case Red::Prod:
    return FnId::Mul;
  case Red::Max:
    return FnId::Max;
  case Red::Min:
    return FnId::Min;
  case Red::And:
    return FnId::And;
  case Red::Or:
    return FnId::Or;
  }
  return FnId::Add;
}

/// Adds the reduction loops inside or outside the last parallel one: outside when more reads are
/// contiguous along the parallel index than along the reduced one, so that the inner loop still has
/// unit stride. In a window both move along one axis: a small one is inside, where it is unrolled
/// and the loop over the results becomes vectors; a large one is outside.
void KernelBuilder::reductionLoops(const Node *r) {
  constexpr int64_t kUnrolled = 32;
  form.bind(r->vars, r->extents);
  std::vector<Loop> reduced;
  DimExpr terms = 1;
  for (size_t i = 0; i < r->vars.size(); ++i) {
    reduced.push_back(
        {r->vars[i], r->extents[i], sizes.fold(b(), loc(), r->extents[i]), nullptr, true});
    terms = terms * r->extents[i];
  }
  int along = 0;
  bool window = false;
  if (!loops.empty() && !reduced.empty())
    walk(r->args[1], [&](const Node *n) {
      if (!isRead(n) || n->args.empty())
        return;
      const Node *last = form.simplify(n->args.back());
      bool par = false, red = false;
      walk(last, [&](const Node *v) {
        par |= v == loops.back().var;
        red |= v == reduced.back().var;
      });
      window |= par && red;
      along += par ? 1 : red ? -1 : 0;
    });
  auto extent = loops.empty() ? std::nullopt : loops.back().extent.constant();
  bool outside = window ? terms.constant().value_or(kUnrolled + 1) > kUnrolled : along > 0;
  outside &= !extent || *extent >= 8;
  loops.insert(outside ? loops.end() - 1 : loops.end(), reduced.begin(), reduced.end());
}

/// Floating-point sums may be reassociated: the contract of contractions and reductions.
static void allowReassociation(linalg::GenericOp op) {
  auto flags = arith::FastMathFlags::reassoc | arith::FastMathFlags::contract;
  op.getBody()->walk([&](Operation *inner) {
    if (auto fast = dyn_cast<arith::ArithFastMathInterface>(inner))
      if (isa<arith::AddFOp, arith::MulFOp>(inner))
        inner->setAttr(fast.getFastMathAttrName(),
                       arith::FastMathFlagsAttr::get(inner->getContext(), flags));
  });
}

void KernelBuilder::reduce(const Def &d) {
  const Node *r = d.body;
  Value out = outView(d);
  linalg::FillOp::create(b(), loc(), ValueRange{toStorage(b(), identity(b(), r), d.type.type)},
                         ValueRange{out});
  reductionLoops(r);
  SmallVector<unsigned> outLoops;
  for (unsigned i = 0; i < loops.size(); ++i)
    if (!loops[i].reduction)
      outLoops.push_back(i);
  auto op = generic(r->args[1], out, outLoops, [&](OpBuilder &inside, Value stored) {
    Value acc = fromStorage(inside, stored, d.type.type);
    Value term = terms.scalar(inside, loc(), r->args[1]);
    term = emitCast(inside, loc(), term, r->args[1]->type, r->type);
    const Node *where = form.simplifyGuard(r->args[0]);
    if (form.decide(where) != std::optional(true))
      term = arith::SelectOp::create(inside, loc(), terms.guard(inside, loc(), where), term,
                                     identity(inside, r));
    return toStorage(inside, emitFunction(inside, loc(), combiner(r->red), r->type, {acc, term}),
                     d.type.type);
  });
  allowReassociation(op);
}

} // namespace imbrex::lower
