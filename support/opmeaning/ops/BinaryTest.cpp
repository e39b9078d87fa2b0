#include "support/opmeaning/ops/OpsTestSupport.h"

using namespace imbrex;
using namespace imbrex::opmeaning;
using namespace imbrex::opmeaning::test;

TEST(Binary, Arithmetic) {
  const auto a = f32({2}, {7, -7}), b = f32({2}, {2, 2});
  expectTensor(run("add", {a, b}), {2}, {9, -5});
  expectTensor(run("sub", {a, b}), {2}, {5, -9});
  expectTensor(run("mul", {a, b}), {2}, {14, -14});
  expectTensor(run("div", {a, b}), {2}, {3.5, -3.5});
  expectTensor(run("pow", {a, b}), {2}, {49, 49});
  expectTensor(run("div", {i32({2}, {7, -7}), i32({2}, {2, 2})}), {2}, {3, -3});
}

TEST(Binary, ModTakesTheDivisorsSignAndFmodTheDividends) {
  const auto a = i32({4}, {7, -7, 7, -7}), b = i32({4}, {3, 3, -3, -3});
  expectTensor(run("mod", {a, b}), {4}, {1, 2, -2, -1});
  expectTensor(run("mod", {a, b}, {{{"fmod", int64_t{1}}}}), {4}, {1, -1, 1, -1});
}

TEST(Binary, IntegerDivisionByZeroIsReported) {
  EXPECT_HAS(failure("div", {i32({1}, {1}), i32({1}, {0})}), "E0542");
}

TEST(Binary, PowMixesTypes) {
  expectTensor(run("pow", {i32({2}, {2, 9}), f32({2}, {3, 0.5})}), {2}, {8, 3});
  expectTensor(run("pow", {f32({2}, {2, 4}), i64({2}, {-1, 2})}), {2}, {0.5, 16});
  EXPECT_EQ(types("pow", {operand("f32[n]"), operand("i64[]")}), "f32[n]");
}

TEST(Binary, BroadcastsAlignedAtTheEnds) {
  expectTensor(run("add", {f32({2, 1}, {10, 20}), f32({3}, {1, 2, 3})}), {2, 3},
               {11, 12, 13, 21, 22, 23});
  EXPECT_EQ(types("add", {operand("f32[n, 1, 4]"), operand("f32[m, 1]")}), "f32[n, m, 4]");
  EXPECT_EQ(types("add", {operand("f32[0]"), operand("f32[1]")}), "f32[0]");
  EXPECT_EQ(types("add", {operand("f32[n]"), operand("f32[m]")}), "f32[bcast(m, n)]");
  EXPECT_EQ(types("add", {operand("f32[n]"), operand("f32[4]")}), "f32[4]");
  EXPECT_HAS(types("add", {operand("f32[2]"), operand("f32[3]")}), "do not broadcast");
  EXPECT_HAS(types("add", {operand("f32[2]"), operand("f64[2]")}), "different element types");
}

TEST(Binary, ComparisonsGiveBool) {
  const auto a = f32({4}, {1, 2, 3, NaN}), b = f32({4}, {2, 2, 2, 2});
  expectTensor(run("equal", {a, b}), {4}, {0, 1, 0, 0});
  expectTensor(run("less", {a, b}), {4}, {1, 0, 0, 0});
  expectTensor(run("less_equal", {a, b}), {4}, {1, 1, 0, 0});
  expectTensor(run("greater", {a, b}), {4}, {0, 0, 1, 0});
  expectTensor(run("greater_equal", {a, b}), {4}, {0, 1, 1, 0});
  EXPECT_EQ(types("less", {operand("i64[n]"), operand("i64[1]")}), "bool[n]");
}

