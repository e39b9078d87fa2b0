#include "tools/imbrex-opt/Registration.h"

#include "compiler/codegen/tile-cpu/LowerTile.h"
#include "compiler/ir/relay/Relay.h"
#include "compiler/ir/tile/Tile.h"
#include "compiler/ir/vm/Vm.h"
#include "compiler/passes/graph/Passes.h"
#include "compiler/passes/memory/Passes.h"
#include "compiler/passes/tile/Passes.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace imbrex {

static void registerDialects(DialectRegistry &registry) {
  registry.insert<relay::RelayDialect, vm::VmDialect, tile::TileDialect>();
  registry.insert<affine::AffineDialect, arith::ArithDialect, bufferization::BufferizationDialect,
                  cf::ControlFlowDialect, func::FuncDialect, linalg::LinalgDialect,
                  LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect, scf::SCFDialect,
                  tensor::TensorDialect, ub::UBDialect, vector::VectorDialect>();
}

static void registerPasses() {
  relay::registerGraphPasses();
  memory::registerMemoryPasses();
  tile::registerTilePasses();
  codegen::registerTileToCpuPass();
  registerCanonicalizerPass();
  registerCSEPass();
  registerSymbolDCEPass();
  registerStripDebugInfoPass();
}

int runOpt(int argc, char **argv) {
  DialectRegistry registry;
  registerDialects(registry);
  registerPasses();
  return asMainReturnCode(MlirOptMain(argc, argv, "Imbrex's pass driver\n", registry));
}

} // namespace imbrex
