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

struct OneFunction : ::testing::Test {
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  OpBuilder builder{&context};
  mlir::Location loc = UnknownLoc::get(&context);

  OneFunction() {
    context.loadDialect<RelayDialect>();
    module = ModuleOp::create(loc);
  }
  Value apply(StringRef name, ArrayRef<Value> operands) {
    return buildApply(builder, loc, name, operands)->getResult(0);
  }
  /// f(x [n, 4]) = step(step(… x)).
  FuncOp chain(unsigned steps, llvm::function_ref<Value(Value)> step) {
    TensorType type = TensorType::get(&context, {DimExpr::symbol("n"), 4}, builder.getF32Type());
    builder.setInsertionPointToEnd(module->getBody());
    auto func = FuncOp::create(builder, loc, "f", builder.getFunctionType({type}, {}),
                               {SymbolAttr::get(&context, "n", 1, 64, 1)});
    builder.setInsertionPointToStart(&func.entry());
    Value v = func.getArgument(0);
    for (unsigned i = 0; i < steps; ++i)
      v = step(v);
    ReturnOp::create(builder, loc, v);
    setResultTypes(func);
    return func;
  }
  void run(std::initializer_list<std::unique_ptr<Pass> (*)()> makers) {
    PassManager passes(&context);
    for (auto make : makers)
      passes.addNestedPass<FuncOp>(make());
    ASSERT_TRUE(succeeded(passes.run(*module)));
    EXPECT_TRUE(succeeded(mlir::verify(*module)));
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

TEST_F(OneFunction, ALongChainIsSeveralKernels) {
  FuncOp func = chain(100, [&](Value v) { return apply("tanh", {v}); });
  run({createFuseOpsPass});
  unsigned groups = 0;
  func->walk([&](FusedOp fused) {
    auto members = fused.entry().getOps<ApplyOp>();
    EXPECT_LE(std::distance(members.begin(), members.end()), 16);
    ++groups;
  });
  EXPECT_EQ(groups, 7u);
}

TEST_F(OneFunction, AConcatenationOfManyBecomesATree) {
  SmallVector<Value> parts;
  FuncOp func = chain(300, [&](Value v) {
    parts.push_back(v);
    return v;
  });
  TensorType before = TensorType::get(&context, {DimExpr::symbol("n"), 1200}, builder.getF32Type());
  opmeaning::Attrs axis;
  axis.values["axis"] = int64_t(1);
  builder.setInsertionPoint(func.returnOp());
  auto whole = buildApply(builder, loc, "concat", parts, axis);
  ASSERT_TRUE(whole.ok()) << whole.error().str();
  func.returnOp()->setOperands((*whole)->getResults());
  setResultTypes(func);
  run({createSplitConcatsPass, createFuseOpsPass});
  EXPECT_EQ(func.returnOp().getOperand(0).getType(), before);
  unsigned concats = 0;
  func->walk([&](FusedOp fused) {
    auto members = fused.entry().getOps<ApplyOp>();
    EXPECT_LE(std::distance(members.begin(), members.end()), 2) << "a tree joined again";
  });
  func->walk([&](ApplyOp op) {
    EXPECT_LE(op.getInputs().size(), 16u);
    ++concats;
  });
  EXPECT_EQ(concats, 19u + 2u + 1u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, FuseOpsTest, ::testing::Range(0u, 200u));

} // namespace
} // namespace imbrex::relay