TEST(Binary, LogicAndBits) {
  const auto a = boolean({4}, {0, 0, 1, 1}), b = boolean({4}, {0, 1, 0, 1});
  expectTensor(run("and", {a, b}), {4}, {0, 0, 0, 1});
  expectTensor(run("or", {a, b}), {4}, {0, 1, 1, 1});
  expectTensor(run("xor", {a, b}), {4}, {0, 1, 1, 0});
  const auto x = u8({1}, {12}), y = u8({1}, {10});
  expectTensor(run("bitwise_and", {x, y}), {1}, {8});
  expectTensor(run("bitwise_or", {x, y}), {1}, {14});
  expectTensor(run("bitwise_xor", {x, y}), {1}, {6});
  const auto n = u8({3}, {1, 7, 8});
  expectTensor(run("shift", {u8({3}, {3, 3, 3}), n}, {{{"direction", std::string("left")}}}), {3},
               {6, 128, 0});
  expectTensor(run("shift", {u8({3}, {255, 255, 255}), n}, {{{"direction", std::string("right")}}}),
               {3}, {127, 1, 0});
}

TEST(Binary, AnyNumberOfOperands) {
  const auto x = f32({2}, {1, NaN}), y = f32({1}, {3}), z = f32({2}, {2, 5});
  expectTensor(run("max", {x, y, z}), {2}, {3, NaN});
  expectTensor(run("min", {x, y, z}), {2}, {1, NaN});
  expectTensor(run("sum", {x, y, z}), {2}, {6, NaN});
  expectTensor(run("mean", {x, y, z}), {2}, {2, NaN});
  expectTensor(run("max", {z}), {2}, {2, 5});
  const auto five = f32({2}, {1.25, -3});
  expectTensor(run("sum", {five, five, five, five, five}), {2}, {6.25, -15});
}

TEST(Binary, EveryStepRoundsToItsType) {
  const auto tiny = f32({1}, {1e-30f}), large = f32({1}, {1e30f});
  const auto one = run("mul", {tiny, large});
  expectTensor(run("mul", {one, large}), {1}, {static_cast<double>(1e-30f * 1e30f * 1e30f)});
}

TEST(Binary, PreluBroadcastsTheSlopeOnly) {
  expectTensor(run("prelu", {f32({2, 2}, {-1, 2, -3, 4}), f32({2, 1}, {0.5, 0.25})}), {2, 2},
               {-0.5, 2, -0.75, 4});
  EXPECT_EQ(types("prelu", {operand("f32[n, 64, 8, 8]"), operand("f32[64, 1, 1]")}),
            "f32[n, 64, 8, 8]");
  EXPECT_EQ(types("prelu", {operand("f32[n, 64, 8, 8]"), operand("f32[1, 1]")}),
            "f32[n, 64, 8, 8]");
  EXPECT_HAS(types("prelu", {operand("f32[1, 8]"), operand("f32[4, 8]")}), "does not broadcast");
}

TEST(Binary, WhereReadsOnlyWhatIsChosen) {
  expectTensor(run("where", {boolean({2, 1}, {1, 0}), f32({2}, {1, 2}), f32({}, {9})}), {2, 2},
               {1, 2, 9, 9});
  EXPECT_HAS(types("where", {operand("f32[1]"), operand("f32[1]"), operand("f32[1]")}), "not bool");
}

TEST(Binary, ClipWithEitherBound) {
  const auto x = f32({3}, {-5, 0, 5});
  const std::optional<HostTensor> none;
  expectTensor(run("clip", {x, f32({}, {-1}), f32({}, {1})}), {3}, {-1, 0, 1});
  expectTensor(run("clip", {x, none, f32({}, {1})}), {3}, {-5, 0, 1});
  expectTensor(run("clip", {x, f32({}, {-1})}), {3}, {-1, 0, 5});
  expectTensor(run("clip", {x, f32({}, {2}), f32({}, {1})}), {3}, {1, 1, 1});
  EXPECT_HAS(types("clip", {operand("f32[3]"), operand("f32[3]")}), "not a scalar");
  EXPECT_HAS(failure("clip", {none, f32({}, {1})}), "missing");
}
