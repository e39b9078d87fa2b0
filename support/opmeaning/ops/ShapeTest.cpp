// Families Reshape, Slice, Gather, Scatter, Host and Fill: operators that move elements and make
// sizes.
#include "support/opmeaning/ops/OpsTestSupport.h"

using namespace imbrex;
using namespace imbrex::opmeaning;
using namespace imbrex::opmeaning::test;

static Operand sizes(Ints v) {
  const auto n = static_cast<int64_t>(v.size());
  return constant(i64({n}, std::move(v)));
}
static Attrs ints(const char *name, Ints v) { return {{{name, std::move(v)}}}; }
static Attrs integer(const char *name, int64_t v) { return {{{name, v}}}; }
static Attrs word(const char *name, const char *v) { return {{{name, std::string(v)}}}; }
static const HostTensor six = f32({2, 3}, {1, 2, 3, 4, 5, 6});

TEST(Reshape, KeepsTheRowMajorOrder) {
  expectTensor(run("reshape", {six, i64({2}, {3, 2})}), {3, 2}, {1, 2, 3, 4, 5, 6});
  expectTensor(run("reshape", {six, i64({3}, {-1, 1, 3})}), {2, 1, 3}, {1, 2, 3, 4, 5, 6});
  expectTensor(run("reshape", {six, i64({2}, {0, -1})}), {2, 3}, {1, 2, 3, 4, 5, 6});
  expectTensor(run("reshape", {f32({1, 1}, {7}), i64({0}, {})}), {}, {7});
  expectTensor(run("reshape", {f32({0, 3}, {}), i64({2}, {3, 0})}, integer("allow_zero", 1)),
               {3, 0}, {});
}

TEST(Reshape, Types) {
  EXPECT_EQ(types("reshape", {operand("f32[n, 4, 8]"), sizes({0, -1})}), "f32[n, 32]");
  EXPECT_EQ(types("reshape", {operand("f32[n, 4]"), sizes({-1, 2})}), "f32[2*n, 2]");
  EXPECT_EQ(types("reshape", {operand("f32[n, m]"), sizes({-1})}), "f32[m*n]");
  EXPECT_HAS(types("reshape", {operand("f32[2, 3]"), sizes({7})}), "cannot take the shape f32[7]");
  EXPECT_HAS(types("reshape", {operand("f32[2, 3]"), sizes({-1, 4})}), "cannot take the shape");
  EXPECT_HAS(types("reshape", {operand("f32[6]"), sizes({-1, -1})}), "-1 twice");
  EXPECT_HAS(types("reshape", {operand("f32[6]"), sizes({6, 0})}), "does not have");
  EXPECT_HAS(types("reshape", {operand("f32[6]"), sizes({0, -1})}, integer("allow_zero", 1)),
             "could be anything");
  EXPECT_HAS(types("reshape", {operand("f32[6]"), operand("i64[r]")}), "a rank depends on it");
}

TEST(Reshape, NumbersOfADamagedModelEndInAnError) {
  EXPECT_HAS(types("reshape", {operand("f32[2]"), operand("i64[1000000000000]")}), "largest rank");
  EXPECT_HAS(types("split", {operand("f32[2]")}, integer("parts", INT64_MAX)), "parts");
  EXPECT_HAS(types("tile", {operand("f32[4611686018427387904]"), sizes({4})}), "64 bits");
}

TEST(Reshape, AShapeKnownAtRunTimeOpensDimensions) {
  const Operator &op = *findOperator("reshape");
  auto p = meaningOf(op, {operand("f32[2, 3]"), operand("i64[2]")}, {}, {});
  ASSERT_TRUE(p.ok()) << p.error().str();
  EXPECT_EQ(p->opens.size(), 2u);
  auto r = evaluate(*p, {six, i64({2}, {-1, 2})});
  ASSERT_TRUE(r.ok()) << r.error().str();
  expectTensor((*r)[0], {3, 2}, {1, 2, 3, 4, 5, 6});
  auto wrong = evaluate(*p, {six, i64({2}, {4, 2})});
  ASSERT_FALSE(wrong.ok());
  EXPECT_HAS(wrong.error().str(), "E0541");
}

