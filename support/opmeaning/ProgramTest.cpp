// Printed forms, normal form, classes and the verifier.
#include "support/opmeaning/Program.h"
#include "support/opmeaning/TestPrograms.h"

#include <gtest/gtest.h>

namespace imbrex::opmeaning {

TEST(ProgramText, MatMulOfSymbols) {
  Dim n = Dim::symbol("n"), k = Dim::symbol("k"), l = Dim::symbol("l");
  auto p = test::matmul({TensorType{DType::F16, {n, k}}, TensorType{DType::F16, {l, 8}}});
  ASSERT_TRUE(p.ok()) << p.error().str();
  EXPECT_EQ(p->str(), "require k = l : \"the inner dimensions differ\"\n"
                      "y[i0 < n, i1 < 8] : f16 = sum f32 (k0 < k) %0[i0, k0] * %1[k0, i1]\n"
                      "outputs y\n");
}

TEST(ProgramText, SoftmaxInNormalForm) {
  auto p = test::softmax({DType::F32, {Dim::symbol("n"), 8}});
  ASSERT_TRUE(p.ok()) << p.error().str();
  EXPECT_EQ(p->str(), "m[i0 < n] : f32 = max f32 (k0 < 8) %0[i0, k0]\n"
                      "e[i0 < n, i1 < 8] : f32 = exp(%0[i0, i1] - detach(m[i0]))\n"
                      "y.sum[i0 < n] : f32 = sum f32 (k0 < 8) e[i0, k0]\n"
                      "y[i0 < n, i1 < 8] : f32 = e[i0, i1] / y.sum[i0]\n"
                      "outputs y\n");
}

TEST(ProgramText, ConvolutionKeepsOnlyGuardsThatCanFail) {
  auto p =
      test::conv({TensorType{DType::F32, {1, 3, 5, 5}}, TensorType{DType::F32, {4, 3, 3, 3}}}, 1);
  ASSERT_TRUE(p.ok()) << p.error().str();
  EXPECT_EQ(p->str(),
            "y[i0 < 1, i1 < 4, i2 < 5, i3 < 5] : f32 = sum f32 (k0 < 3, k1 < 3, k2 < 3) "
            "where 0 <= i2 + k1 - 1 and i2 + k1 - 1 < 5 and 0 <= i3 + k2 - 1 and "
            "i3 + k2 - 1 < 5 : %0[i0, k0, i2 + k1 - 1, i3 + k2 - 1] * %1[i1, k0, k1, k2]\n"
            "outputs y\n");
}

TEST(ProgramText, ConvolutionWithoutPaddingNeedsNoGuard) {
  Dim h = Dim::symbol("h");
  auto p =
      test::conv({TensorType{DType::F32, {1, 3, h, 5}}, TensorType{DType::F32, {4, 3, 3, 3}}}, 0);
  ASSERT_TRUE(p.ok()) << p.error().str();
  EXPECT_EQ(p->defs[0].body->args[0]->kind, TermKind::PTrue) << p->str();
}

TEST(NormalForm, AFoldUnderASelectKeepsTheGuard) {
  Builder b(test::typed({TensorType{DType::F32, {4}}}), DimFacts());
  Tensor x = *b.in(0);
  Tensor y = b.def("y", DType::F32, {8}, [&](Axes i) {
    return b.select(
        lt(i[0], 4),
        [&] { return b.reduce(Red::Sum, DType::F32, {2}, {}, [&](Axes) { return x({i[0]}); }); },
        [&] { return b.real(0, DType::F32); });
  });
  auto p = b.finish({y});
  ASSERT_TRUE(p.ok()) << p.error().str();
  EXPECT_EQ(p->str(), "y.sum[i0 < 8] : f32 = sum f32 (k0 < 2) where i0 < 4 : %0[i0]\n"
                      "y[i0 < 8] : f32 = select(i0 < 4, y.sum[i0], 0.0)\n"
                      "outputs y\n");
}

TEST(NormalForm, PlaceAndValueOfOneBestBecomeTwoDefinitions) {
  Builder b(test::typed({TensorType{DType::F32, {2, 4}}, TensorType{DType::F32, {4}}}), DimFacts());
  Tensor x = *b.in(0), w = *b.in(1);
  Tensor y = b.def("y", DType::F32, {2}, [&](Axes i) {
    auto best = b.best(Best::Max, Tie::First, {4}, {}, [&](Axes k) { return x({i[0], k[0]}); });
    return best.value * w({best.place});
  });
  auto p = b.finish({y});
  ASSERT_TRUE(p.ok()) << p.error().str();
  EXPECT_EQ(p->str(), "y.best[i0 < 2] : f32 = best(max, first) (k0 < 4) %0[i0, k0]\n"
                      "y.place[i0 < 2] : i64 = i64(place(best(max, first) (k0 < 4) %0[i0, k0]))\n"
                      "y[i0 < 2] : f32 = y.best[i0] * %1[y.place[i0]]\n"
                      "outputs y\n");
}

static DefClass classOf(const Result<Program> &p, size_t def) {
  EXPECT_TRUE(p.ok()) << p.error().str();
  return classify(*p, p->defs[def], DimFacts());
}

TEST(Classes, FollowFromTheReads) {
  auto softmax = test::softmax({DType::F32, {2, 8}});
  EXPECT_EQ(classOf(softmax, 0), DefClass::Reduction);
  EXPECT_EQ(classOf(softmax, 1), DefClass::Elementwise);
  EXPECT_EQ(classOf(softmax, 3), DefClass::Elementwise);
  EXPECT_EQ(
      classOf(test::matmul({TensorType{DType::F32, {2, 3}}, TensorType{DType::F32, {3, 2}}}), 0),
      DefClass::Contraction);
  EXPECT_EQ(
      classOf(test::conv(
                  {TensorType{DType::F32, {1, 3, 5, 5}}, TensorType{DType::F32, {4, 3, 3, 3}}}, 1),
              0),
      DefClass::Contraction);
  EXPECT_EQ(classOf(test::gather({TensorType{DType::F32, {3}}, TensorType{DType::I64, {2}}}), 0),
            DefClass::Reindex);
}

TEST(Classes, ASumOfSquaresIsAReduction) {
  Builder b(test::typed({TensorType{DType::F32, {2, 4}}}), DimFacts());
  Tensor x = *b.in(0);
  Tensor y = b.def("y", DType::F32, {2}, [&](Axes i) {
    return b.reduce(Red::Sum, DType::F32, {4}, {},
                    [&](Axes k) { return x({i[0], k[0]}) * x({i[0], k[0]}); });
  });
  EXPECT_EQ(classOf(b.finish({y}), 0), DefClass::Reduction);
}

TEST(Classes, ATransposedReadIsAReindex) {
  Builder b(test::typed({TensorType{DType::F32, {2, 2}}}), DimFacts());
  Tensor x = *b.in(0);
  Tensor y = b.def("y", DType::F32, {2, 2}, [&](Axes i) { return x({i[1], i[0]}); });
  EXPECT_EQ(classOf(b.finish({y}), 0), DefClass::Reindex);
}

TEST(Interning, EqualTermsShareOneAddress) {
  Program p;
  Node n{.kind = TermKind::IxConst, .number = 7};
  EXPECT_EQ(p.intern(n), p.intern(n));
  EXPECT_NE(p.variable(), p.variable());
}

TEST(Interning, CopyRenamesBoundVariables) {
  auto p = test::matmul({TensorType{DType::F32, {2, 3}}, TensorType{DType::F32, {3, 2}}});
  ASSERT_TRUE(p.ok());
  const Node *body = p->defs[0].body;
  Program into;
  const Node *copy = copyTerm(body, into, {});
  ASSERT_EQ(copy->kind, TermKind::VReduce);
  EXPECT_NE(copy->vars[0], body->vars[0]);
  EXPECT_EQ(copy->args[1]->args[0]->args[1], copy->vars[0]);
  EXPECT_EQ(copy->args[1]->args[0]->args[0], p->defs[0].vars[0]) << "free variables stay";
}

TEST(Verifier, RejectsAVariableOutOfScope) {
  Program p;
  const Node *v = p.variable();
  const Node *body = p.intern({.kind = TermKind::VFromIx, .type = DType::I64, .args = {v}});
  p.defs.push_back({"y", {DType::I64, {}}, {}, body, false});
  auto s = verify(p, DimFacts());
  ASSERT_FALSE(s.ok());
  EXPECT_EQ(s.error().code, 510);
  EXPECT_NE(s.error().what.find("'y': a variable is used outside of its scope"), std::string::npos);
}

TEST(Verifier, RejectsADivisorThatMayBeZero) {
  Program p;
  const Node *v = p.variable();
  const Node *q = p.intern({.kind = TermKind::IxFloorDiv, .args = {v}, .dim = Dim::symbol("n")});
  const Node *body = p.intern({.kind = TermKind::VFromIx, .type = DType::I64, .args = {q}});
  p.defs.push_back({"y", {DType::I64, {4}}, {v}, body, false});
  EXPECT_FALSE(verify(p, DimFacts()).ok());
  DimFacts positive;
  ASSERT_TRUE(positive.add("n", {1}).ok());
  EXPECT_TRUE(verify(p, positive).ok());
  // An element of y[i < n] exists only where n is positive.
  p.defs[0].type.dims[0] = Dim::symbol("n");
  EXPECT_TRUE(verify(p, DimFacts()).ok());
}

TEST(Verifier, RejectsAForwardRead) {
  Program p;
  const Node *body =
      p.intern({.kind = TermKind::VRead, .type = DType::F32, .source = {Source::Kind::Def, 0}});
  p.defs.push_back({"y", {DType::F32, {}}, {}, body, false});
  EXPECT_FALSE(verify(p, DimFacts()).ok());
}

} // namespace imbrex::opmeaning
