#include "compiler/codegen/tile-cpu/LowerTile.h"

#include "compiler/codegen/cpu/EmitCode.h"
#include "compiler/codegen/tile-cpu/KernelEmitter.h"

namespace imbrex::codegen {

using namespace mlir;

Result<TileKernelRecord> lowerTileKernel(ModuleOp into, tile::KernelOp kernel,
                                         const CpuTarget &target) {
  auto facts = tile::kernelFacts(kernel);
  if (!facts)
    return facts.takeError();
  return KernelEmitter(into, kernel, target, *facts).emit();
}

Result<std::vector<TileKernelRecord>> lowerTileKernels(ModuleOp module, const CpuTarget &target) {
  std::vector<TileKernelRecord> records;
  for (auto kernel : llvm::make_early_inc_range(module.getOps<tile::KernelOp>())) {
    // Its function takes the kernel's name.
    OwningOpRef<tile::KernelOp> removed(kernel);
    kernel->remove();
    auto record = lowerTileKernel(module, kernel, target);
    if (!record)
      return record.takeError();
    records.push_back(record.take());
  }
  return records;
}

namespace {

struct TileToCpu : PassWrapper<TileToCpu, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileToCpu)
  TileToCpu() = default;
  TileToCpu(const TileToCpu &other) : PassWrapper(other) {}
  StringRef getArgument() const final { return "tile-to-cpu"; }
  StringRef getDescription() const final {
    return "Lower tile kernels to functions of the kernel ABI for a CPU";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, func::FuncDialect, LLVM::LLVMDialect, math::MathDialect,
                    memref::MemRefDialect, scf::SCFDialect, vector::VectorDialect>();
  }
  void runOnOperation() override {
    auto targets = cpuTargets(std::string(level));
    if (!targets || targets->size() != 1) {
      getOperation().emitError("the pass takes one target, not '") << level << "'";
      return signalPassFailure();
    }
    auto records = lowerTileKernels(getOperation(), targets->front());
    if (!records) {
      getOperation().emitError(message(records.error()));
      return signalPassFailure();
    }
  }
  Option<std::string> level{*this, "target", llvm::cl::desc("cpu:x86-64-v3 or cpu:x86-64-v4"),
                            llvm::cl::init("cpu:x86-64-v4")};
};

} // namespace

void registerTileToCpuPass() { PassRegistration<TileToCpu>(); }

} // namespace imbrex::codegen
