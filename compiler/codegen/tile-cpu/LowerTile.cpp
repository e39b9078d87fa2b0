#include "compiler/codegen/tile-cpu/LowerTile.h"

#include "compiler/codegen/tile-cpu/KernelEmitter.h"

namespace imbrex::codegen {

using namespace mlir;

/// The grid and the scratch memory of a launch, from its sizes.
static void emitPlan(ModuleOp into, const TileKernelRecord &record) {
  OpBuilder b(into.getContext());
  b.setInsertionPointToEnd(into.getBody());
  Location loc = NameLoc::get(b.getStringAttr(record.name));
  Type ptr = LLVM::LLVMPointerType::get(b.getContext()), i64 = b.getI64Type();
  auto func = func::FuncOp::create(b, loc, planName(record.name),
                                   b.getFunctionType({ptr, ptr}, {b.getI32Type()}));
  Block *entry = func.addEntryBlock();
  b.setInsertionPointToStart(entry);
  auto at = [&](unsigned argument, size_t place) {
    return LLVM::GEPOp::create(b, loc, ptr, i64, entry->getArgument(argument),
                               ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(place)});
  };
  lower::SizeEmitter sizes([&](StringRef name) -> Value {
    auto place = static_cast<size_t>(llvm::find(record.sizes, name) - record.sizes.begin());
    Value size = LLVM::LoadOp::create(b, loc, i64, at(0, place));
    return arith::IndexCastOp::create(b, loc, b.getIndexType(), size);
  });
  Value grid = arith::IndexCastOp::create(b, loc, i64, sizes.emit(b, loc, record.grid));
  Value scratch = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(record.scratchBytes));
  LLVM::StoreOp::create(b, loc, grid, at(1, 0));
  LLVM::StoreOp::create(b, loc, scratch, at(1, 1));
  Value good = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
  func::ReturnOp::create(b, loc, good);
}

Result<TileKernelRecord> lowerTileKernel(ModuleOp into, tile::KernelOp kernel,
                                         const CpuTarget &target) {
  auto facts = tile::kernelFacts(kernel);
  if (!facts)
    return facts.takeError();
  auto record = KernelEmitter(into, kernel, target, *facts).emit();
  if (record)
    emitPlan(into, *record);
  return record;
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
