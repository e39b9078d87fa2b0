// Reports of other compilers that went wrong about sizes, replayed.
#include "test/cases/CompiledModel.h"

#include <gtest/gtest.h>

namespace imbrex::cases {
namespace {

using Shape = std::vector<int64_t>;
constexpr DType f32 = DType::F32, i64 = DType::I64;

CompiledModel compiled(const ModelBytes &m, CompileOptions options = {}) {
  auto c = CompiledModel::of(m, std::move(options));
  EXPECT_TRUE(c.ok()) << c.error().str();
  return c ? c.take() : CompiledModel();
}

std::string failure(CompiledModel &c, const std::vector<HostTensor> &inputs) {
  auto outputs = c.run(inputs);
  return outputs ? "" : outputs.error().str();
}

TEST(SizeCases, C02_ASliceBackwardsToABehindPlaceIsEmpty) {
  for (const Size &size : {Size(10), Size("n")}) {
    ModelBytes m(13);
    m.input("x", f32, {size}).weight("start", ints({1}, {0})).weight("end", ints({1}, {5}));
    m.weight("axis", ints({1}, {0})).weight("step", ints({1}, {-1}));
    m.node("Slice", {"x", "start", "end", "axis", "step"}, {"y"}).output("y", f32, {"k"});
    auto c = compiled(m);
    EXPECT_EQ(c.one({ramp({10})}).shape(), (Shape{0}));
  }
}

TEST(SizeCases, C03_SizesAreDividedAsIntegers) {
  for (const Size &size : {Size(386), Size("n")}) {
    ModelBytes m(13);
    m.input("x", f32, {size}).weight("zero", ints({1}, {0})).weight("three", ints({1}, {3}));
    m.node("Shape", {"x"}, {"shape"}).node("Gather", {"shape", "zero"}, {"size"});
    m.node("Div", {"size", "three"}, {"end"}).node("Slice", {"x", "zero", "end"}, {"y"});
    m.output("y", f32, {"k"});
    auto c = compiled(m);
    EXPECT_EQ(c.one({ramp({386})}).shape(), (Shape{128}));
  }
}

TEST(SizeCases, C05_AReshapeToAnotherNumberOfElementsIsRefused) {
  ModelBytes m(13);
  m.input("x", f32, {2, 3}).weight("shape", ints({1}, {7}));
  m.node("Reshape", {"x", "shape"}, {"y"}).output("y", f32, {7});
  auto refused = CompiledModel::of(m);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, 413);
  auto open = CompiledModel::open(m, {{"x", 2}});
  ASSERT_TRUE(open.ok()) << open.error().str();
  EXPECT_NE(failure(*open, {ramp({2, 3})}), "");
  EXPECT_EQ(open->one({ramp({1, 7})}).shape(), (Shape{7}));
}

TEST(SizeCases, C07_GroupsOfAConvolutionImplyItsChannels) {
  ModelBytes m(13);
  m.input("x", f32, {"n", "c", "h", "w"});
  m.weight("kernel", floats({16, 16, 3, 3}, std::vector<float>(16 * 16 * 9, 1)));
  m.node("Conv", {"x", "kernel"}, {"y"}, {integer("group", 2)});
  m.output("y", f32, {"n", 16, "p", "q"});
  auto c = compiled(m);
  auto y = c.one({HostTensor(f32, {1, 32, 4, 5})});
  EXPECT_EQ(y.shape(), (Shape{1, 16, 2, 3}));
  auto ones = floats({1, 32, 3, 3}, std::vector<float>(32 * 9, 1));
  EXPECT_EQ(valuesOf(c.one({ones})), std::vector<double>(16, 16 * 9));
  EXPECT_NE(failure(c, {HostTensor(f32, {1, 30, 4, 5})}).find("does not fit"), std::string::npos);
}

TEST(SizeCases, C09_SizesOfAnUnsqueezedTensor) {
  ModelBytes m(13);
  m.input("x", f32, {"a", "b"}).weight("axes", ints({1}, {0}));
  m.node("Unsqueeze", {"x", "axes"}, {"y"}).node("Shape", {"y"}, {"sizes"});
  m.output("sizes", i64, {3});
  auto c = compiled(m);
  EXPECT_EQ(c.one({HostTensor(f32, {4, 8})}).toInts(), (Shape{1, 4, 8}));
}

TEST(SizeCases, C10_TwoUnknownSizesBecomeOne) {
  ModelBytes m(13);
  m.input("x", f32, {"a", "b", 4}).weight("flat", ints({2}, {-1, 4}));
  m.node("Reshape", {"x", "flat"}, {"y"}).node("Shape", {"x"}, {"shape"});
  m.node("Neg", {"y"}, {"z"}).node("Reshape", {"z", "shape"}, {"back"});
  m.output("y", f32, {"k", 4}).output("back", f32, {"a", "b", 4});
  auto c = compiled(m);
  for (const Shape &shape : {Shape{2, 3, 4}, Shape{1, 1, 4}, Shape{0, 5, 4}}) {
    auto out = c.run({ramp(shape)});
    ASSERT_TRUE(out.ok()) << out.error().str();
    EXPECT_EQ(out->at(0).shape(), (Shape{shape[0] * shape[1], 4}));
    EXPECT_EQ(out->at(1).shape(), shape);
    EXPECT_EQ(valuesOf(out->at(0)), valuesOf(ramp(shape)));
  }
}

/// softmax(q k' / 2) v
ModelBytes attention(const Sizes &q, const Sizes &k, const Sizes &v) {
  ModelBytes m(13);
  m.input("q", f32, q).input("k", f32, k).input("v", f32, v).weight("half", floats({}, {0.5}));
  m.node("Transpose", {"k"}, {"kt"}, {integers("perm", {0, 2, 1})});
  m.node("MatMul", {"q", "kt"}, {"s"}).node("Mul", {"s", "half"}, {"t"});
  m.node("Softmax", {"t"}, {"p"}).node("MatMul", {"p", "v"}, {"y"});
  return m.output("y", f32, {q[0], q[1], v[2]});
}

TEST(SizeCases, C10_AttentionOfAnySizesIsThatOfTheseSizes) {
  auto open = compiled(attention({"b", "m", "d"}, {"b", "n", "d"}, {"b", "n", "e"}));
  auto fixed = compiled(attention({2, 5, 8}, {2, 7, 8}, {2, 7, 3}));
  auto some = [](Shape shape, float by) {
    HostTensor t(f32, std::move(shape));
    for (int64_t i = 0; i < t.elems(); ++i)
      t.mutableData<float>()[i] = by * float(i * 37 % 11 - 5);
    return t;
  };
  const std::vector<HostTensor> in = {some({2, 5, 8}, 0.1f), some({2, 7, 8}, 0.2f),
                                      some({2, 7, 3}, 1)};
  auto a = open.one(in), b = fixed.one(in);
  ASSERT_EQ(a.shape(), b.shape());
  for (int64_t i = 0; i < a.elems(); ++i)
    EXPECT_NEAR(a.toDouble(i), b.toDouble(i), 1e-5 * std::max(1.0, std::abs(b.toDouble(i))));
}

TEST(SizeCases, C12_ALowerBoundAllocatesNothing) {
  ModelBytes m(13);
  m.input("x", f32, {"batch", 2, 5, 5});
  m.weight("kernel", floats({3, 2, 3, 3}, std::vector<float>(54, 1)));
  m.node("Conv", {"x", "kernel"}, {"a"}).node("Relu", {"a"}, {"b"});
  m.node("Add", {"a", "b"}, {"y"}).output("y", f32, {"batch", 3, 3, 3});
  CompileOptions options;
  options.dimFacts["batch"] = {.lo = 2};
  auto c = compiled(m, options);
  for (int64_t batch : {2, 3, 64}) {
    auto ones = floats({batch, 2, 5, 5}, std::vector<float>(size_t(batch) * 50, 1));
    EXPECT_EQ(valuesOf(c.one({ones})), std::vector<double>(size_t(batch) * 27, 36));
  }
  EXPECT_NE(failure(c, {HostTensor(f32, {1, 2, 5, 5})}).find("'batch' must be at least 2"),
            std::string::npos);
}

/// a.shape[0] * a * b
ModelBytes scaled(const Size &rowsOfA, const Size &rowsOfB) {
  ModelBytes m(13);
  m.input("a", f32, {rowsOfA, 2}).input("b", f32, {rowsOfB, 2}).weight("zero", ints({}, {0}));
  m.node("Shape", {"a"}, {"shape"}).node("Gather", {"shape", "zero"}, {"rows"});
  m.node("Cast", {"rows"}, {"count"}, {integer("to", 1)});
  m.node("Mul", {"a", "b"}, {"ab"}).node("Mul", {"ab", "count"}, {"y"});
  return m.output("y", f32, {"k", 2});
}

TEST(SizeCases, C15_OneNameIsOneSize) {
  CompileOptions options;
  options.dimFacts["n"] = {.lo = 2, .hi = 10};
  auto shared = compiled(scaled("n", "n"), options);
  for (int64_t n : {2, 4, 10}) {
    auto y = shared.one({ramp({n, 2}), ramp({n, 2}, 1)});
    ASSERT_EQ(y.shape(), (Shape{n, 2}));
    for (int64_t i = 0; i < y.elems(); ++i)
      EXPECT_EQ(y.toDouble(i), double(n * i * (i + 1)));
  }
  EXPECT_EQ(failure(shared, {ramp({5, 2}), ramp({4, 2})}),
            "error[E0202]: input 'b' has size 4 on axis 0, shape [4, 2]; because the model expects "
            "n = 5, the size of axis 0 of input 'a'");
  EXPECT_NE(failure(shared, {ramp({11, 2}), ramp({11, 2})}).find("must be between 2 and 10"),
            std::string::npos);
}

TEST(SizeCases, C15_ASizeThatIsFixedOnOneSideOnlyIsNeverAssumed) {
  CompileOptions options;
  options.dimFacts["n"] = {.lo = 2, .hi = 10};
  auto c = compiled(scaled("n", 4), options);
  auto y = c.one({ramp({4, 2}), ramp({4, 2})});
  for (int64_t i = 0; i < y.elems(); ++i)
    EXPECT_EQ(y.toDouble(i), double(4 * i * i));
  EXPECT_NE(failure(c, {ramp({5, 2}), ramp({4, 2})}), "");
}

} // namespace
} // namespace imbrex::cases
