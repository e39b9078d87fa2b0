// What packing recognises, what it makes, and that values stay.
#include "compiler/passes/lower/PackContraction.h"
#include "compiler/passes/lower/Compose.h"
#include "compiler/passes/lower/FoldPrograms.h"
#include "compiler/passes/lower/ProgramTestSupport.h"
#include "support/opmeaning/Builder.h"

namespace imbrex::lower {
namespace {

using namespace opmeaning;
using namespace test;

std::vector<std::string> pack(Program &p) {
  std::vector<std::string> remarks;
  packContractions(p, DimFacts(), remarks);
  return remarks;
}

/// The packed products' definitions.
std::vector<uint32_t> products(const Program &p) {
  std::vector<uint32_t> found;
  for (uint32_t i = 0; i < p.defs.size(); ++i)
    if (isPackedProduct(p, p.defs[i]))
      found.push_back(i);
  return found;
}

/// Packs, inlines and folds as the lowering does, and compares with the meaning.
Program packed(const char *name, const std::vector<HostTensor> &inputs, Attrs attrs = {},
               const std::vector<size_t> &constants = {}, double tolerance = 1e-5) {
  SCOPED_TRACE(name);
  Program p = meaning(name, inputs, std::move(attrs), constants);
  auto expected = valuesOf(p, inputs);
  auto same = [&](const char *step) {
    SCOPED_TRACE(step);
    EXPECT_TRUE(verify(p, DimFacts()));
    expectEqual(valuesOf(p, inputs), expected, tolerance);
  };
  pack(p);
  same("packed");
  inlineDefs(p, DimFacts());
  same("inlined");
  foldConstantDefs(p);
  same("folded");
  return p;
}

const std::vector<HostTensor> kMatrices = {random({50, 70}, 1), random({70, 90}, 2)};

TEST(PackContraction, AMatrixProductStaysPackedThroughInlining) {
  Program p = packed("matmul", kMatrices);
  auto found = products(p);
  ASSERT_EQ(found.size(), 1u) << p.str();
  const Def &d = p.defs[found[0]];
  std::vector<DimExpr> tiles = {7, PackedTile::rows, 3, PackedTile::columns};
  EXPECT_EQ(d.type.dims, tiles);
  for (const Node *read : d.body->args[1]->args)
    EXPECT_EQ(read->source.kind, Source::Kind::Def) << "an operand of a panel's layout is memory";
}

TEST(PackContraction, ConstantWeightsArePackedWhileCompiling) {
  Program p = packed("matmul", kMatrices, {}, {1});
  auto found = products(p);
  ASSERT_EQ(found.size(), 1u) << p.str();
  int constants = 0;
  for (const Node *read : p.defs[found[0]].body->args[1]->args)
    if (read->source.kind == Source::Kind::Operand) {
      ++constants;
      const auto &value = p.operands[read->source.index].constant;
      ASSERT_TRUE(value);
      EXPECT_EQ(value->shape(), (std::vector<int64_t>{3, 70, PackedTile::columns}));
    }
  EXPECT_EQ(constants, 1) << p.str();
}

TEST(PackContraction, ConvolutionsAndBatches) {
  auto pads = with({{"pads", std::vector<int64_t>{1, 1, 1, 1}}});
  Program conv = packed("conv", {random({1, 3, 12, 12}, 1), random({16, 3, 3, 3}, 2)}, pads);
  EXPECT_EQ(products(conv).size(), 1u) << conv.str();
  Program batch = packed("matmul", {random({2, 33, 20}, 1), random({2, 20, 40}, 2)});
  EXPECT_EQ(products(batch).size(), 1u) << batch.str();
  Program rows = packed("matmul", {random({3, 33, 20}, 1), random({20, 40}, 2)});
  EXPECT_EQ(products(rows).size(), 1u) << rows.str();
}

TEST(PackContraction, SmallOnesAreLeftAndSaid) {
  Program p = meaning("matmul", {random({2, 300}, 1), random({300, 300}, 2)});
  auto remarks = pack(p);
  EXPECT_TRUE(products(p).empty());
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_NE(remarks[0].find("2 rows"), std::string::npos) << remarks[0];
}

TEST(PackContraction, EmptyProducts) {
  for (auto [m, k, n] : {std::array<int64_t, 3>{0, 40, 40}, {40, 0, 40}, {40, 40, 0}})
    packed("matmul", {random({m, k}, 1), random({k, n}, 2)});
}

// What lies in the padding of a tile does not reach a result, whatever it is: NaN and infinity stay
// in the rows and columns that they are in.
TEST(PackContraction, SpecialValuesStayInTheirRows) {
  auto inputs = std::vector<HostTensor>{random({33, 40}, 1), random({40, 33}, 2)};
  inputs[0].mutableData<float>()[32 * 40 + 39] = NAN;
  inputs[0].mutableData<float>()[0] = INFINITY;
  inputs[1].mutableData<float>()[33 * 40 - 1] = -INFINITY;
  Program p = packed("matmul", inputs);
  EXPECT_EQ(products(p).size(), 1u);
}

/// t[mo, mi, no, ni] = sum(k < depth) a[mo, k, mi] * b[no, k, ni] over operands of these types:
/// what an einsum of such letters means.
Program lookAlike(TensorType a, TensorType b, std::vector<Dim> dims, Dim depth) {
  Builder builder({Operand::of(std::move(a)), Operand::of(std::move(b))}, DimFacts());
  auto x = *builder.in(0), y = *builder.in(1);
  auto t = builder.def("t", DType::F32, std::move(dims), [&](Axes i) {
    return builder.reduce(Red::Sum, DType::F32, {depth}, {},
                          [&](Axes k) { return x({i[0], k[0], i[1]}) * y({i[2], k[0], i[3]}); });
  });
  auto p = builder.finish({t});
  EXPECT_TRUE(p) << p.error().str();
  return p.take();
}

TEST(PackContraction, ReadsOfLargerTensorsAreNoPanels) {
  auto recognised = [](std::vector<DimExpr> a, std::vector<DimExpr> b) {
    Program p = lookAlike({DType::F32, std::move(a)}, {DType::F32, std::move(b)}, {2, 8, 3, 32}, 5);
    return isPackedProduct(p, p.defs[p.outputs[0]]);
  };
  EXPECT_TRUE(recognised({2, 5, 8}, {3, 5, 32}));
  EXPECT_FALSE(recognised({2, 5, 9}, {3, 5, 32})) << "a row of the panel is longer";
  EXPECT_FALSE(recognised({2, 5, 8}, {3, 5, 33}));
  EXPECT_FALSE(recognised({2, 6, 8}, {3, 6, 32})) << "the panel is deeper than the sum";
  EXPECT_FALSE(recognised({3, 5, 8}, {3, 5, 32})) << "more panels than the product has";
}

TEST(PackContraction, EinsumsOfThePanelsForm) {
  Program p = packed("einsum", {random({2, 5, 8}, 1), random({3, 5, 32}, 2)},
                     with({{"equation", std::string("akm,bkn->ambn")}}));
  EXPECT_EQ(p.outputs.size(), 1u);
}

TEST(PackContraction, IntegersStayLoops) {
  HostTensor a(DType::I32, {50, 70}), b(DType::I32, {70, 90});
  Program p = meaning("matmul", {a, b});
  pack(p);
  EXPECT_TRUE(products(p).empty());
}

} // namespace
} // namespace imbrex::lower
