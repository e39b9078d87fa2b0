// What the builder folds, records and refuses; the operator declarations' checks.
#include "support/opmeaning/Evaluator.h"
#include "support/opmeaning/TestPrograms.h"

#include <gtest/gtest.h>

namespace imbrex::opmeaning {

TEST(Builder, ADecidedRequirementFailsWithItsReason) {
  auto p = test::matmul({TensorType{DType::F32, {2, 3}}, TensorType{DType::F32, {4, 2}}});
  ASSERT_FALSE(p.ok());
  EXPECT_EQ(p.error().code, 520);
  EXPECT_NE(p.error().what.find("the inner dimensions differ"), std::string::npos);
}

TEST(Builder, ARequiredEqualityIsKnownAfterwards) {
  Dim n = Dim::symbol("n"), m = Dim::symbol("m");
  Builder b(test::typed({TensorType{DType::F32, {n}}, TensorType{DType::F32, {m}}}), DimFacts());
  b.require(eq(n, m), "they differ");
  EXPECT_TRUE(b.facts().provenEqual(n, m));
  EXPECT_EQ(b.program().requirements.size(), 1u);
}

TEST(Builder, AConjunctionOfEqualitiesIsLearnedToo) {
  Dim n = Dim::symbol("n"), m = Dim::symbol("m"), k = Dim::symbol("k");
  Builder b({}, DimFacts());
  b.require(all({eq(n, m), eq(m, k)}), "all equal");
  EXPECT_TRUE(b.facts().provenEqual(n, k));
}

TEST(Builder, BroadcastOfLiterals) {
  Builder b({}, DimFacts());
  EXPECT_EQ(b.broadcast(1, 4, "x"), Dim(4));
  EXPECT_EQ(b.broadcast(4, 1, "x"), Dim(4));
  EXPECT_EQ(b.broadcast(1, 0, "x"), Dim(0)) << "the extent is no maximum";
  b.broadcast(3, 4, "the operands");
  auto p = b.finish({});
  ASSERT_FALSE(p.ok());
  EXPECT_EQ(p.error().what, "the operands do not broadcast (3 and 4)");
}

TEST(Builder, BroadcastOfUnknownSizesIsDecidedWhenItRuns) {
  Dim n = Dim::symbol("n"), m = Dim::symbol("m");
  Builder b(test::typed({TensorType{DType::F32, {n}}, TensorType{DType::F32, {m}}}), DimFacts());
  Dim both = b.broadcast(n, m, "the operands");
  EXPECT_EQ(both.str(), "bcast(m, n)");
  EXPECT_EQ(b.program().requirements.size(), 1u);
  EXPECT_EQ(b.broadcast(both, n, "again"), both);
  EXPECT_EQ(b.program().requirements.size(), 1u) << "n broadcasts to it already";
  Tensor x = *b.in(0);
  Tensor y = b.def("y", x.type, {both}, [&](Axes i) { return x({b.broadcastIndex(i[0], n)}); });
  auto p = b.finish({y});
  ASSERT_TRUE(p.ok()) << p.error().str();
  const Node *index = p->output(0).body->args[0];
  ASSERT_EQ(index->kind, TermKind::IxSelect);
  EXPECT_EQ(index->args[2], p->output(0).vars[0]);
}

TEST(Builder, ASizeThatIsNotOneIsTheBroadcast) {
  Dim n = Dim::symbol("n"), m = Dim::symbol("m");
  DimFacts facts;
  ASSERT_TRUE(facts.add("n", {2}).ok());
  Builder b(test::typed({TensorType{DType::F32, {n}}, TensorType{DType::F32, {m}}}), facts);
  EXPECT_EQ(b.broadcast(n, m, "the operands"), n);
  EXPECT_EQ(b.broadcast(m, n, "the operands"), n);
  EXPECT_EQ(b.broadcast(m, 8, "the operands"), Dim(8));
}

TEST(Builder, OperandsOfDifferentTypesFail) {
  Builder b(test::typed({TensorType{DType::F32, {}}, TensorType{DType::I32, {}}}), DimFacts());
  Tensor y = b.def("y", DType::F32, {}, [&](Axes) { return (*b.in(0))({}) + (*b.in(1))({}); });
  auto p = b.finish({y});
  ASSERT_FALSE(p.ok());
  EXPECT_EQ(p.error().what, "'add' takes operands of one type, not f32 and i32");
}

TEST(Builder, ANegativeSizeFails) {
  Builder b({}, DimFacts());
  Tensor y = b.def("y", DType::F32, {-2}, [&](Axes) { return b.real(0, DType::F32); });
  EXPECT_FALSE(b.finish({y}).ok());
}

TEST(Builder, OverflowOfASizeFails) {
  Builder b({}, DimFacts());
  Dim big = int64_t{1} << 62;
  Tensor y = b.def("y", DType::F32, {big * Dim(4)}, [&](Axes) { return b.real(0, DType::F32); });
  auto p = b.finish({y});
  ASSERT_FALSE(p.ok());
  EXPECT_NE(p.error().what.find("64 bits"), std::string::npos);
}

TEST(Builder, AWrongNumberOfIndicesFails) {
  Builder b(test::typed({TensorType{DType::F32, {2, 2}}}), DimFacts());
  Tensor y = b.def("y", DType::F32, {2}, [&](Axes i) { return (*b.in(0))({i[0]}); });
  EXPECT_FALSE(b.finish({y}).ok());
}

TEST(Builder, ValuesOfConstantsFoldAndOthersOpenASize) {
  Operand shape = Operand::of(test::ints(DType::I64, {2}, {7, -1}));
  Builder b({shape, Operand::of(TensorType{DType::I64, {1}})}, DimFacts());
  EXPECT_EQ(b.in(0)->value({0}), Dim(7));
  EXPECT_EQ(b.in(0)->value({1}), Dim(-1));
  Dim open = b.in(1)->value({0});
  EXPECT_EQ(open.str(), "$0");
  EXPECT_EQ(b.in(1)->value({0}), open) << "one element is one size";
  EXPECT_EQ(b.program().opens.size(), 1u);
  b.in(0)->value({2});
  EXPECT_FALSE(b.finish({}).ok()) << "an element that does not exist";
}

TEST(Builder, AShapeDefinitionOverConstantsFolds) {
  Builder b({Operand::of(test::reals({}, {2.5f}))}, DimFacts());
  Tensor n = b.shapeDef("n", DType::I64, {}, [&](Axes) {
    return b.cast(b.f(FnId::Ceil, {(*b.in(0))({})}), DType::I64);
  });
  EXPECT_EQ(n.value(), Dim(3));
  EXPECT_TRUE(b.program().opens.empty());
}

TEST(Builder, GuardsWithoutABuilderJoin) {
  Dim n = Dim::symbol("n"), m = Dim::symbol("m");
  Pred both = all({eq(n, m), le(2, n), le(0, 1)});
  EXPECT_EQ(both.n, nullptr);
  Builder b(test::typed({TensorType{DType::F32, {n, m}}}), DimFacts());
  b.require(!both, "not both");
  ASSERT_EQ(b.program().requirements.size(), 1u);
  EXPECT_EQ(b.program().str(), "require n != m or n < 2 : \"not both\"\noutputs\n");
}

TEST(Builder, RangesOfVariablesDecideGuards) {
  Dim n = Dim::symbol("n");
  Builder b(test::typed({TensorType{DType::F32, {n}}}), DimFacts());
  b.def("y", DType::F32, {n}, [&](Axes i) {
    EXPECT_EQ(le(0, i[0]).n, nullptr);
    EXPECT_TRUE(le(0, i[0]).decided);
    EXPECT_TRUE(lt(i[0], n).decided);
    EXPECT_EQ(lt(i[0], n).n, nullptr);
    EXPECT_NE(lt(i[0] + 1, n).n, nullptr);
    EXPECT_TRUE(lt(n - i[0] - 1, n).decided);
    return (*b.in(0))({i[0]});
  });
}

TEST(Builder, IndicesFold) {
  Builder b(test::typed({TensorType{DType::F32, {4}}}), DimFacts());
  b.def("y", DType::F32, {4}, [&](Axes i) {
    EXPECT_EQ((i[0] + 0).n, i[0].n);
    EXPECT_EQ((i[0] * Dim(1)).n, i[0].n);
    EXPECT_EQ(floorDiv(i[0], 1).n, i[0].n);
    EXPECT_EQ(((i[0] + 2) - 2).n, i[0].n);
    EXPECT_EQ(b.node(mod(i[0], 1))->kind, TermKind::IxConst);
    return b.real(0, DType::F32);
  });
}

TEST(Builder, RequirementsInABranchHoldOnlyThere) {
  Builder b(test::typed({TensorType{DType::I64, {4}}}), DimFacts());
  Tensor x = *b.in(0);
  Tensor y = b.def("y", DType::I64, {4}, [&](Axes i) {
    Ix v = x.index({i[0]});
    return b.select(
        le(v, 9),
        [&] {
          b.require(le(1, v), "too small");
          return x({i[0]});
        },
        [&] { return b.integer(0, DType::I64); });
  });
  auto p = b.finish({y});
  ASSERT_TRUE(p.ok());
  EXPECT_EQ(p->requirements[0].vars.size(), 1u);
  EXPECT_TRUE(evaluate(*p, {test::ints(DType::I64, {4}, {1, 20, 3, 9})}).ok());
  EXPECT_FALSE(evaluate(*p, {test::ints(DType::I64, {4}, {1, 20, 0, 9})}).ok());
}

TEST(Builder, AnOperandMayBeAResult) {
  Builder b(test::typed({TensorType{DType::F32, {2}}}), DimFacts());
  auto p = b.finish({*b.in(0)});
  ASSERT_TRUE(p.ok());
  EXPECT_EQ(p->str(), "y[i0 < 2] : f32 = %0[i0]\noutputs y\n");
}

// Declarations.

static Result<Program> scaleMeaning(Builder &b, const Attrs &attrs) {
  Tensor x = *b.in(0);
  Tensor y = b.def("y", x.type, x.dims, [&](Axes i) {
    return x({i.begin(), i.end()}) * b.constant(attrs.r("by"), x.type);
  });
  return b.finish({y});
}

static Operator scaleOperator() {
  Operator op{.name = "scale", .doc = "Multiplies by a number."};
  op.attrs = {{"by", AttrKind::Real, AttrValue(2.0), "the factor"},
              {"axis", AttrKind::Int, std::nullopt, "unused"}};
  op.meaning = scaleMeaning;
  return op;
}

static Attrs with(std::string name, AttrValue v) {
  Attrs a;
  a.values.emplace(std::move(name), std::move(v));
  return a;
}

TEST(Operators, AttributesAreCheckedAndCompleted) {
  Operator op = scaleOperator();
  auto good = completeAttrs(op, with("axis", int64_t{1}));
  ASSERT_TRUE(good.ok());
  EXPECT_EQ(good->r("by"), 2.0);
  EXPECT_EQ(completeAttrs(op, with("bye", 1.0)).error().code, 530);
  EXPECT_EQ(completeAttrs(op, {}).error().code, 531);
  EXPECT_EQ(completeAttrs(op, with("axis", std::string("x"))).error().code, 532);
}

TEST(Operators, MeaningTypesAndEvaluation) {
  Operator op = scaleOperator();
  Attrs attrs = with("axis", int64_t{0});
  auto types = typesOf(op, {Operand::of(TensorType{DType::F32, {Dim::symbol("n"), 3}})}, attrs, {});
  ASSERT_TRUE(types.ok());
  EXPECT_EQ((*types)[0].str(), "f32[n, 3]");
  EXPECT_EQ(meaningOf(op, {}, attrs, {}).error().code, 533);
  auto y = evaluate(op, {test::reals({2}, {1, 4})}, attrs);
  ASSERT_TRUE(y.ok());
  EXPECT_EQ((*y)[0].toDouble(1), 8);
}

} // namespace imbrex::opmeaning
