// FuseOps on random graphs: the result always verifies, so no group needs its own result (a cycle
// would break dominance), each operator is in exactly one group, and no group has two anchors.
#include "compiler/passes/graph/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

#include <random>

using namespace mlir;

namespace imbrex::relay {
namespace {

struct FuseOpsTest : ::testing::TestWithParam<unsigned> {
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  OpBuilder builder{&context};
  mlir::Location loc = UnknownLoc::get(&context);
  std::mt19937 random{GetParam()};

  FuseOpsTest() {
    context.loadDialect<RelayDialect>();
    module = ModuleOp::create(loc);
  }

  unsigned pick(size_t count) { return random() % count; }

  Value apply(StringRef name, ArrayRef<Value> operands) {
    Result<ApplyOp> result = buildApply(builder, loc, name, operands);
    EXPECT_TRUE(result.ok()) << name.str() << ": " << (result ? "" : result.error().str());
    return result->getResult(0);
  }

  /// One more operator over earlier values, all of shape [n, 4, 4]; recent values are likelier.
  Value grow(ArrayRef<Value> values) {
    auto any = [&] { return values[values.size() - 1 - pick(std::min<size_t>(values.size(), 6))]; };
    switch (pick(7)) {
    case 0:
      return apply("matmul", {any(), any()});
    case 1:
      return apply("softmax", {any()});
    case 2:
      return apply("exp", {any()});
    case 3:
      return apply("reduce_mean", {any()}); // [1, 1, 1], broadcast by whoever uses it
    case 4:
      return apply("sub", {any(), any()});
    default:
      return apply("add", {any(), any()});
    }
  }

  FuncOp randomFunction(unsigned size) {
    TensorType type = TensorType::get(&context, {DimExpr::symbol("n"), 4, 4}, builder.getF32Type());
    builder.setInsertionPointToEnd(module->getBody());
    auto func = FuncOp::create(builder, loc, "f", builder.getFunctionType({type}, {}),
                               {SymbolAttr::get(&context, "n", 1, 64, 1)});
    builder.setInsertionPointToStart(&func.entry());
    SmallVector<Value> values{func.getArgument(0)};
    while (values.size() < size) {
      Value value = grow(values);
      if (value.getType() != type)
        value = apply("add", {value, values[pick(values.size())]});
      values.push_back(value);
    }
    ReturnOp::create(builder, loc, ValueRange(values).take_back(2));
    setResultTypes(func);
    return func;
  }
};

bool isAnchorName(StringRef name) {
  return name == "matmul" || name == "softmax" || name == "reduce_mean";
}

TEST_P(FuseOpsTest, GroupsAreConvexAndHaveOneAnchor) {
  FuncOp func = randomFunction(10 + GetParam() % 50);
  ASSERT_TRUE(succeeded(mlir::verify(*module)));
  unsigned before = 0, after = 0;
  func->walk([&](ApplyOp) { ++before; });
  PassManager passes(&context);
  passes.addNestedPass<FuncOp>(createFuseOpsPass());
  ASSERT_TRUE(succeeded(passes.run(*module)));
  EXPECT_TRUE(succeeded(mlir::verify(*module)));
  for (Operation &op : func.entry())
    EXPECT_FALSE(isa<ApplyOp>(op)) << "an operator is in no group";
  func->walk([&](FusedOp fused) {
    unsigned anchors = 0;
    for (ApplyOp apply : fused.entry().getOps<ApplyOp>()) {
      ++after;
      anchors += isAnchorName(apply.getOperatorName());
    }
    EXPECT_LE(anchors, 1u);
  });
  EXPECT_EQ(before, after);
}

INSTANTIATE_TEST_SUITE_P(Seeds, FuseOpsTest, ::testing::Range(0u, 200u));

} // namespace
} // namespace imbrex::relay
