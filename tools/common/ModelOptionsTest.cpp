#include "tools/common/ModelOptions.h"

#include <gtest/gtest.h>

using namespace imbrex::tools;

TEST(DimOption, FixesOrBounds) {
  auto fixed = parseDimOption("n=4");
  ASSERT_TRUE(fixed.ok());
  ASSERT_EQ(fixed->size(), 1u);
  EXPECT_EQ(fixed->front().name, "n");
  EXPECT_EQ(fixed->front().low, 4);
  EXPECT_EQ(fixed->front().high, 4);
  EXPECT_EQ(fixed->front().divisor, 1);
}

TEST(DimOption, NamesSeveralWithDivisors) {
  auto dims = parseDimOption("batch=1..64,seq=1..512%8");
  ASSERT_TRUE(dims.ok());
  ASSERT_EQ(dims->size(), 2u);
  EXPECT_EQ(dims->at(0).name, "batch");
  EXPECT_EQ(dims->at(0).low, 1);
  EXPECT_EQ(dims->at(0).high, 64);
  EXPECT_EQ(dims->at(1).name, "seq");
  EXPECT_EQ(dims->at(1).high, 512);
  EXPECT_EQ(dims->at(1).divisor, 8);
}

TEST(DimOption, RefusesOtherForms) {
  for (const char *text : {"", "n", "=4", "n=", "n=-1", "n=4..", "n=..4", "n=4..1", "n=1...2",
                           "n=x", "n=1..8%", "n=1..8%0", "n=4%", "a=1,", ",a=1", "a=1,,b=2"})
    EXPECT_FALSE(parseDimOption(text).ok()) << text;
}

TEST(DimOption, SaysWhenNoSizeIsLeft) {
  auto none = parseDimOption("n=1..7%8");
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().because, "no multiple of 8 lies in its bounds");
}

TEST(ShapeOption, ReadsSizes) {
  auto image = parseShapeOption("x=1x3x224");
  ASSERT_TRUE(image.ok());
  EXPECT_EQ(image->shape, (std::vector<int64_t>{1, 3, 224}));
  auto scalar = parseShapeOption("sr=");
  ASSERT_TRUE(scalar.ok());
  EXPECT_TRUE(scalar->shape.empty());
}

TEST(ShapeOption, RefusesOtherForms) {
  for (const char *text : {"", "x", "=1", "x=1x", "x=x1", "x=1xx2", "x=1,2", "x=-1"})
    EXPECT_FALSE(parseShapeOption(text).ok()) << text;
}