TEST(Reshape, FlattenSqueezeUnsqueeze) {
  EXPECT_EQ(types("flatten", {operand("f32[n, 3, 4]")}), "f32[n, 12]");
  EXPECT_EQ(types("flatten", {operand("f32[n, 3, 4]")}, integer("axis", -1)), "f32[3*n, 4]");
  EXPECT_EQ(types("flatten", {operand("f32[]")}, integer("axis", 0)), "f32[1, 1]");
  EXPECT_EQ(types("squeeze", {operand("f32[1, n+2, 1]")}), "f32[n+2]");
  EXPECT_EQ(types("squeeze", {operand("f32[1, n, 1]")}, ints("axes", {-1})), "f32[1, n]");
  EXPECT_HAS(types("squeeze", {operand("f32[1, 2]")}, ints("axes", {1})), "does not have size 1");
  EXPECT_HAS(types("squeeze", {operand("f32[1, n]")}), "is not known, and the result's rank");
  EXPECT_EQ(types("unsqueeze", {operand("f32[n]")}, ints("axes", {0, -1})), "f32[1, n, 1]");
  expectTensor(run("unsqueeze", {f32({2}, {1, 2})}, ints("axes", {1})), {2, 1}, {1, 2});
  expectTensor(run("squeeze", {f32({1, 2}, {1, 2})}), {2}, {1, 2});
}

TEST(Reshape, TransposeExpandTile) {
  expectTensor(run("transpose", {six}), {3, 2}, {1, 4, 2, 5, 3, 6});
  EXPECT_EQ(types("transpose", {operand("f32[n, 2, 3]")}, ints("perm", {1, 2, 0})), "f32[2, 3, n]");
  EXPECT_HAS(types("transpose", {operand("f32[n, 2]")}, ints("perm", {0})), "every axis");
  expectTensor(run("expand", {f32({2, 1}, {1, 2}), i64({2}, {1, 3})}), {2, 3}, {1, 1, 1, 2, 2, 2});
  EXPECT_EQ(types("expand", {operand("f32[n, 1]"), sizes({5, 1, 7})}), "f32[5, n, 7]");
  EXPECT_HAS(types("expand", {operand("f32[3]"), sizes({2})}), "do not broadcast");
  expectTensor(run("tile", {f32({1, 2}, {1, 2}), i64({2}, {2, 2})}), {2, 4},
               {1, 2, 1, 2, 1, 2, 1, 2});
  EXPECT_EQ(types("tile", {operand("f32[n]"), sizes({3})}), "f32[3*n]");
}

/// A vector whose elements are known by name.
static Operand named(const std::vector<std::string> &elements) {
  Operand o = operand("i64[" + std::to_string(elements.size()) + "]");
  o.sizes.emplace();
  for (const auto &e : elements)
    o.sizes->push_back(*DimExpr::parse(e));
  return o;
}

TEST(Reshape, SizesKnownByName) {
  const auto x = operand("f32[n, m, 12]");
  EXPECT_EQ(types("reshape", {x, named({"n", "m", "3", "-1"})}), "f32[n, m, 3, 4]");
  EXPECT_EQ(types("reshape", {x, named({"m*n", "12"})}), "f32[m*n, 12]");
  EXPECT_EQ(types("reshape", {x, named({"0", "-1"})}), "f32[n, 12*m]");
  EXPECT_EQ(types("expand", {operand("f32[1, 3]"), named({"n", "1"})}), "f32[n, 3]");
  EXPECT_EQ(types("constant_of_shape", {named({"n", "2*m"})}), "f32[n, 2*m]");
  EXPECT_EQ(types("slice", {operand("f32[512]"), sizes({0}), named({"n"})}), "f32[min(n, 512)]");
  EXPECT_EQ(types("tile", {operand("f32[4]"), named({"n"})}), "f32[4*n]");
}

TEST(Sizes, AreExpressionsOverDimensions) {
  Attrs attrs;
  attrs.values["elements"] = std::string("o0.0, 2*o1.1+1, min(o0.0, 4), -1");
  EXPECT_EQ(types("sizes", {operand("f32[n]"), operand("f32[2, m]")}, attrs), "i64[4]");
  expectTensor(run("sizes", {f32({6}, {0, 0, 0, 0, 0, 0}), f32({1, 2}, {0, 0})}, attrs), {4},
               {6, 5, 4, -1});
  attrs.values["elements"] = std::string("o0.1");
  EXPECT_HAS(types("sizes", {operand("f32[n]")}, attrs), "is no dimension of an operand");
  attrs.values["elements"] = std::string("o0.0 +");
  EXPECT_HAS(types("sizes", {operand("f32[n]")}, attrs), "is no size");
}

