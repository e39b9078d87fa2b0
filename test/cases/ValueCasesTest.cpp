// Reports of wrong values in other compilers, replayed: right values here, with sizes known and
// forgotten.
#include "test/cases/CompiledModel.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>

namespace imbrex::cases {
namespace {

using Ranks = std::vector<std::pair<std::string, int64_t>>;
using Doubles = std::vector<double>;
constexpr DType f32 = DType::F32, i64 = DType::I64;

/// The model compiled for its sizes, and for any.
void both(const ModelBytes &model, const Ranks &ranks,
          const std::function<void(CompiledModel &)> &check) {
  auto known = CompiledModel::of(model), open = CompiledModel::open(model, ranks);
  ASSERT_TRUE(known.ok()) << known.error().str();
  ASSERT_TRUE(open.ok()) << open.error().str();
  check(*known);
  check(*open);
}

ModelBytes resized(const Sizes &in, const Sizes &out, const std::vector<float> &scales,
                   const std::vector<AttributeBytes> &attributes) {
  ModelBytes m(13);
  m.input("x", f32, in).weight("scales", floats({int64_t(scales.size())}, scales));
  return m.node("Resize", {"x", "", "scales"}, {"y"}, attributes).output("y", f32, out);
}

TEST(ValueCases, C01_NearestTakesTheLowerOfTwo) {
  auto m = resized({1, 1, 3, 3}, {1, 1, 4, 4}, {1, 1, 1.5, 1.5},
                   {word("mode", "nearest"), word("nearest_mode", "round_prefer_floor"),
                    word("coordinate_transformation_mode", "half_pixel")});
  both(m, {{"x", 4}}, [](CompiledModel &c) {
    EXPECT_EQ(valuesOf(c.one({ramp({1, 1, 3, 3})})),
              (Doubles{0, 0, 1, 2, 0, 0, 1, 2, 3, 3, 4, 5, 6, 6, 7, 8}));
  });
}

TEST(ValueCases, C04_ATensorAddedToItselfFiveTimes) {
  ModelBytes m(13);
  m.input("x", f32, {4}).node("Sum", {"x", "x", "x", "x", "x"}, {"y"}).output("y", f32, {4});
  both(m, {{"x", 1}}, [](CompiledModel &c) {
    EXPECT_EQ(valuesOf(c.one({floats({4}, {1, -2, 0.5, 3})})), (Doubles{5, -10, 2.5, 15}));
  });
}

TEST(ValueCases, C06_SlopesBroadcastFromTheEnd) {
  auto prelu = [](const Sizes &x, const Sizes &slope) {
    ModelBytes m(16);
    m.input("x", f32, x).input("slope", f32, slope);
    return m.node("PRelu", {"x", "slope"}, {"y"}).output("y", f32, x);
  };
  both(prelu({1, 64, 1, 2}, {64, 1, 1}), {{"x", 4}, {"slope", 3}}, [](CompiledModel &c) {
    auto y = c.one({ramp({1, 64, 1, 2}, -128), ramp({64, 1, 1})});
    for (int64_t i = 0; i < 128; ++i)
      EXPECT_EQ(y.toDouble(i), double((i - 128) * (i / 2))) << i;
  });
  both(prelu({2, 3}, {1, 1}), {{"x", 2}, {"slope", 2}}, [](CompiledModel &c) {
    EXPECT_EQ(valuesOf(c.one({ramp({2, 3}, -3), floats({1, 1}, {0.5})})),
              (Doubles{-1.5, -1, -0.5, 0, 1, 2}));
  });
  both(prelu({4}, {4}), {{"x", 1}, {"slope", 1}}, [](CompiledModel &c) {
    EXPECT_EQ(valuesOf(c.one({ramp({4}, -4), ramp({4}, 1)})), (Doubles{-4, -6, -6, -4}));
  });
}

TEST(ValueCases, C08_BlocksOfFourChannelsIntoBlocksOfTwo) {
  ModelBytes m(13); // [n, 5, h, w, 4] to [n, 10, h, w, 2]
  m.input("x", f32, {2, 5, 3, 2, 4})
      .weight("flat", ints({4}, {0, 20, 3, 2}))
      .weight("pairs", ints({5}, {0, 10, 2, 3, 2}))
      .node("Transpose", {"x"}, {"a"}, {integers("perm", {0, 1, 4, 2, 3})})
      .node("Reshape", {"a", "flat"}, {"b"})
      .node("Reshape", {"b", "pairs"}, {"c"})
      .node("Transpose", {"c"}, {"y"}, {integers("perm", {0, 1, 3, 4, 2})})
      .output("y", f32, {2, 10, 3, 2, 2});
  both(m, {{"x", 5}}, [](CompiledModel &c) {
    auto y = c.one({ramp({2, 5, 3, 2, 4})});
    ASSERT_EQ(y.shape(), (std::vector<int64_t>{2, 10, 3, 2, 2}));
    for (int64_t n = 0; n < 2; ++n)
      for (int64_t channel = 0; channel < 20; ++channel)
        for (int64_t p = 0; p < 6; ++p)
          EXPECT_EQ(y.toDouble(((n * 10 + channel / 2) * 6 + p) * 2 + channel % 2),
                    double(((n * 5 + channel / 4) * 6 + p) * 4 + channel % 4));
  });
}

TEST(ValueCases, C11_BothBranchesGiveBackWhatTheyReshape) {
  auto branch = [](const char *name) {
    const std::string own(name);
    ModelBytes b(13);
    b.weight(own + "_flat", ints({1}, {32})).weight(own + "_back", ints({2}, {4, 8}));
    b.node("Reshape", {"x", own + "_flat"}, {own + "_a"});
    return b.node("Reshape", {own + "_a", own + "_back"}, {own}).output(own, f32, {4, 8});
  };
  ModelBytes m(13);
  m.input("go", DType::Bool, {}).input("x", f32, {4, 8});
  m.node("If", {"go"}, {"y"},
         {graph("then_branch", branch("yes")), graph("else_branch", branch("no"))});
  m.output("y", f32, {4, 8});
  both(m, {{"x", 2}}, [](CompiledModel &c) {
    for (uint8_t go : {0, 1}) {
      auto condition = HostTensor::of<uint8_t>(DType::Bool, {}, std::span(&go, 1));
      EXPECT_EQ(valuesOf(c.one({condition, ramp({4, 8})})), valuesOf(ramp({4, 8})));
    }
  });
}

TEST(ValueCases, C13_CubicToOneElementAndNearestOverARamp) {
  auto one = resized({1, 1, 4, 4}, {1, 1, 1, 1}, {1, 1, 0.25, 0.25}, {word("mode", "cubic")});
  both(one, {{"x", 4}}, [](CompiledModel &c) {
    // The place is 1.5: weights -0.09375, 0.59375, 0.59375, -0.09375 on both axes.
    const double w[] = {-0.09375, 0.59375, 0.59375, -0.09375};
    std::vector<float> x;
    double expected = 0;
    for (int i = 0; i < 16; ++i) {
      x.push_back(float(i * i % 7));
      expected += w[i / 4] * w[i % 4] * x.back();
    }
    EXPECT_NEAR(valuesOf(c.one({floats({1, 1, 4, 4}, x)})).at(0), expected, 1e-5);
  });
  ModelBytes m(13);
  m.input("x", f32, {1, 1, 1, 26}).weight("sizes", ints({4}, {1, 1, 1, 64}));
  m.node("Resize", {"x", "", "", "sizes"}, {"y"}, {word("mode", "nearest")});
  m.output("y", f32, {1, 1, 1, 64});
  both(m, {{"x", 4}}, [](CompiledModel &c) {
    auto y = c.one({ramp({1, 1, 1, 26})});
    ASSERT_EQ(y.elems(), 64);
    for (int64_t i = 0; i < 64; ++i) { // ceil of ((2i + 1) * 26 - 64) / 128 - 1/2, in integers
      const int64_t place = std::max<int64_t>(0, ((2 * i + 1) * 26 - 128 + 127) / 128);
      EXPECT_EQ(y.toInt(i), std::min<int64_t>(25, place)) << i;
    }
    EXPECT_EQ((Doubles{y.toDouble(30), y.toDouble(31), y.toDouble(32), y.toDouble(33)}),
              (Doubles{12, 12, 13, 13}));
  });
}

TEST(ValueCases, C14_SoftplusOfANegativeNumber) {
  ModelBytes m(13);
  m.input("x", f32, {1}).node("Softplus", {"x"}, {"y"}).output("y", f32, {1});
  both(m, {{"x", 1}}, [](CompiledModel &c) {
    const double expected = std::log1p(std::exp(double(-12.3392f)));
    EXPECT_NEAR(c.one({floats({1}, {-12.3392f})}).toDouble(0), expected, 1e-6 * expected);
    EXPECT_NEAR(expected, 4.377e-6, 1e-9);
  });
}

TEST(ValueCases, C16_PolynomialsOfIntegersAreExact) {
  ModelBytes m(13); // x*x + 3*x*y + y*y
  const int32_t three = 3;
  m.input("x", DType::I32, {4}).input("y", DType::I32, {4});
  m.weight("three", HostTensor::of<int32_t>(DType::I32, {}, std::span(&three, 1)));
  m.node("Mul", {"x", "x"}, {"xx"}).node("Mul", {"y", "y"}, {"yy"}).node("Mul", {"x", "y"}, {"xy"});
  m.node("Mul", {"three", "xy"}, {"xy3"}).node("Add", {"xx", "xy3"}, {"a"});
  m.node("Add", {"a", "yy"}, {"z"}).output("z", DType::I32, {4});
  both(m, {{"x", 1}, {"y", 1}}, [](CompiledModel &c) {
    const std::vector<int32_t> x = {3, -46341, 65536, INT32_MIN}, y = {5, 2, 7, -1};
    auto z = c.one(
        {HostTensor::of<int32_t>(DType::I32, {4}, x), HostTensor::of<int32_t>(DType::I32, {4}, y)});
    for (size_t i = 0; i < 4; ++i) {
      const auto a = uint32_t(x[i]), b = uint32_t(y[i]);
      EXPECT_EQ(z.toInt(int64_t(i)), int64_t(int32_t(a * a + 3 * a * b + b * b))) << i;
    }
  });
}

TEST(ValueCases, C16_CastsKeepWhatTheirTypesKeep) {
  auto through = [](DType from, DType middle, DType to) {
    ModelBytes m(13);
    m.input("x", from, {1});
    auto type = [](DType t) { return integer("to", t == DType::U8 ? 2 : t == DType::F32 ? 1 : 7); };
    m.node("Cast", {"x"}, {"a"}, {type(middle)}).node("Cast", {"a"}, {"y"}, {type(to)});
    return m.output("y", to, {1});
  };
  both(through(DType::I8, DType::U8, f32), {{"x", 1}}, [](CompiledModel &c) {
    const int8_t x = -1;
    EXPECT_EQ(c.one({HostTensor::of<int8_t>(DType::I8, {1}, std::span(&x, 1))}).toDouble(0), 255);
  });
  both(through(DType::I32, f32, i64), {{"x", 1}}, [](CompiledModel &c) {
    const int32_t x = 16777217;
    EXPECT_EQ(c.one({HostTensor::of<int32_t>(DType::I32, {1}, std::span(&x, 1))}).toInt(0),
              16777216);
  });
}

TEST(ValueCases, C16_ProductsAreNotReordered) {
  ModelBytes m(13);
  m.input("x", f32, {1}).weight("big", floats({}, {1e30f}));
  m.node("Mul", {"x", "big"}, {"a"}).node("Mul", {"a", "big"}, {"y"}).output("y", f32, {1});
  both(m, {{"x", 1}}, [](CompiledModel &c) {
    EXPECT_EQ(c.one({floats({1}, {1e-30f})}).toDouble(0),
              double(1e-30f * 1e30f * 1e30f)); // 1e60 overflows
  });
}

} // namespace
} // namespace imbrex::cases
