// Contractions as tile kernels, with what is computed of them, against the evaluator: each form of
// operands, on both CPU levels.
#include "compiler/codegen/cpu/KernelTestSupport.h"
#include "compiler/passes/lower/Compose.h"
#include "compiler/passes/lower/FuseProducts.h"
#include "compiler/passes/lower/ProgramTestSupport.h"
#include "compiler/passes/lower/TileKernel.h"

namespace imbrex {
namespace {

using namespace opmeaning;
using lower::test::meaning;
using lower::test::random;
using lower::test::with;

using Shape = std::vector<int64_t>;

/// max(product + residual, 0), the product an operator's over the first inputs.
struct Fused {
  Program program;
  std::vector<HostTensor> inputs;
};

Fused withResidual(const char *name, std::vector<HostTensor> inputs, Attrs attrs,
                   const std::vector<size_t> &constants = {}) {
  Fused f{meaning(name, inputs, std::move(attrs), constants), std::move(inputs)};
  Program &p = f.program;
  Shape shape;
  for (const DimExpr &d : p.output(0).type.dims)
    shape.push_back(*d.constant());
  f.inputs.push_back(random(shape, 7));
  const Source residual{Source::Kind::Operand, static_cast<uint32_t>(p.operands.size())};
  p.operands.push_back(Operand::of(lower::test::typeOf(f.inputs.back())));
  const Source product{Source::Kind::Def, p.outputs[0]};
  auto step = [&](const char *op, const std::vector<HostTensor> &like,
                  const std::vector<std::optional<Source>> &of) {
    return lower::append(p, meaning(op, like), of)[0];
  };
  const HostTensor &like = f.inputs.back();
  Source sum = step("add", {like, like}, {product, residual});
  p.outputs = {step("relu", {like}, {sum}).index};
  return f;
}

/// Compiled for both levels, the result is the evaluator's; `fused` kernels in all.
void expectSame(Fused f, size_t kernels, double tolerance = 1e-4) {
  auto expected = lower::test::valuesOf(f.program, f.inputs);
  codegen::test::prepare(f.program, DimFacts());
  auto plan = lower::fuseProducts(f.program, DimFacts());
  size_t products = 0;
  for (const auto &reader : plan.readerOf)
    products += reader.has_value();
  EXPECT_EQ(products, kernels) << f.program.str();
  for (const char *level : {"cpu:x86-64-v3", "cpu:native"}) {
    SCOPED_TRACE(level);
    Program copy;
    copy.operands = f.program.operands;
    std::vector<std::optional<Source>> operands;
    for (uint32_t i = 0; i < copy.operands.size(); ++i)
      operands.push_back(Source{Source::Kind::Operand, i});
    for (Source s : lower::append(copy, f.program, operands))
      copy.outputs.push_back(s.index);
    codegen::test::CompiledProgram code(std::move(copy), DimFacts(),
                                        codegen::cpuTargets(level).take().front());
    ASSERT_TRUE(code.ok());
    auto got = code.run(f.inputs);
    ASSERT_EQ(got.failed, "");
    lower::test::expectEqual(got.outputs, expected, tolerance);
  }
}

Attrs window(int64_t pad, int64_t stride, int64_t group = 1) {
  return with({{"pads", Shape(4, pad)}, {"strides", Shape(2, stride)}, {"group", group}});
}

TEST(ProductKernel, MatricesWithWeightsInPanels) {
  for (int64_t m : {15, 150})
    for (int64_t n : {33, 300})
      expectSame(withResidual("matmul", {random({m, 70}, 1), random({70, n}, 2)}, {}, {1}), 1);
}

TEST(ProductKernel, MatricesAsTheyLie) {
  for (int64_t k : {17, 1024})
    expectSame(withResidual("matmul", {random({2, 21, k}, 1), random({2, k, 50}, 2)}, {}), 1);
}

TEST(ProductKernel, Windows) {
  for (int64_t channels : {3, 20})
    for (int64_t stride : {1, 2})
      expectSame(withResidual("conv",
                              {random({2, channels, 19, 17}, 1), random({12, channels, 3, 3}, 2)},
                              window(1, stride)),
                 1);
}

TEST(ProductKernel, WindowsOverLongRowsAndManyRows) {
  expectSame(
      withResidual("conv", {random({1, 16, 3, 600}, 1), random({8, 16, 3, 3}, 2)}, window(1, 1)),
      1);
  expectSame(
      withResidual("conv", {random({1, 16, 90, 7}, 1), random({8, 16, 5, 5}, 2)}, window(2, 1)), 1);
}

TEST(ProductKernel, PlacesAsRows) {
  for (int64_t size : {7, 30})
    for (int64_t taps : {1, 3})
      expectSame(withResidual("conv",
                              {random({2, 40, size, size}, 1), random({64, 40, taps, taps}, 2)},
                              window(taps / 2, 1), {1}),
                 1);
  expectSame(withResidual("conv", {random({1, 64, 15, 15}, 1), random({96, 64, 3, 3}, 2)},
                          window(1, 2), {1}),
             1);
}

// Pieces that the picture divides into, and pieces that reach over its edge. Sums are of some 500
// products of up to 4: a rounding error is relative to them, not to what is left after the
// residual.
TEST(ProductKernel, ConvolutionsByWinograd) {
  for (int64_t size : {16, 13})
    for (int64_t batch : {1, 2})
      expectSame(withResidual("conv",
                              {random({batch, 48, size, size + 4}, 1), random({80, 48, 3, 3}, 2)},
                              window(1, 1), {1}),
                 1, 4e-4);
  expectSame(withResidual("conv", {random({1, 64, 21, 29}, 1), random({64, 64, 3, 3}, 2)},
                          window(0, 1), {1}),
             1, 4e-4);
}

TEST(ProductKernel, EachChannelByItself) {
  for (int64_t taps : {3, 5})
    for (int64_t width : {7, 28})
      expectSame(withResidual("conv",
                              {random({2, 40, 14, width}, 1), random({40, 1, taps, taps}, 2)},
                              window(taps / 2, 1, 40), {1}),
                 1);
  expectSame(withResidual("conv", {random({1, 40, 14, 16}, 1), random({40, 1, 3, 2}, 2)},
                          window(0, 1, 40)),
             1);
}

// A window that each element is in once does not pay a padded copy, and is a plain loop.
TEST(ProductKernel, LargestOfWindows) {
  for (int64_t stride : {1, 2})
    for (int64_t taps : {2, 3})
      for (int64_t pad : {0, 1})
        expectSame(withResidual("max_pool", {random({2, 9, 23, 38}, 1)},
                                with({{"kernel", Shape(2, taps)},
                                      {"pads", Shape(4, pad)},
                                      {"strides", Shape(2, stride)}})),
                   pad && taps == stride ? 0 : 1);
}

// The result has one axis for groups and rows, each element at the same place.
TEST(ProductKernel, Groups) {
  expectSame(withResidual("conv", {random({1, 32, 12, 12}, 1), random({16, 16, 3, 3}, 2)},
                          window(1, 1, 2)),
             1);
}

} // namespace
} // namespace imbrex
