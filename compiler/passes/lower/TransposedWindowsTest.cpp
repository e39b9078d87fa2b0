// Which transposed convolutions are split into phases, and that values stay.
#include "compiler/passes/lower/TransposedWindows.h"
#include "compiler/passes/lower/Compose.h"
#include "compiler/passes/lower/FoldPrograms.h"
#include "compiler/passes/lower/PadWindows.h"
#include "compiler/passes/lower/ProgramTestSupport.h"
#include "compiler/passes/lower/TileContraction.h"

namespace imbrex::lower {
namespace {

using namespace opmeaning;
using namespace test;
using Ints = std::vector<int64_t>;

struct Case {
  const char *name;
  Ints x, w;
  std::map<std::string, AttrValue, std::less<>> attrs;
  bool splits;
  size_t products; // tile products of it
};

const Case kCases[] = {
    {"kernels of the stride", {1, 8, 9, 12}, {8, 6, 2, 2}, {{"strides", Ints{2, 2}}}, true, 1},
    {"one output channel", {2, 24, 16, 16}, {24, 1, 2, 2}, {{"strides", Ints{2, 2}}}, true, 1},
    {"3x3 with pads and output_padding",
     {1, 16, 10, 12},
     {16, 8, 3, 3},
     {{"strides", Ints{2, 2}}, {"pads", Ints{1, 1, 1, 1}}, {"output_padding", Ints{1, 1}}},
     true,
     1},
    {"4x4 with pads on one side",
     {1, 16, 10, 12},
     {16, 8, 4, 4},
     {{"strides", Ints{2, 2}}, {"pads", Ints{1, 0, 3, 2}}},
     true,
     1},
    {"5x3 with a stride of 3", {1, 16, 10, 9}, {16, 8, 5, 3}, {{"strides", Ints{3, 3}}}, true, 1},
    {"pads of more than a stride",
     {1, 16, 10, 9},
     {16, 8, 7, 7},
     {{"strides", Ints{2, 2}}, {"pads", Ints{5, 4, 3, 5}}},
     true,
     1},
    {"a stride of one axis",
     {1, 16, 10, 9},
     {16, 8, 3, 4},
     {{"strides", Ints{1, 2}}, {"pads", Ints{1, 1, 1, 1}}},
     true,
     1},
    {"the other axis", {1, 16, 10, 9}, {16, 8, 4, 3}, {{"strides", Ints{2, 1}}}, true, 1},
    {"dilation",
     {1, 16, 10, 9},
     {16, 8, 3, 3},
     {{"strides", Ints{3, 3}}, {"dilations", Ints{2, 2}}},
     true,
     1},
    {"groups",
     {1, 16, 10, 9},
     {16, 8, 4, 4},
     {{"strides", Ints{2, 2}}, {"group", int64_t(2)}},
     true,
     1},
    {"rows", {2, 16, 40}, {16, 8, 4}, {{"strides", Ints{2}}, {"pads", Ints{1, 1}}}, true, 1},
    {"volumes",
     {1, 8, 5, 4, 6},
     {8, 8, 2, 3, 4},
     {{"strides", Ints{2, 2, 2}}, {"pads", Ints{0, 1, 1, 0, 1, 1}}},
     true,
     1},
    {"one output shape",
     {1, 8, 9, 9},
     {8, 8, 3, 3},
     {{"strides", Ints{2, 2}}, {"output_shape", Ints{18, 18}}},
     true,
     1},
    {"no stride", {1, 8, 9, 12}, {8, 6, 3, 3}, {}, false, 1},
    {"kernels of one element", {1, 16, 9, 12}, {16, 8, 1, 1}, {{"strides", Ints{2, 2}}}, false, 1},
    {"dilated so that nothing is saved",
     {1, 16, 9, 12},
     {16, 8, 3, 3},
     {{"strides", Ints{2, 2}}, {"dilations", Ints{2, 2}}},
     false,
     1},
    {"little work", {1, 2, 4, 4}, {2, 1, 2, 2}, {{"strides", Ints{2, 2}}}, false, 0},
};

bool isPhased(const Program &p) {
  return std::any_of(p.defs.begin(), p.defs.end(),
                     [](const Def &d) { return d.name.ends_with(".phases"); });
}

TEST(TransposedWindows, ValuesStay) {
  for (const Case &c : kCases)
    for (bool known : {false, true}) {
      SCOPED_TRACE(c.name);
      const std::vector<HostTensor> inputs = {random(c.x, 1), random(c.w, 2)};
      Program p = meaning("conv_transpose", inputs, with(c.attrs),
                          known ? std::vector<size_t>{1} : std::vector<size_t>{});
      const auto expected = valuesOf(p, inputs);
      auto same = [&](const char *step) {
        SCOPED_TRACE(step);
        EXPECT_TRUE(verify(p, DimFacts()));
        expectEqual(valuesOf(p, inputs), expected, 1e-5);
      };
      splitTransposedWindows(p, DimFacts());
      EXPECT_EQ(isPhased(p), c.splits) << p.str();
      same("split");
      padWindows(p, DimFacts());
      std::vector<std::string> remarks;
      int64_t spareBytes = 1 << 30;
      tileContractions(p, DimFacts(), spareBytes, remarks);
      same("shaped");
      inlineDefs(p, DimFacts());
      foldConstantDefs(p);
      same("folded");
      size_t products = 0;
      for (uint32_t i = 0; i < p.defs.size(); ++i)
        products += tileProductOf(p, p.defs[i], DimFacts()).has_value();
      EXPECT_EQ(products, c.products) << p.str();
    }
}

TEST(TransposedWindows, KernelsOfTheStrideAreAProductWithThePicture) {
  const std::vector<HostTensor> inputs = {random({1, 24, 16, 16}, 1), random({24, 24, 2, 2}, 2)};
  Program p = meaning("conv_transpose", inputs, with({{"strides", Ints{2, 2}}}), {1});
  splitTransposedWindows(p, DimFacts());
  std::vector<std::string> remarks;
  int64_t spareBytes = 1 << 30;
  tileContractions(p, DimFacts(), spareBytes, remarks);
  inlineDefs(p, DimFacts());
  foldConstantDefs(p);
  ASSERT_EQ(p.defs.size(), 3u) << "the picture's alias, the product, the reordering" << p.str();
  auto x = tileProductOf(p, p.defs[1], DimFacts());
  ASSERT_TRUE(x) << p.str();
  EXPECT_EQ(x->right, TileProduct::Right::Rows) << "the picture is read as it lies";
  EXPECT_EQ(x->m, DimExpr(96));
  EXPECT_EQ(x->k, DimExpr(24));
}

TEST(TransposedWindows, OpenSizes) {
  const DimExpr h = DimExpr::symbol("h"), w = DimExpr::symbol("w");
  auto attrs = completeAttrs(*findOperator("conv_transpose"), with({{"strides", Ints{2, 2}}}));
  ASSERT_TRUE(attrs);
  DimFacts facts;
  auto p = meaningOf(*findOperator("conv_transpose"),
                     {Operand::of(TensorType{DType::F32, {1, 8, h, w}}),
                      Operand::of(TensorType{DType::F32, {8, 4, 2, 2}})},
                     *attrs, facts);
  ASSERT_TRUE(p) << p.error().str();
  splitTransposedWindows(*p, facts);
  ASSERT_TRUE(isPhased(*p)) << p->str();
  for (const Def &d : p->defs)
    if (d.name.ends_with(".phases")) {
      EXPECT_EQ(d.type.dims[4], h) << p->str();
      EXPECT_EQ(d.type.dims[5], w) << p->str();
    }
  EXPECT_TRUE(verify(*p, facts));
}

} // namespace
} // namespace imbrex::lower
