// The machine-level form of a packed product: accumulators in registers, one multiply-add a step.
#include "compiler/codegen/cpu/ScheduleProduct.h"
#include "compiler/codegen/cpu/EmitCode.h"
#include "compiler/codegen/cpu/KernelTestSupport.h"
#include "compiler/passes/lower/PackContraction.h"
#include "compiler/passes/lower/ProgramTestSupport.h"

namespace imbrex::codegen {
namespace {

using namespace mlir;
using opmeaning::Program;

/// The kernel of matmul 50x70x90's packed product, scheduled for `target`.
class Scheduled {
public:
  explicit Scheduled(const CpuTarget &target)
      : context(registry(), MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
    OpBuilder b(&context);
    module = ModuleOp::create(b, b.getUnknownLoc());
    Program p = lower::test::meaning(
        "matmul", {lower::test::random({50, 70}, 1), lower::test::random({70, 90}, 2)});
    test::prepare(p, DimFacts());
    for (uint32_t i = 0; i < p.defs.size(); ++i)
      if (lower::isPackedProduct(p, p.defs[i]))
        lower::buildKernel(*module, p, i, DimFacts(), "product");
    EXPECT_EQ(count<linalg::GenericOp>(), 1);
    EXPECT_TRUE(succeeded(scheduleProducts(*module, target)));
    EXPECT_TRUE(succeeded(mlir::verify(*module)));
  }

  template <class Op> int count() {
    int n = 0;
    module->walk([&](Op) { ++n; });
    return n;
  }

  /// The loops over k: those that carry a vector.
  SmallVector<scf::ForOp> depthLoops() {
    SmallVector<scf::ForOp> found;
    module->walk([&](scf::ForOp loop) {
      for (Value v : loop.getRegionIterArgs())
        if (isa<VectorType>(v.getType()))
          return found.push_back(loop);
    });
    return found;
  }

  std::string text() {
    std::string s;
    llvm::raw_string_ostream(s) << *module;
    return s;
  }

private:
  static DialectRegistry registry() {
    DialectRegistry r;
    registerKernelDialects(r);
    return r;
  }
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

/// The multiply-adds inside `loop`, in vectors of `lanes` numbers.
int multiplyAdds(scf::ForOp loop, int64_t lanes) {
  int n = 0;
  loop.walk([&](vector::FMAOp op) { n += op.getVectorType().getNumElements() == lanes; });
  return n;
}

void expectForm(const char *targetName, int64_t rows, int64_t columns) {
  SCOPED_TRACE(targetName);
  CpuTarget target = cpuTargets(targetName).take().front();
  ASSERT_EQ(target.microRows, rows);
  ASSERT_EQ(target.microColumns, columns);
  Scheduled code(target);
  EXPECT_EQ(code.count<vector::ContractionOp>(), 0) << code.text();
  EXPECT_EQ(code.count<vector::OuterProductOp>(), 0);
  EXPECT_EQ(code.count<linalg::GenericOp>(), 0);
  auto loops = code.depthLoops();
  ASSERT_EQ(loops.size(), 1u) << code.text();
  ASSERT_EQ(loops[0].getNumRegionIterArgs(), 1u);
  auto type = cast<VectorType>(loops[0].getRegionIterArgs()[0].getType());
  EXPECT_EQ(SmallVector<int64_t>(type.getShape()), (SmallVector<int64_t>{rows, columns}));
  EXPECT_TRUE(type.getElementType().isF32());
  EXPECT_EQ(multiplyAdds(loops[0], columns), rows) << code.text();
  // Nothing of the tile is read or written in the loop: two panels' rows are.
  int reads = 0, writes = 0;
  loops[0].walk([&](vector::TransferReadOp) { ++reads; });
  loops[0].walk([&](vector::TransferWriteOp) { ++writes; });
  EXPECT_EQ(reads, 2) << code.text();
  EXPECT_EQ(writes, 0);
}

TEST(ScheduleProduct, OneLoopOverTheDepthKeepsTheWholeTile) { expectForm("cpu:x86-64-v4", 8, 32); }

TEST(ScheduleProduct, NarrowerRegistersKeepAPartOfIt) { expectForm("cpu:x86-64-v3", 4, 16); }

} // namespace
} // namespace imbrex::codegen
