#include "tools/common/ModelOptions.h"

#include <gtest/gtest.h>

using namespace imbrex::tools;

TEST(DimOption, FixesOrBounds) {
  auto fixed = parseDimOption("n=4");
  ASSERT_TRUE(fixed.ok());
  EXPECT_EQ(fixed->name, "n");
  EXPECT_EQ(fixed->low, 4);
  EXPECT_EQ(fixed->high, 4);
  auto bounded = parseDimOption("batch=1..64");
  ASSERT_TRUE(bounded.ok());
  EXPECT_EQ(bounded->low, 1);
  EXPECT_EQ(bounded->high, 64);
}

TEST(DimOption, RefusesOtherForms) {
  for (const char *text :
       {"", "n", "=4", "n=", "n=-1", "n=4..", "n=..4", "n=4..1", "n=1...2", "n=x"})
    EXPECT_FALSE(parseDimOption(text).ok()) << text;
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