TEST(Reshape, DepthAndSpace) {
  const auto x = f32({1, 4, 1, 2}, {0, 1, 2, 3, 4, 5, 6, 7});
  auto attrs = integer("block_size", 2);
  expectTensor(run("depth_to_space", {x}, attrs), {1, 1, 2, 4}, {0, 2, 1, 3, 4, 6, 5, 7});
  const auto back = run("depth_to_space", {x}, attrs);
  expectTensor(run("space_to_depth", {back}, attrs), {1, 4, 1, 2}, {0, 1, 2, 3, 4, 5, 6, 7});
  const auto wide = f32({1, 8, 1, 1}, {0, 1, 2, 3, 4, 5, 6, 7});
  expectTensor(run("depth_to_space", {wide}, attrs), {1, 2, 2, 2}, {0, 2, 4, 6, 1, 3, 5, 7});
  attrs.values["mode"] = std::string("crd");
  expectTensor(run("depth_to_space", {wide}, attrs), {1, 2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7});
}

TEST(Slice, Values) {
  const auto x = f32({5}, {0, 1, 2, 3, 4});
  auto cut = [&](int64_t from, int64_t to, int64_t step) {
    return run("slice", {x, i64({1}, {from}), i64({1}, {to}), i64({1}, {0}), i64({1}, {step})});
  };
  expectTensor(cut(1, 4, 1), {3}, {1, 2, 3});
  expectTensor(cut(-3, INT64_MAX, 2), {2}, {2, 4});
  expectTensor(cut(-1, INT64_MIN, -1), {5}, {4, 3, 2, 1, 0});
  expectTensor(cut(INT64_MAX, 0, -2), {2}, {4, 2});
  expectTensor(cut(3, 1, 1), {0}, {});
  expectTensor(cut(0, 5, INT64_MAX), {1}, {0});
  expectTensor(cut(4, -6, INT64_MIN), {1}, {4});
}

TEST(Slice, Types) {
  auto cut = [](const char *x, int64_t from, int64_t to, int64_t step) {
    return types("slice", {operand(x), sizes({from}), sizes({to}), sizes({0}), sizes({step})});
  };
  EXPECT_EQ(cut("f32[10]", 0, 5, -1), "f32[0]");
  EXPECT_EQ(cut("f32[n, 2]", 0, INT64_MAX, 1), "f32[n, 2]");
  EXPECT_EQ(cut("f32[n]", 0, 4, 1), "f32[min(n, 4)]");
  EXPECT_HAS(cut("f32[n]", 0, 4, 0), "a step is 0");
  EXPECT_HAS(types("slice", {operand("f32[4]"), sizes({0}), sizes({1, 2})}), "differ in length");
}

TEST(Slice, StartsKnownAtRunTime) {
  auto p = meaningOf(
      *findOperator("slice"),
      {operand("f32[n]"), operand("i64[1]"), operand("i64[1]"), sizes({0}), sizes({-2})}, {}, {});
  ASSERT_TRUE(p.ok()) << p.error().str();
  auto r = evaluate(*p, {f32({5}, {0, 1, 2, 3, 4}), i64({1}, {INT64_MAX}), i64({1}, {0}),
                         i64({1}, {0}), i64({1}, {-2})});
  ASSERT_TRUE(r.ok()) << r.error().str();
  expectTensor((*r)[0], {2}, {4, 2});
}

TEST(Slice, ConcatAndSplit) {
  expectTensor(run("concat", {six, f32({2, 1}, {7, 8})}, integer("axis", 1)), {2, 4},
               {1, 2, 3, 7, 4, 5, 6, 8});
  EXPECT_EQ(types("concat", {operand("f32[n, 3]"), operand("f32[m, 3]"), operand("f32[2, 3]")},
                  integer("axis", 0)),
            "f32[m+n+2, 3]");
  EXPECT_HAS(types("concat", {operand("f32[1, 3]"), operand("f32[1, 4]")}, integer("axis", 0)),
             "do not fit together");
  auto parts = runAll("split", {six}, {{{"axis", int64_t{1}}, {"sizes", Ints{1, 2}}}});
  ASSERT_EQ(parts.size(), 2u);
  expectTensor(parts[0], {2, 1}, {1, 4});
  expectTensor(parts[1], {2, 2}, {2, 3, 5, 6});
  EXPECT_EQ(types("split", {operand("f32[7]")}, integer("parts", 3)), "f32[3] f32[3] f32[1]");
  EXPECT_HAS(types("split", {operand("f32[7]")}, ints("sizes", {3, 3})), "do not add up");
  EXPECT_EQ(types("split", {operand("f32[n]"), operand("i64[m]")}, integer("parts", 2)),
            "f32[$0] f32[-$0+n]");
  EXPECT_HAS(types("split", {operand("f32[n]"), operand("i64[3]")}, integer("parts", 2)),
             "not those of 2 parts");
}

