// Families MatMul and Conv.
#include "support/opmeaning/ops/OpsTestSupport.h"

using namespace imbrex;
using namespace imbrex::opmeaning;
using namespace imbrex::opmeaning::test;

/// Fixed numbers between -2.5 and 2.5.
static HostTensor numbers(Shape shape) {
  HostTensor t(DType::F32, std::move(shape));
  for (int64_t i = 0; i < t.elems(); ++i)
    t.mutableData<float>()[i] = static_cast<float>(i * 7 % 11 - 5) / 2;
  return t;
}

TEST(MatMul, MatricesVectorsAndBatches) {
  const auto a = f32({2, 3}, {1, 2, 3, 4, 5, 6}), b = f32({3, 2}, {1, 0, 0, 1, 1, 1});
  expectTensor(run("matmul", {a, b}), {2, 2}, {4, 5, 10, 11});
  expectTensor(run("matmul", {a, a}, {{{"trans_b", int64_t{1}}}}), {2, 2}, {14, 32, 32, 77});
  expectTensor(run("matmul", {a, a}, {{{"trans_a", int64_t{1}}}}), {3, 3},
               {17, 22, 27, 22, 29, 36, 27, 36, 45});
  const auto v = f32({3}, {1, 1, 1});
  expectTensor(run("matmul", {a, v}), {2}, {6, 15});
  expectTensor(run("matmul", {f32({2}, {1, 1}), a}), {3}, {5, 7, 9});
  expectTensor(run("matmul", {v, v}), {}, {3});
  expectTensor(run("matmul", {f32({2, 1, 2}, {1, 2, 3, 4}), f32({2, 1}, {1, 1})}), {2, 1, 1},
               {3, 7});
}

TEST(MatMul, Types) {
  EXPECT_EQ(types("matmul", {operand("f32[n, k]"), operand("f32[k, 8]")}), "f32[n, 8]");
  EXPECT_EQ(types("matmul", {operand("f32[b, 1, n, k]"), operand("f32[h, k, 8]")}),
            "f32[b, h, n, 8]");
  EXPECT_EQ(types("matmul", {operand("f32[b, n, k]"), operand("f32[k]")}), "f32[b, n]");
  EXPECT_HAS(types("matmul", {operand("f32[2, 3]"), operand("f32[4, 5]")}), "inner dimensions");
  EXPECT_HAS(types("matmul", {operand("f32[]"), operand("f32[4, 5]")}), "scalar");
  EXPECT_HAS(types("matmul", {operand("f32[3]"), operand("f32[3]")}, {{{"trans_a", int64_t{1}}}}),
             "cannot be transposed");
}

TEST(MatMul, IsAContraction) {
  auto p = meaningOf(*findOperator("matmul"), {operand("f16[n, k]"), operand("f16[k, m]")}, {}, {});
  ASSERT_TRUE(p.ok()) << p.error().str();
  EXPECT_EQ(classify(*p, p->defs[0], {}), DefClass::Contraction) << p->str();
  EXPECT_EQ(p->defs[0].type.type, DType::F32);
}

TEST(MatMul, Gemm) {
  expectTensor(
      run("gemm", {numbers({3, 2}), numbers({4, 3}), numbers({1, 4})},
          {{{"alpha", 0.5}, {"beta", 2.0}, {"trans_a", int64_t{1}}, {"trans_b", int64_t{1}}}}),
      {2, 4}, {-2.625, -1.75, -5, 2.75, -4.25, 5, 0.5, 7});
  expectTensor(run("gemm", {f32({1, 1}, {2}), f32({1, 2}, {1, 3})}), {1, 2}, {2, 6});
  EXPECT_EQ(types("gemm", {operand("f32[n, 4]"), operand("f32[4, 5]"), operand("f32[5]")}),
            "f32[n, 5]");
  EXPECT_HAS(types("gemm", {operand("f32[2, 4]"), operand("f32[4, 5]"), operand("f32[4]")}),
             "does not broadcast");
}

TEST(MatMul, IntegersWithZeroPoints) {
  const auto a = u8({1, 2}, {10, 200}), b = i8({2, 2}, {1, -2, 3, 4});
  expectTensor(run("matmul_integer", {a, b}), {1, 2}, {610, 780});
  expectTensor(run("matmul_integer", {a, b, u8({}, {10}), i8({2}, {1, 2})}), {1, 2}, {380, 380});
  EXPECT_EQ(types("matmul_integer",
                  {operand("u8[n, k]"), operand("i8[k, m]"), operand("u8[z]"), operand("i8[z]")}),
            "i32[n, m]"); // one for all or for each, which a run decides
}

TEST(Conv, StridesPadsBias) {
  expectTensor(run("conv", {numbers({1, 2, 4, 4}), numbers({3, 2, 3, 3}), f32({3}, {1, 2, 3})},
                   {{{"pads", Ints{1, 0, 1, 1}}, {"strides", Ints{2, 1}}}}),
               {1, 3, 2, 3},
               {-13.25, -1.25, 3, -6.75, 13.25, -7, 0.75, 7.75, -1.5, 1.75, -7.75, 16.25, -10, 0.25,
                5, -17.25, 12.5, 6.5});
}

