#include "tools/onnx-suite/Expectations.h"

#include <gtest/gtest.h>

namespace imbrex::suite {

TEST(Expectations, ReadsCasesWithTheirFeature) {
  auto e = parseExpectations("# known\n\ntest_a: strings\n test_b :  8-bit floats # later\n", "f");
  ASSERT_TRUE(e.ok()) << e.error().str();
  EXPECT_EQ(e->size(), 2u);
  EXPECT_EQ(e->at("test_b"), "8-bit floats");
}

TEST(Expectations, NamesTheBadLine) {
  for (std::string text : {"test_a: x\ntest_b\n", "test_a: x\n: y\n", "test_a: x\ntest_a: y\n"}) {
    auto e = parseExpectations(text, "list.txt");
    ASSERT_FALSE(e.ok());
    EXPECT_EQ(e.error().where.line, 2u);
    EXPECT_EQ(e.error().where.file, "list.txt");
  }
}

} // namespace imbrex::suite
