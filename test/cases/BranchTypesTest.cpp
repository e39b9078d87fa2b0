// If whose branches yield other ranks, as exporters write the removal of an axis that may be 1.
#include "test/cases/CompiledModel.h"

#include <gtest/gtest.h>

namespace imbrex::cases {
namespace {

constexpr DType f32 = DType::F32;

ModelBytes branch(const std::string &own, const char *op, const std::vector<std::string> &inputs) {
  ModelBytes b(17);
  return b.node(op, inputs, {own}).output(own, f32, {"?"});
}

/// y = x without axis 1 where that is 1, else x; x is [n, m, 4].
ModelBytes squeezed() {
  ModelBytes m(17);
  m.input("x", f32, {"n", "m", 4}).weight("one", ints({1}, {1}));
  m.node("Shape", {"x"}, {"shape"}).node("Gather", {"shape", "one"}, {"length"});
  m.node("Equal", {"length", "one"}, {"is_one"});
  return m.node("If", {"is_one"}, {"y"},
                {graph("then_branch", branch("less", "Squeeze", {"x", "one"})),
                 graph("else_branch", branch("same", "Identity", {"x"}))});
}

TEST(BranchTypes, WhatFollowsMovesInUpToWhereRanksAgree) {
  ModelBytes m = squeezed();
  m.node("Abs", {"y"}, {"a"}).weight("flat", ints({2}, {2, -1}));
  m.node("Reshape", {"a", "flat"}, {"r"}).node("Neg", {"r"}, {"z"}).output("z", f32, {2, "k"});
  auto c = CompiledModel::of(m);
  ASSERT_TRUE(c.ok()) << c.error().str();
  for (int64_t length : {1, 3}) {
    const HostTensor z = c->one({ramp({2, length, 4}, -3)});
    EXPECT_EQ(z.shape(), (std::vector<int64_t>{2, 4 * length}));
    for (int64_t i = 0; i < z.elems(); ++i)
      EXPECT_EQ(z.toDouble(i), -std::abs(double(i - 3))) << length;
  }
}

TEST(BranchTypes, TwoInARow) {
  ModelBytes m = squeezed();
  m.node("Unsqueeze", {"y", "one"}, {"back"}).node("Shape", {"back"}, {"shape2"});
  m.node("Size", {"shape2"}, {"axes"}).weight("three", ints({}, {3}));
  m.node("Equal", {"axes", "three"}, {"is_three"});
  m.node("If", {"is_three"}, {"w"},
         {graph("then_branch", branch("low", "Squeeze", {"back", "one"})),
          graph("else_branch", branch("high", "Identity", {"back"}))});
  m.node("ReduceSum", {"w"}, {"z"}, {integer("keepdims", 0)}).output("z", f32, {});
  auto c = CompiledModel::of(m);
  ASSERT_TRUE(c.ok()) << c.error().str();
  EXPECT_EQ(valuesOf(c->one({ramp({2, 1, 4})})), (std::vector<double>{28}));
  EXPECT_EQ(valuesOf(c->one({ramp({1, 3, 4})})), (std::vector<double>{66}));
}

TEST(BranchTypes, ABranchThatDoesNotFitWhatFollowsFailsWhenItRuns) {
  ModelBytes m = squeezed();
  m.node("Transpose", {"y"}, {"z"}, {integers("perm", {1, 0})}).output("z", f32, {4, "n"});
  auto c = CompiledModel::of(m);
  ASSERT_TRUE(c.ok()) << c.error().str();
  EXPECT_EQ(valuesOf(c->one({ramp({2, 1, 4})})), (std::vector<double>{0, 4, 1, 5, 2, 6, 3, 7}));
  auto bad = c->run({ramp({2, 3, 4})});
  ASSERT_FALSE(bad.ok());
  EXPECT_NE(bad.error().str().find("(Transpose) after it is not valid"), std::string::npos)
      << bad.error().str();
}

TEST(BranchTypes, ADeclaredRankDecides) {
  auto c = CompiledModel::of(squeezed().node("Neg", {"y"}, {"z"}).output("z", f32, {"n", 4}));
  ASSERT_TRUE(c.ok()) << c.error().str();
  EXPECT_EQ(valuesOf(c->one({ramp({1, 1, 4})})), (std::vector<double>{0, -1, -2, -3}));
  auto bad = c->run({ramp({2, 3, 4})});
  ASSERT_FALSE(bad.ok());
  EXPECT_NE(bad.error().str().find("declared rank is 2"), std::string::npos) << bad.error().str();
}

TEST(BranchTypes, AnOutputOfEitherRankIsRefused) {
  ModelBytes m = squeezed();
  m.node("Shape", {"y"}, {"s"}).node("ConstantOfShape", {"s"}, {"z"}).output("k", f32, {"p"});
  m.node("Identity", {"y"}, {"k"});
  // Declared with one axis, and neither branch yields that.
  auto c = CompiledModel::of(m);
  ASSERT_FALSE(c.ok());
  EXPECT_NE(c.error().str().find("declared rank is 1"), std::string::npos) << c.error().str();
}

} // namespace
} // namespace imbrex::cases