TEST(Conv, DilationsGroupsAndOneAxis) {
  expectTensor(run("conv", {numbers({1, 1, 5, 5}), numbers({1, 1, 2, 2})},
                   {{{"dilations", Ints{2, 3}}, {"strides", Ints{2, 1}}}}),
               {1, 1, 2, 2}, {6.75, 6.75, 1.25, 6.75});
  expectTensor(run("conv", {numbers({1, 4, 3}), numbers({4, 2, 2})}, {{{"group", int64_t{2}}}}),
               {1, 4, 2}, {6, -7.75, 2.25, 3, -3.5, 3.5, 5.5, -0.5});
  expectTensor(run("conv", {numbers({1, 1, 5}), numbers({1, 1, 3})},
                   {{{"auto_pad", std::string("same_lower")}, {"strides", Ints{2}}}}),
               {1, 1, 3}, {-3.5, -6, -5.75});
}

TEST(Conv, Types) {
  EXPECT_EQ(types("conv", {operand("f32[n, 3, 224, 224]"), operand("f32[64, 3, 7, 7]")},
                  {{{"pads", Ints{3, 3, 3, 3}}, {"strides", Ints{2, 2}}}}),
            "f32[n, 64, 112, 112]");
  EXPECT_EQ(types("conv", {operand("f32[1, 3, h, w]"), operand("f32[8, 3, 3, 3]")},
                  {{{"pads", Ints{1, 1, 1, 1}}}}),
            "f32[1, 8, h, w]");
  EXPECT_HAS(types("conv", {operand("f32[1, 3, 8]"), operand("f32[8, 4, 3]")}), "does not fit");
  EXPECT_HAS(types("conv", {operand("f32[1, 3, 2]"), operand("f32[8, 3, 3]")}), "reaches over 3");
  EXPECT_HAS(
      types("conv", {operand("f32[1, 3, 8]"), operand("f32[8, 3, 3]")}, {{{"strides", Ints{0}}}}),
      "strides holds 0");
  EXPECT_HAS(types("conv", {operand("f32[1, 3, 8]"), operand("f32[8, 3, 3]"), operand("f32[7]")}),
             "the bias");
}

TEST(Conv, Transpose) {
  expectTensor(run("conv_transpose", {numbers({1, 2, 3}), numbers({2, 2, 3})},
                   {{{"strides", Ints{2}}, {"pads", Ints{1, 0}}, {"output_padding", Ints{1}}}}),
               {1, 2, 7}, {-2.5, -4, 1, -2.5, -1, 4, 0, -2.5, 0.75, 0.25, -7.5, 0.25, 5.25, 0});
  expectTensor(run("conv_transpose", {numbers({1, 1, 2, 2}), numbers({1, 1, 3, 3})},
                   {{{"strides", Ints{2, 1}}, {"dilations", Ints{1, 2}}}}),
               {1, 1, 5, 6}, {6.25, -2.5, -2.5, 1,     2.5, -1,  -6.25, 2.5,  -1.25, 0.5,
                              3.75, -1.5, -2.5, -4.25, -1,  2.5, 6,     -4.5, -2.5,  6.25,
                              -0.5, 1.25, 1.5,  -3.75, -2,  5,   0,     0,    2,     -5});
}

TEST(Einsum, Values) {
  auto by = [](const char *equation) { return Attrs{{{"equation", std::string(equation)}}}; };
  const auto a = f32({2, 3}, {1, 2, 3, 4, 5, 6}), b = f32({3, 2}, {1, 0, 0, 1, 1, 1});
  expectTensor(run("einsum", {a, b}, by("ij,jk->ik")), {2, 2}, {4, 5, 10, 11});
  expectTensor(run("einsum", {a, b}, by("ij, jk")), {2, 2}, {4, 5, 10, 11});
  expectTensor(run("einsum", {a}, by("ij->ji")), {3, 2}, {1, 4, 2, 5, 3, 6});
  expectTensor(run("einsum", {a}, by("ij->")), {}, {21});
  expectTensor(run("einsum", {f32({2, 2}, {1, 2, 3, 4})}, by("ii->i")), {2}, {1, 4});
  expectTensor(run("einsum", {f32({2, 2}, {1, 2, 3, 4})}, by("ii")), {}, {5});
  EXPECT_EQ(types("einsum", {operand("f32[b, h, n, d]"), operand("f32[b, h, m, d]")},
                  by("...nd,...md->...nm")),
            "f32[b, h, n, m]");
}

TEST(Einsum, Refusals) {
  auto by = [](const char *equation) { return Attrs{{{"equation", std::string(equation)}}}; };
  EXPECT_HAS(types("einsum", {operand("f32[2, 3]")}, by("i->i")), "does not fit");
  EXPECT_HAS(types("einsum", {operand("f32[2, 3]")}, by("ij,jk")), "2 terms for 1 operands");
  EXPECT_HAS(types("einsum", {operand("f32[2, 3]")}, by("ij->k")), "in no term");
  EXPECT_HAS(types("einsum", {operand("f32[2, 3]")}, by("i?->i")), "holds '?'");
  EXPECT_HAS(types("einsum", {operand("f32[2, 3]")}, by("ii->i")), "do not broadcast");
}

TEST(Conv, IntegersWithZeroPoints) {
  const auto x = u8({1, 1, 3}, {10, 12, 15}), w = i8({2, 1, 2}, {1, 2, -1, 3});
  expectTensor(run("conv_integer", {x, w}), {1, 2, 2}, {34, 42, 26, 33});
  expectTensor(run("conv_integer", {x, w, u8({}, {10}), i8({2}, {1, 0})}, {{{"pads", Ints{1, 0}}}}),
               {1, 2, 3}, {0, 2, 5, 0, 6, 13});
}
