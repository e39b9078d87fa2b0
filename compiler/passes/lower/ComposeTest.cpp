// Joining Programs and substituting definitions: values and guards stay, sizes stay bounded.
#include "compiler/passes/lower/Compose.h"
#include "compiler/passes/lower/BuildKernel.h"
#include "compiler/passes/lower/FoldPrograms.h"
#include "compiler/passes/lower/ProgramTestSupport.h"
#include "support/opmeaning/Builder.h"

namespace imbrex::lower {
namespace {

using namespace opmeaning;
using namespace test;

constexpr DType F = DType::F32;

/// y = second(first(x, …), …): two operators in one Program.
Program chain(const Program &first, const Program &second, size_t extra) {
  Program p;
  std::vector<std::optional<Source>> operands;
  for (const Operand &o : first.operands) {
    operands.push_back(Source{Source::Kind::Operand, static_cast<uint32_t>(p.operands.size())});
    p.operands.push_back(o);
  }
  auto middle = append(p, first, operands);
  std::vector<std::optional<Source>> next{middle[0]};
  for (size_t i = 0; i < extra; ++i) {
    next.push_back(Source{Source::Kind::Operand, static_cast<uint32_t>(p.operands.size())});
    p.operands.push_back(second.operands[1 + i]);
  }
  for (Source s : append(p, second, next))
    p.outputs.push_back(s.index);
  return p;
}

/// Inlines and splits as the lowering does; the values must stay, bit by bit.
void expectUnchanged(Program &p, const std::vector<HostTensor> &inputs) {
  auto expected = valuesOf(p, inputs);
  inlineDefs(p, DimFacts());
  EXPECT_TRUE(verify(p, DimFacts())) << p.str();
  expectEqual(valuesOf(p, inputs), expected, 0);
  splitAccumulators(p);
  expectEqual(valuesOf(p, inputs), expected, 0);
}

/// One input to the first operator, `extra` ones to the second.
void expectSame(const char *first, Attrs firstAttrs, const char *second, Attrs secondAttrs,
                const HostTensor &x, const std::vector<HostTensor> &extra = {}) {
  SCOPED_TRACE(std::string(first) + ", " + second);
  Program a = meaning(first, {x}, std::move(firstAttrs));
  auto middle = valuesOf(a, {x});
  std::vector<HostTensor> next = middle;
  next.insert(next.end(), extra.begin(), extra.end());
  Program b = meaning(second, next, std::move(secondAttrs));
  auto expected = valuesOf(b, next);
  std::vector<HostTensor> inputs{x};
  inputs.insert(inputs.end(), extra.begin(), extra.end());
  Program p = chain(a, b, extra.size());
  expectEqual(valuesOf(p, inputs), expected, 0);
  expectUnchanged(p, inputs);
}

const Attrs kSwap = with({{"perm", std::vector<int64_t>{1, 0}}});

TEST(Compose, ElementwiseAndMovement) {
  auto x = random({6, 9}, 1);
  expectSame("relu", {}, "neg", {}, x);
  expectSame("transpose", kSwap, "relu", {}, x);
  expectSame("transpose", kSwap, "matmul", {}, x, {random({6, 4}, 2)});
  expectSame("exp", {}, "softmax", {}, x);
  expectSame("softmax", {}, "transpose", kSwap, x);
  expectSame("neg", {}, "argmax", with({{"axis", int64_t(1)}}), x);
  expectSame("relu", {}, "concat", with({{"axis", int64_t(1)}}), x, {random({6, 2}, 3)});
}

TEST(Compose, EmptyTensors) {
  for (auto shape : {std::vector<int64_t>{0, 9}, {6, 0}, {0, 0}}) {
    auto x = random(shape, 1);
    expectSame("relu", {}, "neg", {}, x);
    expectSame("transpose", kSwap, "relu", {}, x);
    expectSame("relu", {}, "concat", with({{"axis", int64_t(1)}}), x, {random({shape[0], 3}, 3)});
    expectSame("neg", {}, "reduce_sum", with({{"axes", std::vector<int64_t>{1}}}), x);
  }
}

TEST(Compose, SpecialValues) {
  auto x = random({6, 9}, 1);
  for (auto [i, v] : {std::pair{3, NAN}, {20, INFINITY}, {40, -INFINITY}, {41, -0.0f}})
    x.mutableData<float>()[i] = v;
  expectSame("relu", {}, "neg", {}, x);
  expectSame("neg", {}, "softmax", {}, x);
  expectSame("relu", {}, "argmax", with({{"axis", int64_t(1)}}), x);
  expectSame("neg", {}, "reduce_max", with({{"axes", std::vector<int64_t>{1}}}), x);
}

TEST(Compose, AnInlinedElementwiseDefinitionIsGone) {
  auto x = random({6, 9}, 1);
  Program p = chain(meaning("relu", {x}), meaning("neg", {x}), 0);
  inlineDefs(p, DimFacts());
  EXPECT_EQ(p.defs.size(), 1u) << p.str();
}

/// t_{k+1}[i] = t_k[2*i] + t_k[2*i + 1]: substituting every t_k would double the term each time.
Program halving(int steps) {
  Builder b({Operand::of(TensorType{F, {int64_t{1} << steps}})}, DimFacts());
  Tensor t = *b.in(0);
  for (int k = 1; k <= steps; ++k)
    t = b.def("t" + std::to_string(k), F, {int64_t{1} << (steps - k)},
              [&](Axes i) { return t({i[0] * 2}) + t({i[0] * 2 + 1}); });
  auto p = b.finish({t});
  EXPECT_TRUE(p) << p.error().str();
  return p.take();
}

TEST(Compose, ReadersThatReadTwiceDoNotExplode) {
  Program small = halving(10);
  auto x = random({1024}, 1);
  expectUnchanged(small, {x});

  Program p = halving(20);
  inlineDefs(p, DimFacts());
  int64_t total = 0, work = 0;
  for (const Def &d : p.defs) {
    EXPECT_LT(termSize(d.body), 200) << d.name;
    total += termSize(d.body);
    work += bodyCost(d.body) * *d.type.dims[0].constant();
  }
  EXPECT_LT(total, 2000);
  EXPECT_LT(work, 4 << 20) << "the sum of 2^20 numbers takes 2^20 additions";
}

/// The same chain in which every step reads one element: it may become one definition.
TEST(Compose, AChainOfSingleReadsIsOneDefinition) {
  Builder b({Operand::of(TensorType{F, {64}})}, DimFacts());
  Tensor t = *b.in(0);
  for (int k = 0; k < 20; ++k)
    t = b.def("t", F, {64}, [&](Axes i) { return t({63 - i[0]}) + b.real(k, F); });
  Program p = b.finish({t}).take();
  expectUnchanged(p, {random({64}, 1)});
  EXPECT_EQ(p.defs.size(), 1u) << p.str();
}

/// y[i] = i < 4 ? t[i] : 0 with t of 4 elements: the guard protects the read wherever it goes.
TEST(Compose, GuardsStay) {
  Builder b({Operand::of(TensorType{F, {4}})}, DimFacts());
  Tensor x = *b.in(0);
  auto t = b.def("t", F, {4}, [&](Axes i) { return -x({i[0]}); });
  auto padded = b.def("padded", F, {10}, [&](Axes i) {
    return b.select(
        all({le(2, i[0]), lt(i[0], 6)}), [&] { return t({i[0] - 2}); },
        [&] { return b.real(7, F); });
  });
  auto y = b.def("y", F, {12}, [&](Axes i) {
    return b.select(lt(i[0], 10), [&] { return padded({i[0]}); }, [&] { return b.real(9, F); });
  });
  auto sum = b.def("sum", F, {3}, [&](Axes i) {
    return b.reduce(
        Red::Sum, F, {5}, [&](Axes k) { return lt(i[0] + k[0], 4); },
        [&](Axes k) { return t({i[0] + k[0]}); });
  });
  Program p = b.finish({y, sum}).take();
  // The evaluator refuses a read out of bounds (E0544): a lost guard would be an error.
  expectUnchanged(p, {random({4}, 1)});
}

TEST(Compose, RequirementsMoveWithWhatTheyRead) {
  auto x = random({5, 3}, 1);
  HostTensor at = HostTensor::of<int64_t>(DType::I64, {2}, std::vector<int64_t>{4, -5});
  Program p = chain(meaning("relu", {x}), meaning("gather", {x, at}), 1);
  ASSERT_FALSE(p.requirements.empty());
  expectUnchanged(p, {x, at});
  EXPECT_FALSE(p.requirements.empty());
  HostTensor bad = HostTensor::of<int64_t>(DType::I64, {2}, std::vector<int64_t>{4, 5});
  auto out = evaluate(p, {x, bad});
  ASSERT_FALSE(out);
  EXPECT_EQ(out.error().code, 541);
}

TEST(Compose, ADeadDefinitionGoesAndOutputsKeepTheirOrder) {
  Builder b({Operand::of(TensorType{F, {4}})}, DimFacts());
  Tensor x = *b.in(0);
  auto a = b.def("a", F, {4}, [&](Axes i) { return b.f(FnId::Exp, {x({i[0]})}); });
  b.def("dead", F, {4}, [&](Axes i) { return a({i[0]}) * a({i[0]}); });
  auto c = b.def("c", F, {4}, [&](Axes i) { return a({i[0]}) + x({i[0]}); });
  Program p = b.finish({c, a}).take();
  expectUnchanged(p, {random({4}, 1)});
  EXPECT_EQ(p.defs.size(), 2u) << p.str();
}

TEST(FoldPrograms, WhatConstantsGiveIsAConstant) {
  auto x = random({3, 4}, 1), w = random({4, 3}, 2);
  Program p = chain(meaning("transpose", {w}, kSwap, {0}), meaning("add", {x, x}), 1);
  // p computes transpose(w) + x; its operand 0 is the constant.
  auto expected = valuesOf(p, {w, x});
  foldConstantDefs(p);
  expectEqual(valuesOf(p, {w, x}), expected, 0);
  EXPECT_EQ(p.defs.size(), 1u) << p.str();
  ASSERT_EQ(p.operands.size(), 3u);
  EXPECT_EQ(p.operands[2].constant->shape(), (std::vector<int64_t>{3, 4}));
}

} // namespace
} // namespace imbrex::lower
