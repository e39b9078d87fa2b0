#include "compiler/codegen/cpu/ScheduleProduct.h"

#include "compiler/passes/lower/BuildKernel.h"

#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace imbrex::codegen {

using namespace mlir;

/// Register tiles outside, k inside, one step of k at a time.
static FailureOr<linalg::LinalgOp> tile(RewriterBase &rewriter, linalg::GenericOp op,
                                        const CpuTarget &target) {
  scf::SCFTilingOptions options;
  options.setTileSizes({rewriter.getIndexAttr(1), rewriter.getIndexAttr(target.microRows),
                        rewriter.getIndexAttr(target.microColumns)});
  options.setInterchange({1, 2, 0});
  rewriter.setInsertionPoint(op);
  auto tiled = scf::tileUsingSCF(rewriter, cast<TilingInterface>(op.getOperation()), options);
  if (failed(tiled))
    return failure();
  auto inner = dyn_cast<linalg::LinalgOp>(tiled->tiledOps.front());
  rewriter.eraseOp(op);
  if (!inner)
    return failure();
  return inner;
}

/// for k { acc = read c; …; write c }  ->  acc = read c; for k iter(acc) { … }; write c
/// Upstream's hoisting refuses views, for fear of aliases; here the panels and the tile are the
/// kernel's separate arguments.
static LogicalResult hoistAccumulator(RewriterBase &rewriter, scf::ForOp loop) {
  vector::TransferReadOp read;
  vector::TransferWriteOp write;
  for (Operation &op : *loop.getBody())
    if (auto w = dyn_cast<vector::TransferWriteOp>(op))
      write = w;
  if (!write)
    return failure();
  for (Operation &op : *loop.getBody())
    if (auto r = dyn_cast<vector::TransferReadOp>(op))
      if (r.getBase() == write.getBase() && r.getIndices() == write.getIndices())
        read = r;
  auto outside = [&](Value v) { return loop.isDefinedOutsideOfLoop(v); };
  if (!read || !outside(read.getBase()) || !llvm::all_of(read.getIndices(), outside) ||
      read.getVectorType() != write.getVectorType())
    return failure();
  loop.moveOutOfLoop(read);
  Value result = write.getVector();
  auto hoisted = loop.replaceWithAdditionalYields(
      rewriter, ValueRange{read.getVector()}, true,
      [&](OpBuilder &, Location, ArrayRef<BlockArgument>) { return SmallVector<Value>{result}; });
  if (failed(hoisted))
    return failure();
  auto outer = cast<scf::ForOp>(hoisted->getOperation());
  write->moveAfter(outer);
  write.getValueToStoreMutable().assign(outer.getResults().back());
  return success();
}

LogicalResult scheduleProducts(ModuleOp module, const CpuTarget &target) {
  SmallVector<linalg::GenericOp> products;
  module.walk([&](linalg::GenericOp op) {
    if (op->hasAttr(lower::kPackedProduct))
      products.push_back(op);
  });
  if (products.empty())
    return success();
  IRRewriter rewriter(module.getContext());
  for (linalg::GenericOp op : products) {
    auto func = op->getParentOfType<func::FuncOp>();
    auto inner = tile(rewriter, op, target);
    if (failed(inner))
      return func.emitError("a packed product could not be tiled");
    rewriter.setInsertionPoint(*inner);
    // The tile is static: no vector sizes are given. (Given without scalable flags they read past
    // the end.)
    if (failed(linalg::vectorize(rewriter, *inner, {}, {}, false, false, false,
                                 /*createNamedContraction=*/true)))
      return func.emitError("a packed product could not be vectorized");
    rewriter.eraseOp(*inner);
  }
  MLIRContext *context = module.getContext();
  {
    RewritePatternSet patterns(context);
    vector::populateVectorTransferPermutationMapLoweringPatterns(patterns);
    vector::populateVectorReductionToContractPatterns(patterns);
    if (failed(applyPatternsGreedily(module, std::move(patterns))))
      return failure();
  }
  SmallVector<scf::ForOp> depth;
  module.walk([&](vector::ContractionOp op) {
    if (auto loop = op->getParentOfType<scf::ForOp>())
      depth.push_back(loop);
  });
  for (scf::ForOp loop : depth) {
    moveLoopInvariantCode(loop);
    if (failed(hoistAccumulator(rewriter, loop)))
      return loop.emitError("the accumulator of a packed product stayed in memory");
  }
  {
    RewritePatternSet patterns(context);
    vector::populateVectorContractLoweringPatterns(patterns,
                                                   vector::VectorContractLowering::OuterProduct);
    vector::populateVectorOuterProductLoweringPatterns(patterns);
    vector::populateVectorTransferPermutationMapLoweringPatterns(patterns);
    if (failed(applyPatternsGreedily(module, std::move(patterns))))
      return failure();
  }
  return success();
}

} // namespace imbrex::codegen
