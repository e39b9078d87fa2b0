#include "tools/onnx-suite/Expectations.h"
#include "tools/onnx-suite/Cases.h"

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

TEST(Cases, SamplesAreTheSameEverywhereAndCoverAll) {
  std::vector<Case> all;
  for (int i = 0; i < 800; ++i)
    all.push_back({"test_" + std::to_string(i), "", {}});
  auto some = sampleCases(all, 8, 1), others = sampleCases(all, 8, 2);
  EXPECT_NEAR(double(some.size()), 100, 40);
  EXPECT_NEAR(double(others.size()), 100, 40);
  EXPECT_NE(some[0].name + some[1].name, others[0].name + others[1].name);
  EXPECT_EQ(sampleCases(all, 1, 1).size(), all.size());
}

} // namespace imbrex::suite
