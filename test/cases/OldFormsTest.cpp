// Forms of operators that later operator sets changed, as compiled models.
#include "test/cases/CompiledModel.h"

#include <cmath>
#include <gtest/gtest.h>

namespace imbrex::cases {
namespace {

using Doubles = std::vector<double>;
constexpr DType f32 = DType::F32;

CompiledModel compiled(const ModelBytes &m) {
  auto c = CompiledModel::of(m);
  EXPECT_TRUE(c.ok()) << c.error().str();
  return c ? c.take() : CompiledModel();
}

void expectNear(const HostTensor &t, const Doubles &expected) {
  ASSERT_EQ(t.elems(), int64_t(expected.size()));
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(t.toDouble(int64_t(i)), expected[i], 1e-5) << i;
}

TEST(OldForms, UpsampleTakesScalesAsAnAttributeBeforeSet9) {
  for (const Size &width : {Size(2), Size("w")}) {
    ModelBytes m(7);
    m.input("x", f32, {1, 1, 1, width});
    m.node("Upsample", {"x"}, {"y"}, {reals("scales", {1, 1, 2, 3})});
    m.output("y", f32, {1, 1, 2, "k"});
    auto c = compiled(m);
    EXPECT_EQ(valuesOf(c.one({ramp({1, 1, 1, 2}, 1)})),
              (Doubles{1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2}));
  }
}

TEST(OldForms, DropoutGivesAMaskOfItsInputsTypeBeforeSet10) {
  ModelBytes m(7);
  m.input("x", f32, {3}).node("Dropout", {"x"}, {"y", "mask"}).output("mask", f32, {3});
  EXPECT_EQ(valuesOf(compiled(m).one({floats({3}, {0, 2, NAN})})), (Doubles{1, 1, 1}));
}

TEST(OldForms, BatchNormalizationOfPlacesUntilSet8) {
  ModelBytes m(7);
  m.input("x", f32, {"n", 1, 2});
  m.weight("scale", floats({1, 2}, {1, 2})).weight("bias", floats({1, 2}, {0, 1}));
  m.weight("mean", floats({1, 2}, {1, 2})).weight("variance", floats({1, 2}, {4, 9}));
  m.node("BatchNormalization", {"x", "scale", "bias", "mean", "variance"}, {"y"},
         {integer("spatial", 0), real("epsilon", 0)});
  m.output("y", f32, {"n", 1, 2});
  expectNear(compiled(m).one({floats({2, 1, 2}, {1, 2, 5, 8})}), {0, 1, 2, 5});
}

TEST(OldForms, GroupNormalizationScalesGroupsBeforeSet21) {
  ModelBytes m(18);
  m.input("x", f32, {1, 4, "w"});
  m.weight("scale", floats({2}, {1, 10})).weight("bias", floats({2}, {0, 5}));
  m.node("GroupNormalization", {"x", "scale", "bias"}, {"y"},
         {integer("num_groups", 2), real("epsilon", 0)});
  m.output("y", f32, {1, 4, "w"});
  // Both groups have the values -1, 1 of mean 0 and variance 1.
  expectNear(compiled(m).one({floats({1, 4, 1}, {-1, 1, -1, 1})}), {-1, 1, -5, 15});
}

} // namespace
} // namespace imbrex::cases
