// Which axes are cut, and that values stay.
#include "compiler/passes/lower/SplitAxis.h"
#include "compiler/passes/lower/BuildKernel.h"
#include "compiler/passes/lower/ContractionParts.h"
#include "compiler/passes/lower/IndexForm.h"
#include "compiler/passes/lower/ProgramTestSupport.h"

namespace imbrex::lower {
namespace {

using namespace opmeaning;
using namespace test;

/// y[i, j] = x[index(j)] for j < size, x of 100 elements.
Program reading(int64_t size, const std::function<const Node *(Terms &, const Node *)> &index) {
  Program p;
  p.operands.push_back(Operand::of(TensorType{DType::F32, {100}}));
  Terms t{p};
  Def d;
  d.name = "y";
  d.type = {DType::F32, {3, size}};
  d.vars = {p.variable(), p.variable()};
  Node read{.kind = TermKind::VRead};
  read.type = DType::F32;
  read.source = {Source::Kind::Operand, 0};
  read.args = {t.add(index(t, d.vars[1]), d.vars[0])};
  d.body = p.intern(std::move(read));
  p.defs = {d};
  p.outputs = {0};
  return p;
}

/// The extents of the last two axes after the cut; none without one.
std::vector<int64_t> cut(int64_t size,
                         const std::function<const Node *(Terms &, const Node *)> &index) {
  Program p = reading(size, index);
  const std::vector<HostTensor> inputs = {random({100}, 1)};
  const auto expected = valuesOf(p, inputs);
  auto split = splitLastAxis(p, p.defs[0], DimFacts());
  if (!split)
    return {};
  p.defs[0] = *split;
  EXPECT_TRUE(verify(p, DimFacts()));
  const auto got = valuesOf(p, inputs);
  for (int64_t i = 0; i < expected[0].elems(); ++i)
    EXPECT_EQ(got[0].toDouble(i), expected[0].toDouble(i));
  IndexForm form(p, DimFacts());
  form.bind(split->vars, split->type.dims);
  walk(form.simplifyScalar(split->body), [&](const Node *n) {
    EXPECT_NE(n->kind, TermKind::IxMod) << p.str();
    if (n->kind == TermKind::IxFloorDiv) {
      EXPECT_EQ(n->args[0], split->vars[2]) << "only of what is unrolled";
    }
  });
  return {*split->type.dims[1].constant(), *split->type.dims[2].constant()};
}

using Ints = std::vector<int64_t>;

TEST(SplitAxis, WhatReadsDivide) {
  EXPECT_EQ(cut(64, [](Terms &t, const Node *j) { return t.div(j, 2); }), (Ints{32, 2}));
  EXPECT_EQ(
      cut(64, [](Terms &t, const Node *j) { return t.add(t.mul(t.mod(j, 2), 32), t.div(j, 2)); }),
      (Ints{32, 2}));
  EXPECT_EQ(cut(96, [](Terms &t, const Node *j) { return t.div(j, 3); }), (Ints{32, 3}));
}

TEST(SplitAxis, TheLargestOfSeveral) {
  EXPECT_EQ(cut(128, [](Terms &t, const Node *j) { return t.add(t.div(j, 8), t.div(j, 2)); }),
            (Ints{16, 8}));
}

TEST(SplitAxis, OthersStay) {
  EXPECT_EQ(cut(64, [](Terms &, const Node *j) { return j; }), Ints{});
  EXPECT_EQ(cut(65, [](Terms &t, const Node *j) { return t.div(j, 2); }), Ints{}) << "a rest";
  EXPECT_EQ(cut(16, [](Terms &t, const Node *j) { return t.div(j, 2); }), Ints{}) << "short";
  EXPECT_EQ(cut(96, [](Terms &t, const Node *j) { return t.add(t.div(j, 2), t.div(j, 3)); }),
            Ints{})
      << "no common part";
  EXPECT_EQ(cut(160, [](Terms &t, const Node *j) { return t.div(j, 10); }), Ints{}) << "many";
}

/// Whether picking along the last axis by this constant table reads the table.
bool readsTable(const Ints &table) {
  const auto size = static_cast<int64_t>(table.size());
  const std::vector<HostTensor> inputs = {random({2, 8}, 1),
                                          HostTensor::of<int64_t>(DType::I64, {size}, table)};
  Program p = meaning("gather", inputs, with({{"axis", int64_t(1)}}), {1});
  const auto expected = valuesOf(p, inputs);
  foldIndexTables(p);
  EXPECT_TRUE(verify(p, DimFacts()));
  expectEqual(valuesOf(p, inputs), expected, 0);
  bool reads = false;
  for (const Def &d : p.defs)
    walk(d.body, [&](const Node *n) { reads |= n->kind == TermKind::IxRead; });
  return reads;
}

TEST(SplitAxis, TablesThatDivideAreDivisions) {
  EXPECT_FALSE(readsTable({0, 0, 1, 1, 2, 2}));
  EXPECT_FALSE(readsTable({0, 0, 0, 1, 1, 1, 2, 2}));
  EXPECT_FALSE(readsTable({0, 1, 2, 3}));
  EXPECT_FALSE(readsTable({0, 0, 0}));
  EXPECT_TRUE(readsTable({0, 0, 1, 2}));
  EXPECT_TRUE(readsTable({1, 1, 2, 2}));
  EXPECT_TRUE(readsTable({0, 0, 1, 1, -1, -1}));
}

} // namespace
} // namespace imbrex::lower
