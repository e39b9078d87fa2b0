// Families Normalize, Pool and Quantize.
#include "support/opmeaning/ops/OpsTestSupport.h"

using namespace imbrex;
using namespace imbrex::opmeaning;
using namespace imbrex::opmeaning::test;

static HostTensor numbers(Shape shape) {
  HostTensor t(DType::F32, std::move(shape));
  for (int64_t i = 0; i < t.elems(); ++i)
    t.mutableData<float>()[i] = static_cast<float>(i * 7 % 11 - 5) / 2;
  return t;
}
static Attrs integer(const char *name, int64_t v) { return {{{name, v}}}; }

TEST(Normalize, Softmax) {
  const auto x = numbers({2, 3});
  expectTensor(run("softmax", {x}, integer("axis", 0)), {2, 3},
               {0.0066928505, 0.622459352, 0.622459352, 0.993307173, 0.377540678, 0.377540678},
               4e-7);
  expectTensor(run("log_softmax", {x}), {2, 3},
               {-3.65317822, -0.153178215, -2.15317822, -0.142931655, -2.1429317, -4.14293146},
               1e-6);
  expectTensor(run("softmax", {f32({2}, {1000, 1000})}), {2}, {0.5, 0.5});
  expectTensor(run("softmax", {f32({2}, {-Inf, -Inf})}), {2}, {NaN, NaN}); // wholly masked
  expectTensor(run("hardmax", {f32({2, 3}, {1, 3, 3, 2, 1, 1})}), {2, 3}, {0, 1, 0, 1, 0, 0});
  EXPECT_EQ(types("softmax", {operand("f16[n, m]")}), "f16[n, m]");
}

TEST(Normalize, ByMeanAndVariance) {
  auto r = runAll("layer_norm", {numbers({2, 4}), f32({4}, {1, 2, 3, 4}), f32({4}, {1, 0, 0, 0})});
  ASSERT_EQ(r.size(), 3u);
  expectTensor(r[0], {2, 4},
               {-0.313062429, 1.05044997, -1.57567501, 5.25224972, 1.19999933, -2.79999089,
                4.19998646, -0.799997389},
               1e-6);
  expectTensor(r[1], {2, 1}, {0, 0.25});
  expectTensor(r[2], {2, 1}, {0.525224984, 0.799997389}, 4e-7);
  const auto x = numbers({1, 2, 3}), scale = f32({2}, {2, 1}), bias = f32({2}, {0, 1});
  expectTensor(
      run("batch_norm", {x, scale, bias, f32({2}, {.5, -.5}), f32({2}, {4, 1})}), {1, 2, 3},
      {-2.99999642, 0.499999404, -1.49999821, 3.99998498, 1.99999499, 5.00679016e-06}, 1e-5);
  expectTensor(run("instance_norm", {x, scale, bias}), {1, 2, 3},
               {-2.32494712, 2.55744171, -0.232494727, 2.22474265, 1.0, -0.224742651}, 2e-6);
  expectTensor(run("group_norm",
                   {numbers({1, 4, 2}), f32({4}, {2, 1, 1, 1}), f32({4}, {0, 1, 0, 0})},
                   integer("groups", 2)),
               {1, 4, 2},
               {-2.6261251, 1.05044997, 0.474775016, 2.31306267, 0.199999347, -1.39999545,
                1.39999545, -0.199999347},
               2e-6);
  expectTensor(
      run("mean_variance_normalization", {numbers({2, 1, 1, 3})}, {{{"axes", Ints{0, 3}}}}),
      {2, 1, 1, 3}, {-1.39305198, 0.696525991, -0.497518569, 1.59205949, 0.398014873, -0.796029747},
      1e-6);
  expectTensor(run("rms_norm", {f32({1, 2}, {3, 4}), f32({2}, {1, 2})}, {{{"epsilon", 0.0}}}),
               {1, 2}, {0.848528137, 2.26274170}, 4e-7);
}

TEST(Normalize, ByNorms) {
  expectTensor(run("lrn", {numbers({1, 4, 1, 1})},
                   {{{"size", int64_t{3}}, {"alpha", 0.5}, {"beta", 0.75}, {"bias", 1.0}}}),
               {1, 4, 1, 1}, {-1.38003957, 0.522699747, -0.522699747, 1.38003957}, 1e-6);
  expectTensor(run("lp_normalization", {numbers({2, 3})}), {2, 3},
               {-0.870388269, 0.34815532, -0.34815532, 0.845154226, 0.169030845, -0.507092535},
               1e-6);
  expectTensor(run("lp_normalization", {f32({2}, {0, 0})}), {2}, {0, 0});
}

TEST(Normalize, Refusals) {
  EXPECT_HAS(types("batch_norm", {operand("f32[1, 3, 2]"), operand("f32[4]"), operand("f32[3]"),
                                  operand("f32[3]"), operand("f32[3]")}),
             "the scale f32[4] is not one number a channel");
  EXPECT_HAS(types("group_norm", {operand("f32[1, 3, 2]"), operand("f32[3]"), operand("f32[3]")},
                   integer("groups", 2)),
             "do not divide");
  EXPECT_HAS(types("softmax", {operand("i32[3]")}), "not a float");
}

TEST(Pool, MaxWithPlaces) {
  auto r = runAll("max_pool", {numbers({1, 1, 4, 5})},
                  {{{"kernel", Ints{3, 2}}, {"strides", Ints{2, 2}}, {"pads", Ints{1, 0, 0, 1}}}});
  ASSERT_EQ(r.size(), 2u);
  expectTensor(r[0], {1, 1, 2, 3}, {2, 2.5, 1.5, 2, 2, 2.5});
  expectTensor(r[1], {1, 1, 2, 3}, {6, 3, 9, 6, 17, 14});
}

