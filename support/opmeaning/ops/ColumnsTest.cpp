#include "support/opmeaning/ops/OpsTestSupport.h"

using namespace imbrex;
using namespace imbrex::opmeaning;
using namespace imbrex::opmeaning::test;

static Attrs layout(Ints strides, Ints dilations, Ints pads) {
  return {{{"strides", strides}, {"dilations", dilations}, {"pads", pads}}};
}

TEST(ColumnsToImage, AddsWhereBlocksOverlap) {
  const auto x = f32({1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}); // two elements of four blocks
  expectTensor(run("columns_to_image", {x, i64({2}, {2, 3}), i64({2}, {1, 2})}), {1, 1, 2, 3},
               {1, 7, 6, 3, 11, 8});
}

TEST(ColumnsToImage, StridesDilationsAndPads) {
  // Blocks of two elements, two apart, at -1 and 2 of six places.
  const auto x = f32({1, 2, 2}, {1, 2, 3, 4});
  expectTensor(run("columns_to_image", {x, i64({1}, {6}), i64({1}, {2})}, layout({3}, {2}, {1, 0})),
               {1, 1, 6}, {0, 3, 2, 0, 4, 0});
}

TEST(ColumnsToImage, SizesAreThoseOfItsOperands) {
  const auto block = constant(i64({2}, {1, 5}));
  EXPECT_EQ(
      types("columns_to_image", {operand("f32[n, 10, l]"), constant(i64({2}, {5, 5})), block}),
      "f32[n, 2, 5, 5]");
  EXPECT_EQ(types("columns_to_image", {operand("f32[n, c, l]"), operand("i64[2]"), block}),
            "f32[n, c floordiv 5, $0, $1]");
  EXPECT_HAS(
      types("columns_to_image", {operand("f32[1, 7, 4]"), constant(i64({2}, {5, 5})), block}),
      "no whole blocks");
  EXPECT_HAS(
      types("columns_to_image", {operand("f32[1, 5, 4]"), constant(i64({2}, {5, 5})), block}),
      "not as many blocks");
  EXPECT_HAS(
      types("columns_to_image", {operand("f32[1, 5, 4]"), constant(i64({2}, {5, 4})), block}),
      "do not fit the picture");
}
