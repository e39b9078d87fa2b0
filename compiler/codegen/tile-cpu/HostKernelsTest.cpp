// Nobody runs a kernel that is not proven, or outside of what it was proven for.
#include "compiler/codegen/tile-cpu/HostKernels.h"
#include "compiler/passes/tile/Passes.h"

#include <gtest/gtest.h>

namespace imbrex::codegen {
namespace {

CpuTarget target() { return cpuTargets("cpu:x86-64-v3").take().front(); }

/// y[i] = x[i]; that x is long enough is not known before the launch.
constexpr auto copyText = R"(
tile.kernel @copy(%x: !tile.view<[m], f32>, %y: !tile.view<[n], f32, write>)
    sizes (m, n) grid [(n + 7) floordiv 8] {
  %i = tile.block 0
  %t = tile.load %x[%i] : !tile.view<[m], f32> -> tensor<8xf32>
  tile.store %t into %y[%i] : tensor<8xf32>, !tile.view<[n], f32, write>
})";

/// Row ids[i] of x: the place is checked while the kernel runs.
constexpr auto pickText = R"(
tile.kernel @pick(%x: !tile.view<[m], f32>, %ids: !tile.view<[n], i64>, %y: !tile.view<[n], f32, write>)
    sizes (m, n) grid [n] {
  %i = tile.block 0
  %r = tile.read %ids[%i] : !tile.view<[n], i64> -> i64
  %p = arith.index_cast %r : i64 to index
  %t = tile.load %x[%p] : !tile.view<[m], f32> -> tensor<1xf32>
  tile.store %t into %y[%i] : tensor<1xf32>, !tile.view<[n], f32, write>
})";

struct Vector {
  std::vector<float> data;
  int64_t extent, stride = 1;
  explicit Vector(int64_t n, float v = 0) : data(static_cast<size_t>(n), v), extent(n) {}
  ImxView view() { return {data.data(), &extent, &stride, 1, IMX_F32}; }
};

TEST(HostKernels, EnforceTheChecksThatTheVerifierRecorded) {
  auto code = HostKernels::compileText(copyText, target());
  ASSERT_TRUE(code) << code.error().str();
  ASSERT_EQ(code->records()[0].contract.facts.size(), 1u);
  Vector x(20, 3), y(20);
  auto launch = code->launch("copy", {x.view(), y.view()});
  ASSERT_TRUE(launch) << launch.error().str();
  ImxEnv env{};
  EXPECT_EQ(launch->run(env, 0, launch->admitted.points), 0);
  EXPECT_EQ(y.data, x.data);

  Vector shorter(8);
  auto refused = code->launch("copy", {shorter.view(), y.view()});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, 282);
  std::string e = refused.error().str();
  EXPECT_NE(e.find("kernel 'copy' is not launched: it takes "), std::string::npos) << e;
  EXPECT_NE(e.find("sizes are m = 8, n = 20"), std::string::npos) << e;
}

TEST(HostKernels, RefuseAliasesAndUnknownNames) {
  auto code = HostKernels::compileText(copyText, target());
  ASSERT_TRUE(code);
  Vector x(20);
  auto refused = code->launch("copy", {x.view(), x.view()});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, 283);
  EXPECT_FALSE(code->launch("copi", {x.view(), x.view()}));
}

TEST(HostKernels, CompileOnlyWhatIsProven) {
  std::string swapped = copyText;
  swapped.replace(swapped.find("into %y[%i]"), 11, "into %y[%z]");
  swapped.insert(swapped.find("  %t ="), "  %z = arith.constant 0 : index\n");
  auto code = HostKernels::compileText(swapped, target());
  ASSERT_FALSE(code);
  EXPECT_EQ(code.error().code, 566);
  EXPECT_NE(code.error().str().find("kernel @copy"), std::string::npos) << code.error().str();
}

TEST(HostKernels, AKernelThatWasVerifiedBeforeGetsNoSecondCheck) {
  auto code = HostKernels::compileText(pickText, target());
  ASSERT_TRUE(code) << code.error().str();
  const size_t checks = code->records()[0].checks.size();
  EXPECT_EQ(checks, 2u); // not below 0, not behind the end

  mlir::DialectRegistry registry;
  registerTileKernelDialects(registry);
  mlir::MLIRContext context(registry);
  context.loadAllAvailableDialects();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(pickText, &context);
  auto kernel = *module->getOps<tile::KernelOp>().begin();
  ASSERT_TRUE(succeeded(tile::verifyKernel(kernel)));
  auto again = HostKernels::compile(*module, target());
  ASSERT_TRUE(again) << again.error().str();
  EXPECT_EQ(again->records()[0].checks.size(), checks);
}

} // namespace
} // namespace imbrex::codegen