TEST(Pool, PlacesCountAcrossChannelsAndInColumnOrder) {
  HostTensor x(DType::F32, {1, 2, 2, 3});
  for (int64_t i = 0; i < 12; ++i)
    x.mutableData<float>()[i] = static_cast<float>(i);
  Attrs attrs{{{"kernel", Ints{2, 2}}}};
  expectTensor(runAll("max_pool", {x}, attrs)[1], {1, 2, 1, 2}, {4, 5, 10, 11});
  attrs.values["storage_order"] = int64_t{1};
  expectTensor(runAll("max_pool", {x}, attrs)[1], {1, 2, 1, 2}, {3, 5, 9, 11});
}

TEST(Pool, CeilModeStartsNoWindowInTheEndPadding) {
  Attrs attrs{
      {{"kernel", Ints{2}}, {"strides", Ints{3}}, {"pads", Ints{0, 1}}, {"ceil_mode", int64_t{1}}}};
  EXPECT_EQ(types("max_pool", {operand("f32[1, 1, 6]")}, attrs), "f32[1, 1, 2] i64[1, 1, 2]");
  EXPECT_EQ(types("max_pool", {operand("f32[1, 1, 7]")}, attrs), "f32[1, 1, 3] i64[1, 1, 3]");
  Attrs beyond{{{"kernel", Ints{2}}, {"strides", Ints{2}}, {"ceil_mode", int64_t{1}}}};
  expectTensor(run("max_pool", {f32({1, 1, 5}, {1, 2, 3, 4, 5})}, beyond), {1, 1, 3}, {2, 4, 5});
  expectTensor(run("average_pool", {f32({1, 1, 5}, {1, 2, 3, 4, 5})}, beyond), {1, 1, 3},
               {1.5, 3.5, 5});
}

TEST(Pool, AveragesDivideByWhatCounts) {
  Attrs attrs{{{"kernel", Ints{3, 3}}, {"strides", Ints{2, 2}}, {"pads", Ints{1, 1, 0, 0}}}};
  expectTensor(run("average_pool", {numbers({1, 1, 4, 4})}, attrs), {1, 1, 2, 2},
               {-0.625, 0.5, -0.25, 0.111111112}, 4e-7);
  attrs.values["count_include_pad"] = int64_t{1};
  expectTensor(run("average_pool", {numbers({1, 1, 4, 4})}, attrs), {1, 1, 2, 2},
               {-0.277777791, 0.333333343, -0.166666672, 0.111111112}, 4e-7);
}

TEST(Pool, NormsAndWholeChannels) {
  expectTensor(run("lp_pool", {f32({1, 1, 4}, {3, 4, 0, -5})}, {{{"kernel", Ints{2}}}}), {1, 1, 3},
               {5, 4, 5});
  const auto x = f32({1, 2, 2}, {3, -4, 1, 2});
  expectTensor(run("global_max_pool", {x}), {1, 2, 1}, {3, 2});
  expectTensor(run("global_average_pool", {x}), {1, 2, 1}, {-0.5, 1.5});
  expectTensor(run("global_lp_pool", {x}, integer("p", 1)), {1, 2, 1}, {7, 3});
  EXPECT_EQ(types("global_average_pool", {operand("f32[n, 3, h, w]")}), "f32[n, 3, 1, 1]");
  EXPECT_HAS(types("max_pool", {operand("f32[1, 1, 2]")}, {{{"kernel", Ints{3}}}}),
             "reaches over 3");
  EXPECT_HAS(types("max_pool", {operand("f32[1, 1, 2]")}, {{{"kernel", Ints{1, 1}}}}),
             "kernel has 2 entries");
}

TEST(Quantize, Linear) {
  const auto x = f32({6}, {-300, -1.5, -0.5, 0.5, 1.5, 300});
  expectTensor(run("quantize_linear", {x, f32({}, {1}), u8({}, {10})}), {6},
               {0, 8, 10, 10, 12, 255});
  expectTensor(run("quantize_linear", {x, f32({}, {1})}, {{{"to", DType::I8}}}), {6},
               {-128, -2, 0, 0, 2, 127});
  expectTensor(run("quantize_linear", {f32({1, 2}, {4, 4}), f32({2}, {2, 4}), u8({2}, {0, 1})}),
               {1, 2}, {2, 2});
  expectTensor(run("dequantize_linear", {u8({2}, {0, 255}), f32({}, {0.5}), u8({}, {128})}), {2},
               {-64, 63.5});
  expectTensor(run("dequantize_linear", {i8({4}, {1, 2, 3, 4}), f32({2}, {1, 10})},
                   {{{"axis", int64_t{0}}, {"block_size", int64_t{2}}}}),
               {4}, {1, 2, 30, 40});
  EXPECT_HAS(types("quantize_linear", {operand("f32[2]"), operand("f32[]"), operand("i32[]")}),
             "2 to 16 bits");
}

TEST(Quantize, Dynamic) {
  auto r = runAll("dynamic_quantize_linear", {f32({4}, {-1, 0, 2, 4.1f})});
  ASSERT_EQ(r.size(), 3u);
  expectTensor(r[1], {}, {0.02}, 1e-6);
  expectTensor(r[2], {}, {50});
  expectTensor(r[0], {4}, {0, 50, 150, 255});
  auto zero = runAll("dynamic_quantize_linear", {f32({2}, {0, 0})});
  expectTensor(zero[1], {}, {1});
}
