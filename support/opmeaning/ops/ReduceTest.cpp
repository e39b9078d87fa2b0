#include "support/opmeaning/ops/OpsTestSupport.h"

using namespace imbrex;
using namespace imbrex::opmeaning;
using namespace imbrex::opmeaning::test;

static Attrs over(Ints axes, int64_t keepdims = 0) {
  return {{{"axes", std::move(axes)}, {"keepdims", keepdims}}};
}
static const HostTensor x = f32({2, 3}, {-2.5, 1, -1, 2.5, 0.5, -1.5});

TEST(Reduce, Values) {
  expectTensor(run("reduce_sum", {x}, over({1})), {2}, {-2.5, 1.5});
  expectTensor(run("reduce_sum", {x}, over({-2}, 1)), {1, 3}, {0, 1.5, -2.5});
  expectTensor(run("reduce_sum", {x}, over({})), {}, {-1});
  expectTensor(run("reduce_prod", {x}, over({1})), {2}, {2.5, -1.875});
  expectTensor(run("reduce_max", {x}, over({0})), {3}, {2.5, 1, -1});
  expectTensor(run("reduce_min", {x}, over({0})), {3}, {-2.5, 0.5, -1.5});
  expectTensor(run("reduce_mean", {x}, over({1})), {2}, {-0.833333333, 0.5}, 2e-7);
  expectTensor(run("reduce_l1", {x}, over({1})), {2}, {4.5, 4.5});
  expectTensor(run("reduce_l2", {x}, over({0}, 1)), {1, 3}, {3.53553391, 1.11803401, 1.80277562},
               2e-7);
  expectTensor(run("reduce_sum_square", {x}, over({1})), {2}, {8.25, 8.75});
  expectTensor(run("reduce_log_sum", {f32({2}, {1, 3})}, over({})), {}, {1.38629436}, 2e-7);
  expectTensor(run("reduce_log_sum_exp", {x}, over({1})), {2}, {1.15317822, 2.6429317}, 4e-7);
}

TEST(Reduce, LogSumExpSurvivesInfinities) {
  expectTensor(run("reduce_log_sum_exp", {f32({4, 2}, {-Inf, -Inf, -Inf, 1, Inf, 1, 1000, 1000})},
                   over({1})),
               {4}, {-Inf, 1, Inf, 1000.69315}, 2e-7);
}

TEST(Reduce, EmptySetsGiveTheIdentity) {
  const auto none = f32({2, 0}, {});
  expectTensor(run("reduce_sum", {none}, over({1})), {2}, {0, 0});
  expectTensor(run("reduce_prod", {none}, over({1})), {2}, {1, 1});
  expectTensor(run("reduce_max", {none}, over({1})), {2}, {-Inf, -Inf});
  expectTensor(run("reduce_min", {none}, over({1})), {2}, {Inf, Inf});
  expectTensor(run("reduce_max", {i8({0}, {})}, over({})), {}, {-128});
  expectTensor(run("reduce_mean", {none}, over({1})), {2}, {NaN, NaN});
  EXPECT_HAS(types("reduce_mean", {operand("i32[0]")}), "no elements");
  EXPECT_HAS(types("argmax", {operand("f32[0]")}), "empty axis");
}

TEST(Reduce, IntegersBoolsAndNaN) {
  expectTensor(run("reduce_mean", {i32({2}, {-3, 2})}, over({})), {}, {0}); // -1 / 2 truncates
  expectTensor(run("reduce_sum", {i8({2}, {100, 100})}, over({})), {}, {-56});
  expectTensor(run("reduce_max", {boolean({2, 2}, {0, 1, 0, 0})}, over({1})), {2}, {1, 0});
  expectTensor(run("reduce_min", {boolean({2, 2}, {1, 1, 0, 1})}, over({1})), {2}, {1, 0});
  expectTensor(run("reduce_max", {f32({3}, {1, NaN, 2})}, over({})), {}, {NaN});
}

TEST(Reduce, SixteenBitFloatsAddUpInF32) {
  HostTensor ones(DType::BF16, {1000});
  for (int64_t i = 0; i < 1000; ++i)
    ones.mutableData<uint16_t>()[i] = floatToBfloat16(1);
  expectTensor(run("reduce_sum", {ones}, over({})), {}, {1000}); // bf16 alone stops at 256
}

TEST(Reduce, Types) {
  EXPECT_EQ(types("reduce_sum", {operand("f32[n, 3, m]")}, over({0, -1})), "f32[3]");
  EXPECT_EQ(types("reduce_sum", {operand("f32[n, 3, m]")}, over({0, -1}, 1)), "f32[1, 3, 1]");
  EXPECT_HAS(types("reduce_sum", {operand("f32[n]")}, over({1})), "outside a tensor of rank 1");
  EXPECT_HAS(types("reduce_sum", {operand("f32[n, m]")}, over({1, -1})), "named twice");
}

TEST(Reduce, PlacesOfExtremes) {
  const auto v = f32({2, 3}, {1, 3, 3, 2, 1, 1});
  Attrs rows{{{"axis", int64_t{1}}, {"keepdims", int64_t{0}}}};
  expectTensor(run("argmax", {v}, rows), {2}, {1, 0});
  expectTensor(run("argmin", {v}, rows), {2}, {0, 1});
  rows.values["select_last_index"] = int64_t{1};
  expectTensor(run("argmax", {v}, rows), {2}, {2, 0});
  expectTensor(run("argmin", {v}, rows), {2}, {0, 2});
  expectTensor(run("argmax", {f32({3}, {5, NaN, NaN})}), {1}, {1});
  EXPECT_EQ(types("argmax", {operand("f32[n, 3]")}, {{{"axis", int64_t{1}}}}), "i64[n, 1]");
}

TEST(Reduce, Scans) {
  const auto v = f32({3}, {1, 2, 4});
  auto attrs = [](int64_t exclusive, int64_t reverse) {
    return Attrs{{{"axis", int64_t{0}}, {"exclusive", exclusive}, {"reverse", reverse}}};
  };
  expectTensor(run("cumsum", {v}, attrs(0, 0)), {3}, {1, 3, 7});
  expectTensor(run("cumsum", {v}, attrs(1, 0)), {3}, {0, 1, 3});
  expectTensor(run("cumsum", {v}, attrs(0, 1)), {3}, {7, 6, 4});
  expectTensor(run("cumsum", {v}, attrs(1, 1)), {3}, {6, 4, 0});
  expectTensor(run("cumprod", {v}, attrs(0, 0)), {3}, {1, 2, 8});
}
