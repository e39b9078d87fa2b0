#include "compiler/passes/lower/KernelBuilder.h"

namespace imbrex::lower {

using namespace mlir;
using namespace opmeaning;

/// Any point where the guard fails marks this grid point as bad.
void KernelBuilder::check(const Require &r) {
  Value zero = arith::ConstantIndexOp::create(b(), loc(), 0),
        one = arith::ConstantIndexOp::create(b(), loc(), 1);
  Value bad = arith::ConstantOp::create(b(), loc(), b().getBoolAttr(false));
  Value size = sizes.emit(b(), loc(), r.extents.empty() ? DimExpr(1) : r.extents.back());
  auto loop = scf::ForOp::create(b(), loc(), zero, size, one, ValueRange{bad});
  OpBuilder inner = OpBuilder::atBlockBegin(loop.getBody());
  if (!r.vars.empty())
    terms.bind(r.vars.back(), loop.getInductionVar());
  Value holds = terms.guard(inner, loc(), form.simplifyGuard(r.guard));
  Value yes = arith::ConstantOp::create(inner, loc(), inner.getBoolAttr(true));
  Value fails = arith::XOrIOp::create(inner, loc(), holds, yes);
  scf::YieldOp::create(
      inner, loc(),
      ValueRange{arith::OrIOp::create(inner, loc(), loop.getRegionIterArgs()[0], fails)});
  frame.failIf(loop.getResult(0), 0);
}

} // namespace imbrex::lower