TEST(Slice, PadModes) {
  const auto x = f32({2, 4}, {-2.5, 1, -1, 2.5, 0.5, -1.5, 2, 0});
  const auto pads = i64({4}, {0, 2, 1, 1});
  expectTensor(
      run("pad", {x, pads}, word("mode", "reflect")), {3, 7},
      {-1, 1, -2.5, 1, -1, 2.5, -1, 2, -1.5, 0.5, -1.5, 2, 0, 2, -1, 1, -2.5, 1, -1, 2.5, -1});
  expectTensor(run("pad", {x, pads}, word("mode", "wrap")), {3, 7},
               {-1, 2.5, -2.5, 1,  -1,  2.5,  -2.5, 2,  0,   0.5, -1.5,
                2,  0,   0.5,  -1, 2.5, -2.5, 1,    -1, 2.5, -2.5});
  expectTensor(run("pad", {f32({3}, {1, 2, 3}), i64({2}, {2, 1})}, word("mode", "edge")), {6},
               {1, 1, 1, 2, 3, 3});
  expectTensor(run("pad", {f32({3}, {1, 2, 3}), i64({2}, {-1, 2}), f32({}, {9})}), {4},
               {2, 3, 9, 9});
  expectTensor(run("pad", {six, i64({2}, {1, 0}), std::nullopt, i64({1}, {-1})}), {2, 4},
               {0, 1, 2, 3, 0, 4, 5, 6});
  EXPECT_EQ(types("pad", {operand("f32[n, m]"), sizes({1, 0, 1, 3})}), "f32[n+2, m+3]");
  EXPECT_HAS(types("pad", {operand("f32[2]"), sizes({-2, -1})}), "more than there is");
  EXPECT_HAS(types("pad", {operand("f32[n]"), operand("i64[2]")}), "f32[$");
  EXPECT_HAS(types("pad", {operand("f32[n]"), operand("i64[m]")}), "f32[$");
  EXPECT_HAS(types("pad", {operand("f32[n]"), operand("i64[4]")}), "4 pads for 1 axes");
  EXPECT_HAS(types("pad", {operand("f32[0]"), sizes({1, 1})}, word("mode", "edge")),
             "nothing is left");
}

TEST(Gather, Values) {
  expectTensor(run("gather", {six, i64({2}, {-1, 0})}, integer("axis", 1)), {2, 2}, {3, 1, 6, 4});
  expectTensor(run("gather", {six, i64({}, {1})}), {3}, {4, 5, 6});
  expectTensor(run("gather_elements", {six, i64({2, 1}, {2, -3})}, integer("axis", 1)), {2, 1},
               {3, 4});
  expectTensor(run("gather_nd", {six, i64({2, 2}, {1, 2, 0, -2})}), {2}, {6, 2});
  expectTensor(run("gather_nd", {six, i64({2, 1}, {2, 0})}, integer("batch_dims", 1)), {2}, {3, 4});
  EXPECT_EQ(types("gather", {operand("f32[n, 8]"), operand("i64[2, k]")}), "f32[2, k, 8]");
  EXPECT_HAS(failure("gather", {six, i64({1}, {2})}), "index 2 is outside an axis of size 2");
}

TEST(Gather, AnIndexOutsideIsAnErrorAtRunTime) {
  auto p = meaningOf(*findOperator("gather"), {operand("f32[2, 3]"), operand("i64[1]")}, {}, {});
  ASSERT_TRUE(p.ok()) << p.error().str();
  auto r = evaluate(*p, {six, i64({1}, {5})});
  ASSERT_FALSE(r.ok());
  EXPECT_HAS(r.error().str(), "an index is outside its axis");
}

TEST(Gather, ReverseSequence) {
  expectTensor(run("reverse_sequence", {six, i64({2}, {2, 3})},
                   {{{"batch_axis", int64_t{0}}, {"time_axis", int64_t{1}}}}),
               {2, 3}, {2, 1, 3, 6, 5, 4});
}

