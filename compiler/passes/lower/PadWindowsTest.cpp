// Which windows get a padded copy, and that values stay.
#include "compiler/passes/lower/PadWindows.h"
#include "compiler/passes/lower/Compose.h"
#include "compiler/passes/lower/IndexForm.h"
#include "compiler/passes/lower/ProgramTestSupport.h"
#include "compiler/passes/lower/TileContraction.h"

namespace imbrex::lower {
namespace {

using namespace opmeaning;
using namespace test;

/// The copies of a Program.
std::vector<const Def *> copies(const Program &p) {
  std::vector<const Def *> found;
  for (const Def &d : p.defs)
    if (isPadding(d))
      found.push_back(&d);
  return found;
}

/// Pads, packs and inlines, and compares with the meaning.
Program padded(const char *name, const std::vector<HostTensor> &inputs, Attrs attrs) {
  SCOPED_TRACE(name);
  Program p = meaning(name, inputs, std::move(attrs));
  auto expected = valuesOf(p, inputs);
  std::vector<std::string> remarks;
  padWindows(p, DimFacts());
  EXPECT_TRUE(verify(p, DimFacts()));
  expectEqual(valuesOf(p, inputs), expected, 1e-5);
  int64_t spareBytes = 1 << 30;
  tileContractions(p, DimFacts(), spareBytes, remarks);
  inlineDefs(p, DimFacts());
  EXPECT_TRUE(verify(p, DimFacts()));
  expectEqual(valuesOf(p, inputs), expected, 1e-5);
  return p;
}

/// No definition asks in its reduce, and every read of a copy is proven in bounds.
void expectPlainReads(Program &p) {
  for (const Def &d : p.defs) {
    IndexForm form(p, DimFacts());
    form.bind(d.vars, d.type.dims);
    walk(d.body, [&](const Node *n) {
      if (n->kind != TermKind::VReduce)
        return;
      form.bind(n->vars, n->extents);
      EXPECT_EQ(form.decide(n->args[0]), std::optional(true)) << p.str();
    });
    walk(d.body, [&](const Node *n) {
      if (n->kind != TermKind::VRead || n->source.kind != Source::Kind::Def ||
          !isPadding(p.defs[n->source.index]))
        return;
      for (size_t i = 0; i < n->args.size(); ++i)
        EXPECT_TRUE(form.inBounds(form.simplify(n->args[i]), p.typeOf(n->source).dims[i]))
            << p.str();
    });
  }
}

using Ints = std::vector<int64_t>;

TEST(PadWindows, ADepthwiseConvolutionReadsACopy) {
  for (int64_t stride : {1, 2}) {
    Program p = padded("conv", {random({1, 8, 24, 17}, 1), random({8, 1, 5, 3}, 2)},
                       with({{"group", int64_t(8)},
                             {"pads", Ints{2, 1, 2, 1}},
                             {"strides", Ints{stride, stride}}}));
    auto found = copies(p);
    ASSERT_EQ(found.size(), 1u) << p.str();
    EXPECT_EQ(found[0]->type.dims[0], DimExpr(1));
    EXPECT_EQ(found[0]->type.dims[1], DimExpr(8));
    expectPlainReads(p);
  }
}

TEST(PadWindows, AConvolutionOfManyChannelsReadsWindowsOfTheCopy) {
  Program p = padded("conv", {random({1, 18, 16, 16}, 1), random({12, 18, 3, 3}, 2)},
                     with({{"pads", Ints{1, 1, 1, 1}}}));
  EXPECT_TRUE(std::any_of(p.defs.begin(), p.defs.end(), [&](const Def &d) {
    return tileProductOf(p, d, DimFacts()).has_value();
  }));
}

TEST(PadWindows, WindowsThatStrideGatherFromACopyOfWholeStrides) {
  for (int64_t stride : {2, 3}) {
    Program p = padded("conv", {random({1, 18, 17, 16}, 1), random({12, 18, 3, 3}, 2)},
                       with({{"pads", Ints{1, 1, 1, 1}}, {"strides", Ints{stride, stride}}}));
    ASSERT_EQ(copies(p).size(), 1u) << p.str();
    bool gathers = false;
    for (const Def &d : p.defs)
      if (d.name.ends_with(".windows")) {
        gathers = true;
        IndexForm form(p, DimFacts());
        form.bind(d.vars, d.type.dims);
        EXPECT_EQ(form.simplifyScalar(d.body)->kind, TermKind::VRead) << "asks nothing" << p.str();
      }
    EXPECT_TRUE(gathers);
    expectPlainReads(p);
  }
}

TEST(PadWindows, AMaximumIsPaddedWithTheSmallest) {
  Program p =
      padded("max_pool", {random({2, 4, 30, 30}, 1)},
             with({{"kernel", Ints{3, 3}}, {"pads", Ints{1, 1, 1, 1}}, {"strides", Ints{2, 2}}}));
  ASSERT_EQ(copies(p).size(), 1u) << p.str();
  expectPlainReads(p);
}

TEST(PadWindows, WithoutAnEdgeThereIsNoCopy) {
  EXPECT_TRUE(copies(padded("conv", {random({1, 8, 12, 17}, 1), random({8, 1, 5, 3}, 2)},
                            with({{"group", int64_t(8)}})))
                  .empty());
}

TEST(PadWindows, LittleWorkIsLeftAlone) {
  EXPECT_TRUE(copies(padded("conv", {random({1, 2, 5, 5}, 1), random({2, 1, 3, 3}, 2)},
                            with({{"group", int64_t(2)}, {"pads", Ints{1, 1, 1, 1}}})))
                  .empty());
}

TEST(PadWindows, APaddingLargerThanTheOperandIsLeftAlone) {
  EXPECT_TRUE(copies(padded("conv", {random({1, 2, 6, 6}, 1), random({2, 1, 3, 3}, 2)},
                            with({{"group", int64_t(2)}, {"pads", Ints{60, 60, 60, 60}}})))
                  .empty());
}

} // namespace
} // namespace imbrex::lower
