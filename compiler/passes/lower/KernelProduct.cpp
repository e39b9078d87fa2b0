#include "compiler/passes/lower/KernelBuilder.h"

#include "compiler/passes/lower/BuildKernel.h"
#include "compiler/passes/lower/EmitFunctions.h"
#include "compiler/passes/lower/PackContraction.h"

namespace imbrex::lower {

using namespace mlir;
using namespace opmeaning;

/// One tile: c[mi, ni] = sum(k) a[k, mi] * b[k, ni] over contiguous panels.
void KernelBuilder::packedProduct(const Def &d) {
  constexpr int64_t MR = PackedTile::rows, NR = PackedTile::columns;
  const Node *sum = d.body, *mul = sum->args[1];
  const size_t rank = d.vars.size();
  DimExpr depth = sum->extents[0], columns = d.type.dims[rank - 2] * NR;
  Value none = arith::ConstantIndexOp::create(b(), loc(), 0);
  auto at = [&](size_t i) { return terms.index(b(), loc(), d.vars[i]); };
  auto scaled = [&](Value base, Value index, const DimExpr &by) {
    return Value(arith::AddIOp::create(
        b(), loc(), base,
        Value(arith::MulIOp::create(b(), loc(), index, sizes.emit(b(), loc(), by)))));
  };
  Value batch = none;
  for (size_t i = 0; i + 4 < rank; ++i)
    batch = scaled(at(i), batch, d.type.dims[i]);
  Value mo = at(rank - 4), no = at(rank - 2);
  auto panel = [&](const Node *read, Value outer, const DimExpr &outers, int64_t width) {
    Value offset = scaled(outer, batch, outers);
    offset = arith::MulIOp::create(b(), loc(), offset, sizes.emit(b(), loc(), depth * width));
    return Value(memref::ReinterpretCastOp::create(
        b(), loc(), flatOf(read->source), OpFoldResult(offset),
        ArrayRef<OpFoldResult>{sizes.fold(b(), loc(), depth), b().getIndexAttr(width)},
        ArrayRef<OpFoldResult>{b().getIndexAttr(width), b().getIndexAttr(1)}));
  };
  Value a = panel(mul->args[0], mo, d.type.dims[rank - 4], MR);
  Value w = panel(mul->args[1], no, d.type.dims[rank - 2], NR);
  Value row = scaled(mo, batch, d.type.dims[rank - 4]);
  Value offset = scaled(
      arith::MulIOp::create(b(), loc(), no, Value(arith::ConstantIndexOp::create(b(), loc(), NR))),
      row, columns * MR);
  Value c = memref::ReinterpretCastOp::create(
      b(), loc(), flatOf({Source::Kind::Def, results[0]}), OpFoldResult(offset),
      ArrayRef<OpFoldResult>{b().getIndexAttr(MR), b().getIndexAttr(NR)},
      ArrayRef<OpFoldResult>{sizes.fold(b(), loc(), columns), b().getIndexAttr(1)});
  Value zero = emitConstant(b(), loc(), DType::F32, 0, 0);
  linalg::FillOp::create(b(), loc(), ValueRange{zero}, ValueRange{c});
  auto *ctx = b().getContext();
  AffineExpr k = getAffineDimExpr(0, ctx), mi = getAffineDimExpr(1, ctx),
             ni = getAffineDimExpr(2, ctx);
  SmallVector<AffineMap> maps = {AffineMap::get(3, 0, {k, mi}, ctx),
                                 AffineMap::get(3, 0, {k, ni}, ctx),
                                 AffineMap::get(3, 0, {mi, ni}, ctx)};
  auto par = utils::IteratorType::parallel;
  auto op = linalg::GenericOp::create(
      b(), loc(), ValueRange{a, w}, ValueRange{c}, maps,
      ArrayRef<utils::IteratorType>{utils::IteratorType::reduction, par, par},
      [&](OpBuilder &in, Location l, ValueRange v) {
        Value x = arith::MulFOp::create(in, l, v[0], v[1]);
        linalg::YieldOp::create(in, l, Value(arith::AddFOp::create(in, l, v[2], x)));
      });
  op->setAttr(kPackedProduct, b().getUnitAttr());
}

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