TEST(Scatter, Values) {
  const auto x = f32({3, 2}, {0, 0, 0, 0, 0, 0});
  const auto at = i64({3, 1}, {1, 1, -1});
  const auto u = f32({3, 1}, {5, 7, 9});
  expectTensor(run("scatter_elements", {x, at, u}), {3, 2}, {0, 0, 7, 0, 9, 0});
  expectTensor(run("scatter_elements", {x, at, u}, word("reduction", "add")), {3, 2},
               {0, 0, 12, 0, 9, 0});
  const auto rows = i64({2, 1}, {2, 0});
  const auto v = f32({2, 2}, {1, 2, 3, 4});
  expectTensor(run("scatter_nd", {x, rows, v}), {3, 2}, {3, 4, 0, 0, 1, 2});
  const auto y = f32({2, 2}, {2, 3, 4, 5});
  expectTensor(run("scatter_nd", {y, i64({2, 2}, {1, 0, 1, 0}), f32({2}, {10, 3})},
                   word("reduction", "mul")),
               {2, 2}, {2, 3, 120, 5});
  expectTensor(
      run("scatter_nd", {y, i64({1, 2}, {0, -1}), f32({1}, {8})}, word("reduction", "max")), {2, 2},
      {2, 8, 4, 5});
  EXPECT_HAS(
      types("scatter_nd", {operand("f32[3, 2]"), operand("i64[2, 1]"), operand("f32[2, 3]")}),
      "do not fit");
  EXPECT_HAS(failure("scatter_elements", {x, i64({1, 1}, {3}), f32({1, 1}, {1})}),
             "an index is outside its axis");
}

TEST(Fill, ShapesAndSizes) {
  expectTensor(run("shape", {six}), {2}, {2, 3});
  expectTensor(run("shape", {six}, integer("start", -1)), {1}, {3});
  expectTensor(run("shape", {f32({}, {1})}), {0}, {});
  expectTensor(run("size", {six}), {}, {6});
  EXPECT_EQ(types("shape", {operand("f32[n, 3]")}), "i64[2]");
  expectTensor(run("constant_of_shape", {i64({2}, {1, 2})}, {{{"value", 2.5}}}), {1, 2},
               {2.5, 2.5});
  expectTensor(
      run("constant_of_shape", {i64({1}, {1})}, {{{"type", DType::I64}, {"int_value", INT64_MAX}}}),
      {1}, {9223372036854775807.0});
}

TEST(Fill, Range) {
  expectTensor(run("range", {i64({}, {3}), i64({}, {9}), i64({}, {3})}), {2}, {3, 6});
  expectTensor(run("range", {i64({}, {10}), i64({}, {4}), i64({}, {-2})}), {3}, {10, 8, 6});
  expectTensor(run("range", {f32({}, {1}), f32({}, {2}), f32({}, {0.25})}), {4},
               {1, 1.25, 1.5, 1.75});
  expectTensor(run("range", {i64({}, {1}), i64({}, {1}), i64({}, {1})}), {0}, {});
  EXPECT_HAS(failure("range", {i64({}, {1}), i64({}, {2}), i64({}, {0})}), "the step is 0");
}

/// The length of a range whose operands are known at run time only; -1 for a refused step.
static int64_t openRange(const HostTensor &start, const HostTensor &limit, const HostTensor &step) {
  std::vector<Operand> types;
  for (const HostTensor *t : {&start, &limit, &step})
    types.push_back(Operand::of(TensorType{t->type(), {}}));
  auto p = meaningOf(*findOperator("range"), types, {}, {});
  EXPECT_TRUE(p.ok()) << p.error().str();
  auto y = evaluate(*p, {start, limit, step});
  if (y)
    return y->front().elems();
  EXPECT_EQ(y.error().code, 541) << y.error().str();
  return -1;
}

TEST(Fill, RangeOfWhatIsKnownAtRunTime) {
  constexpr int64_t quintillion = 1000000000000000000;
  auto ints = [](int64_t s, int64_t l, int64_t d) {
    return openRange(i64({}, {s}), i64({}, {l}), i64({}, {d}));
  };
  EXPECT_EQ(ints(-6 * quintillion, 6 * quintillion, quintillion), 12);
  EXPECT_EQ(ints(6 * quintillion, -6 * quintillion, -quintillion), 12);
  EXPECT_EQ(ints(INT64_MIN, INT64_MAX, INT64_MAX), 3);
  EXPECT_EQ(ints(INT64_MAX, INT64_MIN, INT64_MIN), 2);
  EXPECT_EQ(ints(3, 9, 3), 2);
  EXPECT_EQ(ints(3, 10, 3), 3);
  EXPECT_EQ(ints(10, 4, -2), 3);
  EXPECT_EQ(ints(4, 10, -2), 0);
  EXPECT_EQ(ints(1, 1, 1), 0);
  EXPECT_EQ(ints(1, 2, 0), -1);
  EXPECT_EQ(openRange(f32({}, {1}), f32({}, {2}), f32({}, {0.25})), 4);
  EXPECT_EQ(openRange(f32({}, {1}), f32({}, {2}), f32({}, {0})), -1);
}

