#include "support/opmeaning/ops/OpsTestSupport.h"

using namespace imbrex;
using namespace imbrex::opmeaning;
using namespace imbrex::opmeaning::test;

TEST(Elementwise, EveryUnaryOperatorKeepsShapeAndAnswersAtOnePoint) {
  struct Case {
    const char *name;
    double x, want;
  };
  const Case cases[] = {
      {"neg", 0.5, -0.5},
      {"abs", -0.5, 0.5},
      {"sign", -3, -1},
      {"ceil", 0.5, 1},
      {"floor", -0.5, -1},
      {"round", 2.5, 2},
      {"trunc", -1.5, -1},
      {"recip", 4, 0.25},
      {"sqrt", 2.25, 1.5},
      {"exp", 1, 2.718281828},
      {"log", 2, 0.6931471806},
      {"sin", 0.5, 0.4794255386},
      {"cos", 0.5, 0.8775825619},
      {"tan", 0.5, 0.5463024898},
      {"asin", 0.5, 0.5235987756},
      {"acos", 0.5, 1.047197551},
      {"atan", 0.5, 0.463647609},
      {"sinh", 0.5, 0.5210953055},
      {"cosh", 0.5, 1.127625965},
      {"tanh", 0.5, 0.462117157},
      {"asinh", 0.5, 0.4812118251},
      {"acosh", 2, 1.316957897},
      {"atanh", 0.5, 0.549306144},
      {"erf", 0.5, 0.5204998778},
      {"sigmoid", 1, 0.7310585786},
      {"identity", 3, 3},
  };
  for (const Case &c : cases) {
    SCOPED_TRACE(c.name);
    expectTensor(run(c.name, {f32({1}, {static_cast<float>(c.x)})}), {1}, {c.want}, 2e-7);
    EXPECT_EQ(types(c.name, {operand("f32[n, 3]")}), "f32[n, 3]");
  }
}

TEST(Elementwise, IntegersAndBools) {
  expectTensor(run("neg", {i8({2}, {-128, 5})}), {2}, {-128, -5}); // wraps
  expectTensor(run("bitwise_not", {u8({2}, {0, 15})}), {2}, {255, 240});
  expectTensor(run("logical_not", {boolean({2}, {0, 1})}), {2}, {1, 0});
  EXPECT_HAS(types("sqrt", {operand("i32[n]")}), "sqrt does not take i32[n]");
}

TEST(Elementwise, NotANumberAndInfinity) {
  const auto x = f32({4}, {NaN, Inf, -Inf, 1});
  expectTensor(run("is_nan", {x}), {4}, {1, 0, 0, 0});
  expectTensor(run("is_inf", {x}), {4}, {0, 1, 1, 0});
  expectTensor(run("is_inf", {x}, {{{"detect_negative", int64_t{0}}}}), {4}, {0, 1, 0, 0});
  expectTensor(run("is_inf", {x}, {{{"detect_positive", int64_t{0}}}}), {4}, {0, 0, 1, 0});
  expectTensor(
      run("is_inf", {x}, {{{"detect_positive", int64_t{0}}, {"detect_negative", int64_t{0}}}}), {4},
      {0, 0, 0, 0});
}

TEST(Activations, Values) {
  const auto x = f32({3}, {-2, 0, 1.5});
  expectTensor(run("relu", {x}), {3}, {0, 0, 1.5});
  expectTensor(run("relu", {f32({1}, {NaN})}), {1}, {NaN});
  expectTensor(run("relu", {i32({2}, {-3, 3})}), {2}, {0, 3});
  expectTensor(run("leaky_relu", {x}, {{{"alpha", 0.25}}}), {3}, {-0.5, 0, 1.5});
  expectTensor(run("elu", {x}), {3}, {-0.86466472, 0, 1.5}, 2e-7);
  expectTensor(run("selu", {x}), {3}, {-1.52016653, 0, 1.57605153}, 2e-7);
  expectTensor(run("celu", {x}, {{{"alpha", 2.0}}}), {3}, {-1.26424112, 0, 1.5}, 2e-7);
  expectTensor(run("thresholded_relu", {x}), {3}, {0, 0, 1.5});
  expectTensor(run("softsign", {x}), {3}, {-0.666666667, 0, 0.6}, 2e-7);
  expectTensor(run("hard_sigmoid", {x}), {3}, {0.1, 0.5, 0.8}, 2e-7);
  expectTensor(run("hard_swish", {x}), {3}, {-0.33333334, 0, 1.125}, 4e-7);
  expectTensor(run("mish", {x}), {3}, {-0.25250146, 0, 1.40337825}, 4e-7);
  expectTensor(run("swish", {x}, {{{"alpha", 1.0}}}), {3}, {-0.23840584, 0, 1.22636172}, 4e-7);
  expectTensor(run("gelu", {x}), {3}, {-0.04550026, 0, 1.39978919}, 4e-6);
  expectTensor(run("gelu", {x}, {{{"approximate", std::string("tanh")}}}), {3},
               {-0.04540229, 0, 1.39957157}, 4e-6);
  expectTensor(run("shrink", {x}, {{{"lambd", 1.0}, {"bias", 0.5}}}), {3}, {-1.5, 0, 1});
  expectTensor(run("shrink", {i32({3}, {-2, 1, 2})}, {{{"lambd", 1.5}, {"bias", 1.5}}}), {3},
               {0, 0, 0}); // -0.5 and 0.5 truncate
}

TEST(Activations, SoftplusIsRightFarBelowAndAboveZero) {
  expectTensor(run("softplus", {f32({3}, {-12.3392f, 0, 200})}), {3},
               {4.3764e-06, 0.693147181, 200}, 1e-4);
}

TEST(Activations, Refusals) {
  EXPECT_HAS(types("elu", {operand("i32[2]")}), "not a float");
  EXPECT_HAS(types("gelu", {operand("f32[2]")}, {{{"approximate", std::string("cubic")}}}),
             "neither none nor tanh");
}
