// 500 seeded kernels, and the verifier with one rule taken away, which the fuzzer has to notice.
#include "compiler/passes/tile/fuzz/CheckKernel.h"

#include <gtest/gtest.h>

namespace imbrex::tile {
namespace {

class TileFuzz : public testing::Test {
protected:
  TileFuzz() {
    mlir::DialectRegistry registry;
    registry.insert<TileDialect, mlir::arith::ArithDialect, mlir::scf::SCFDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
};

TEST_F(TileFuzz, AcceptedKernelsKeepTheirPromises) {
  FuzzCounts counts;
  for (uint64_t seed = 0; counts.accepted < 500; ++seed)
    fuzzOne(context, seed, {}, counts);
  EXPECT_EQ(counts.bad, 0) << counts.firstBad;
  EXPECT_LE(counts.refusedCorrect * 20, counts.correct)
      << (counts.refused.empty() ? "" : counts.refused.front());
  EXPECT_GT(counts.runs, counts.accepted);
}

TEST_F(TileFuzz, EveryRuleIsNeeded) {
  for (int rule = 0; rule < kRuleCount; ++rule) {
    VerifyOptions options;
    options.without = static_cast<Rule>(rule);
    FuzzCounts counts;
    for (uint64_t seed = 0; seed < 3000 && !counts.bad; ++seed)
      fuzzOne(context, seed, options, counts);
    EXPECT_GT(counts.bad, 0) << "without rule " << ruleName(static_cast<Rule>(rule));
  }
}

} // namespace
} // namespace imbrex::tile
