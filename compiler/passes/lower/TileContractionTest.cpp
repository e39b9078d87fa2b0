// Which contractions become products of tiles, what is made of their operands, and that values
// stay.
#include "compiler/passes/lower/TileContraction.h"
#include "compiler/passes/lower/Compose.h"
#include "compiler/passes/lower/FoldPrograms.h"
#include "compiler/passes/lower/PadWindows.h"
#include "compiler/passes/lower/ProgramTestSupport.h"
#include "support/opmeaning/Builder.h"

namespace imbrex::lower {
namespace {

using namespace opmeaning;
using namespace test;

std::vector<std::string> shape(Program &p) {
  std::vector<std::string> remarks;
  int64_t spareBytes = 1 << 30;
  tileContractions(p, DimFacts(), spareBytes, remarks);
  return remarks;
}

/// The products' definitions.
std::vector<uint32_t> products(Program &p) {
  std::vector<uint32_t> found;
  for (uint32_t i = 0; i < p.defs.size(); ++i)
    if (tileProductOf(p, p.defs[i], DimFacts()))
      found.push_back(i);
  return found;
}

/// Pads, shapes, inlines and folds as the lowering does, and compares with the meaning.
Program shaped(const char *name, const std::vector<HostTensor> &inputs, Attrs attrs = {},
               const std::vector<size_t> &constants = {}, double tolerance = 1e-5) {
  SCOPED_TRACE(name);
  Program p = meaning(name, inputs, std::move(attrs), constants);
  auto expected = valuesOf(p, inputs);
  auto same = [&](const char *step) {
    SCOPED_TRACE(step);
    EXPECT_TRUE(verify(p, DimFacts()));
    expectEqual(valuesOf(p, inputs), expected, tolerance);
  };
  padWindows(p, DimFacts());
  shape(p);
  same("shaped");
  inlineDefs(p, DimFacts());
  same("inlined");
  foldConstantDefs(p);
  same("folded");
  return p;
}

const std::vector<HostTensor> kMatrices = {random({50, 70}, 1), random({70, 90}, 2)};

TEST(TileContraction, AMatrixProductReadsItsOperandsAsTheyLie) {
  Program p = shaped("matmul", kMatrices);
  auto found = products(p);
  ASSERT_EQ(found.size(), 1u) << p.str();
  const Def &d = p.defs[found[0]];
  auto form = tileProductOf(p, d, DimFacts());
  EXPECT_EQ(form->right, TileProduct::Right::Rows);
  EXPECT_EQ(form->m, DimExpr(50));
  EXPECT_EQ(form->n, DimExpr(90));
  EXPECT_EQ(form->k, DimExpr(70));
}

TEST(TileContraction, ConstantWeightsArePackedWhileCompiling) {
  Program p = shaped("matmul", kMatrices, {}, {1});
  auto found = products(p);
  ASSERT_EQ(found.size(), 1u) << p.str();
  int constants = 0;
  for (const Node *read : p.defs[found[0]].body->args[1]->args)
    if (read->source.kind == Source::Kind::Operand) {
      ++constants;
      const auto &value = p.operands[read->source.index].constant;
      ASSERT_TRUE(value);
      EXPECT_EQ(value->shape(), (std::vector<int64_t>{3, 70, kPanel}));
    }
  EXPECT_EQ(constants, 1) << p.str();
}

/// The form of the one product of a convolution of these sizes.
TileProduct convolution(std::vector<int64_t> x, std::vector<int64_t> w, Attrs attrs) {
  Program p = shaped("conv", {random(std::move(x), 1), random(std::move(w), 2)}, std::move(attrs));
  auto found = products(p);
  EXPECT_EQ(found.size(), 1u) << p.str();
  return found.empty() ? TileProduct{} : *tileProductOf(p, p.defs[found[0]], DimFacts());
}

TEST(TileContraction, WindowsSlideOverPaddedRows) {
  auto pads = std::vector<int64_t>{1, 1, 1, 1};
  TileProduct x = convolution({1, 20, 12, 12}, {16, 20, 3, 3}, with({{"pads", pads}}));
  EXPECT_EQ(x.right, TileProduct::Right::Windows);
  EXPECT_EQ(x.k, DimExpr(20));
  for (const WindowAxis &w : x.window)
    EXPECT_EQ(w.taps, 3);
}

TEST(TileContraction, FewChannelsAreJoinedWithTheTapsOfARow) {
  auto pads = std::vector<int64_t>{3, 3, 3, 3}, strides = std::vector<int64_t>{2, 2};
  TileProduct x =
      convolution({2, 3, 20, 20}, {16, 3, 7, 7}, with({{"pads", pads}, {"strides", strides}}));
  EXPECT_EQ(x.right, TileProduct::Right::Windows);
  EXPECT_EQ(x.k, DimExpr(21));
  EXPECT_EQ(x.window[0].taps, 7);
  EXPECT_EQ(x.window[0].stride, 2);
  EXPECT_EQ(x.window[1].taps, 1);
}

TEST(TileContraction, StridesDilationsAndGroupsOfWindows) {
  auto two = [](int64_t v) { return std::vector<int64_t>{v, v}; };
  for (auto [stride, dilation] : {std::pair<int64_t, int64_t>{1, 1}, {2, 1}, {3, 1}, {1, 2}})
    for (int64_t groups : {1, 2}) {
      TileProduct x = convolution({2, 16 * groups, 17, 14}, {8 * groups, 16, 3, 2},
                                  with({{"strides", two(stride)},
                                        {"dilations", two(dilation)},
                                        {"group", groups},
                                        {"pads", std::vector<int64_t>{1, 0, 2, 1}}}));
      EXPECT_EQ(x.right, TileProduct::Right::Windows);
      EXPECT_EQ(x.window[0].stride, stride);
      EXPECT_EQ(x.window[0].dilation, dilation);
    }
}

TEST(TileContraction, WindowsThatSkipAndStrideArePanels) {
  auto two = std::vector<int64_t>{2, 2};
  TileProduct x =
      convolution({2, 16, 17, 14}, {8, 16, 3, 2}, with({{"strides", two}, {"dilations", two}}));
  EXPECT_EQ(x.right, TileProduct::Right::Panels);
}

/// A convolution over few places with weights that are known, and the form of its product.
TEST(TileContraction, FewPlacesChangeRolesWithWeightsThatAreKnown) {
  auto pads = with({{"pads", std::vector<int64_t>{1, 1, 1, 1}}});
  for (int64_t taps : {1, 3}) {
    Program p = shaped("conv", {random({1, 20, 7, 7}, 1), random({64, 20, taps, taps}, 2)},
                       taps == 3 ? pads : Attrs{}, {1});
    auto found = products(p);
    ASSERT_EQ(found.size(), 1u) << p.str();
    auto x = tileProductOf(p, p.defs[found[0]], DimFacts());
    EXPECT_TRUE(x->changedRoles);
    EXPECT_EQ(x->m, DimExpr(64));
    EXPECT_EQ(x->n, DimExpr(49));
    EXPECT_EQ(x->b->source.kind, Source::Kind::Operand) << "panels are packed while compiling";
  }
}

/// The kinds of the steps, in order, of a convolution with weights that are known.
std::vector<TileProduct::Kind> stepsOf(std::vector<int64_t> x, std::vector<int64_t> w, Attrs attrs,
                                       const std::vector<size_t> &constants = {1}) {
  Program p = shaped("conv", {random(std::move(x), 1), random(std::move(w), 2)}, std::move(attrs),
                     constants, 1e-4);
  std::vector<TileProduct::Kind> kinds;
  for (uint32_t i : products(p))
    kinds.push_back(tileProductOf(p, p.defs[i], DimFacts())->kind);
  return kinds;
}

TEST(TileContraction, WindowsOfThreeByThreeRunByWinograd) {
  using Kind = TileProduct::Kind;
  const std::vector<Kind> steps = {Kind::Forward, Kind::Product, Kind::Inverse},
                          plain = {Kind::Product};
  auto pads = with({{"pads", std::vector<int64_t>{1, 1, 1, 1}}});
  auto strides = with({{"strides", std::vector<int64_t>{2, 2}}});
  EXPECT_EQ(stepsOf({2, 64, 12, 14}, {80, 64, 3, 3}, pads), steps);
  EXPECT_EQ(stepsOf({1, 64, 19, 13}, {64, 64, 3, 3}, {}), steps);
  EXPECT_EQ(stepsOf({1, 64, 12, 12}, {64, 64, 3, 3}, pads, {}), plain) << "unknown weights";
  EXPECT_EQ(stepsOf({1, 64, 7, 7}, {64, 64, 3, 3}, pads), plain) << "few pieces";
  EXPECT_EQ(stepsOf({1, 64, 13, 13}, {64, 64, 2, 2}, {}), plain) << "other windows";
  EXPECT_EQ(stepsOf({1, 64, 25, 25}, {64, 64, 3, 3}, strides), plain) << "strides";
  EXPECT_EQ(stepsOf({1, 48, 12, 12}, {24, 48, 3, 3}, pads), steps) << "two dozens";
  EXPECT_EQ(stepsOf({1, 40, 12, 12}, {64, 40, 3, 3}, pads), plain) << "neither sixteens nor dozens";
}

TEST(TileContraction, WinogradsWeightsGrowAsFarAsTheyMay) {
  // 48 and 80 rows are held in panels of 32.
  for (auto [rows, panels] : {std::pair<int64_t, int64_t>{64, 64}, {48, 64}, {80, 96}}) {
    const int64_t growth = 64 * (panels * 36 - rows * 9) * 4;
    const std::vector<HostTensor> inputs = {random({1, 64, 24, 24}, 1),
                                            random({rows, 64, 3, 3}, 2)};
    for (int64_t spare : {growth - 1, growth, growth + 5}) {
      Program p = meaning("conv", inputs, {}, {1});
      std::vector<std::string> remarks;
      int64_t left = spare;
      tileContractions(p, DimFacts(), left, remarks);
      EXPECT_EQ(products(p).size(), spare < growth ? 1u : 3u) << rows;
      EXPECT_EQ(left, spare < growth ? spare : spare - growth) << rows;
    }
  }
}

TEST(TileContraction, OnlyConvolutionsRunByWinograd) {
  const std::vector<HostTensor> inputs = {random({1, 64, 24, 24}, 1), random({64, 64, 3, 3}, 2)};
  for (auto [contract, count] : {std::pair<FloatContract, size_t>{FloatContract::Convolve, 3},
                                 {FloatContract::Reassociate, 1}}) {
    Program p = meaning("conv", inputs, {}, {1});
    for (Def &d : p.defs)
      d.contract = contract;
    std::vector<std::string> remarks;
    int64_t spareBytes = 1 << 30;
    tileContractions(p, DimFacts(), spareBytes, remarks);
    EXPECT_EQ(products(p).size(), count);
  }
}

TEST(TileContraction, WindowsOfOneElementAreMatrices) {
  TileProduct x = convolution({2, 20, 12, 12}, {16, 20, 1, 1}, {});
  EXPECT_EQ(x.right, TileProduct::Right::Rows);
  EXPECT_EQ(x.n, DimExpr(144));
  EXPECT_EQ(x.outerOfA.size(), 0u) << "weights serve all images";
  EXPECT_EQ(x.outerOfB.size(), 1u);
}

TEST(TileContraction, Batches) {
  Program batch = shaped("matmul", {random({2, 33, 20}, 1), random({2, 20, 40}, 2)});
  EXPECT_EQ(products(batch).size(), 1u) << batch.str();
  Program rows = shaped("matmul", {random({3, 33, 20}, 1), random({20, 40}, 2)});
  EXPECT_EQ(products(rows).size(), 1u) << rows.str();
}

TEST(TileContraction, SmallOnesAreLeftAndSaid) {
  Program p = meaning("matmul", {random({2, 300}, 1), random({300, 300}, 2)});
  auto remarks = shape(p);
  EXPECT_TRUE(products(p).empty());
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_NE(remarks[0].find("2 rows"), std::string::npos) << remarks[0];
}

TEST(TileContraction, SizesOfManyTermsAreLeftAndSaid) {
  DimExpr rows = 0;
  for (int i = 0; i < 17; ++i)
    rows = rows + DimExpr::symbol("s" + std::to_string(i));
  auto program = meaningOf(*findOperator("matmul"),
                           {Operand::of(TensorType{DType::F32, {rows, 64}}),
                            Operand::of(TensorType{DType::F32, {64, 64}})},
                           {}, DimFacts());
  ASSERT_TRUE(program.ok()) << program.error().str();
  auto remarks = shape(*program);
  EXPECT_TRUE(products(*program).empty());
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_NE(remarks[0].find("17 terms"), std::string::npos) << remarks[0];
}

TEST(TileContraction, EmptyProducts) {
  for (auto [m, k, n] : {std::array<int64_t, 3>{0, 40, 40}, {40, 0, 40}, {40, 40, 0}})
    shaped("matmul", {random({m, k}, 1), random({k, n}, 2)});
}

// What lies in the padding of a tile does not reach a result, whatever it is: NaN and infinity stay
// in the rows and columns that they are in.
TEST(TileContraction, SpecialValuesStayInTheirRows) {
  auto inputs = std::vector<HostTensor>{random({33, 40}, 1), random({40, 33}, 2)};
  inputs[0].mutableData<float>()[32 * 40 + 39] = NAN;
  inputs[0].mutableData<float>()[0] = INFINITY;
  inputs[1].mutableData<float>()[33 * 40 - 1] = -INFINITY;
  Program p = shaped("matmul", inputs);
  EXPECT_EQ(products(p).size(), 1u);
}

TEST(TileContraction, IntegersStayLoops) {
  HostTensor a(DType::I32, {50, 70}), b(DType::I32, {70, 90});
  Program p = meaning("matmul", {a, b});
  shape(p);
  EXPECT_TRUE(products(p).empty());
}

} // namespace
} // namespace imbrex::lower