TEST(Fill, DiagonalsAndTriangles) {
  expectTensor(run("eye_like", {six}), {2, 3}, {1, 0, 0, 0, 1, 0});
  expectTensor(run("eye_like", {six}, integer("k", 1)), {2, 3}, {0, 1, 0, 0, 0, 1});
  expectTensor(run("trilu", {six}), {2, 3}, {1, 2, 3, 0, 5, 6});
  expectTensor(run("trilu", {six, i64({}, {1})}), {2, 3}, {0, 2, 3, 0, 0, 6});
  expectTensor(run("trilu", {six, i64({}, {INT64_MIN})}), {2, 3}, {1, 2, 3, 4, 5, 6});
  expectTensor(run("trilu", {six}, integer("upper", 0)), {2, 3}, {1, 0, 0, 4, 5, 0});
}

TEST(Fill, OneHot) {
  const auto values = f32({2}, {0, 5});
  expectTensor(run("one_hot", {i64({3}, {0, -1, 7}), i64({}, {3}), values}), {3, 3},
               {5, 0, 0, 0, 0, 5, 0, 0, 0});
  expectTensor(run("one_hot", {f32({1}, {1}), i64({1}, {2}), values}, integer("axis", 0)), {2, 1},
               {0, 5});
}

TEST(Fill, CastThroughUnsigned) {
  auto to = [](DType t) { return Attrs{{{"to", t}}}; };
  const auto wrapped = run("cast", {i8({1}, {-1})}, to(DType::U8));
  expectTensor(run("cast", {wrapped}, to(DType::F32)), {1}, {255});
  expectTensor(run("cast", {f32({2}, {-1.9f, 1.9f})}, to(DType::I32)), {2}, {-1, 1});
  expectTensor(run("cast", {f32({3}, {0, -0.5, NaN})}, to(DType::Bool)), {3}, {0, 1, 1});
  EXPECT_EQ(types("cast", {operand("f32[n]")}, to(DType::BF16)), "bf16[n]");
}

/// shape, gather, concat, reshape: what an exporter writes for x.view(x.shape[0], -1).
TEST(Fill, AChainOfShapeOperatorsFoldsOnConstants) {
  const auto x = f32({2, 3, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  const auto shape = run("shape", {x});
  const auto first = run("gather", {shape, i64({1}, {0})});
  const auto target = run("concat", {first, i64({1}, {-1})}, integer("axis", 0));
  EXPECT_EQ(types("reshape", {operand("f32[2, 3, 2]"), constant(target)}), "f32[2, 6]");
}

TEST(Host, TopK) {
  auto r = runAll("top_k", {f32({2, 4}, {1, 4, 4, 2, 0, -1, NaN, 3}), i64({1}, {2})});
  ASSERT_EQ(r.size(), 2u);
  expectTensor(r[0], {2, 2}, {4, 4, NaN, 3});
  expectTensor(r[1], {2, 2}, {1, 2, 2, 3});
  r = runAll("top_k", {i32({3}, {5, 1, 1}), i64({}, {3})}, integer("largest", 0));
  expectTensor(r[0], {3}, {1, 1, 5});
  expectTensor(r[1], {3}, {1, 2, 0});
  EXPECT_EQ(types("top_k", {operand("f32[n, 9]"), sizes({4})}), "f32[n, 4] i64[n, 4]");
  EXPECT_HAS(types("top_k", {operand("f32[3]"), sizes({4})}), "asks for 4 elements");
}

TEST(Host, SizesThatDependOnValues) {
  expectTensor(run("non_zero", {f32({2, 2}, {0, 1, 2, 3})}), {2, 3}, {0, 1, 1, 1, 0, 1});
  expectTensor(run("non_zero", {f32({2}, {0, 0})}), {1, 0}, {});
  expectTensor(run("compress", {six, boolean({2}, {0, 1})}, integer("axis", 1)), {2, 1}, {2, 5});
  expectTensor(run("compress", {six, boolean({3}, {1, 0, 1})}, integer("axis", 1)), {2, 2},
               {1, 3, 4, 6});
  EXPECT_EQ(types("non_zero", {operand("bool[n, m]")}), "i64[2, $0]");
}
