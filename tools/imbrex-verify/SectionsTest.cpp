#include "tools/imbrex-verify/Sections.h"

#include "runtime/testing/TestModels.h"

#include <gtest/gtest.h>

namespace imbrex::tools {
namespace {

TEST(Sections, AGoodArtifactIsGood) {
  const testing::TestModel m = testing::addModel();
  EXPECT_EQ(checkPlans(m.spec).text,
            "checked from the bytecode: 0 tensors in an arena of 0 B, 0 pairs share bytes at "
            "different times, 1 has storage of its own");
  EXPECT_TRUE(describeKernels(m.spec).good);
  EXPECT_EQ(checkRewrites(m.spec).text, "none");
}

TEST(Sections, AWrongPlanIsFound) {
  testing::TestModel m = testing::branchModel();
  for (artifact::FunctionSpec &f : m.spec.functions)
    f.arena = artifact::SizeSpec::literal(0);
  const Section plan = checkPlans(m.spec);
  EXPECT_FALSE(plan.good);
  EXPECT_NE(plan.text.find("is not proven to lie in the arena"), std::string::npos) << plan.text;
}

TEST(Sections, ClampedReadsAreCounted) {
  testing::TestModel m = testing::addModel();
  m.spec.kernels[0].clampedReads = 2;
  EXPECT_EQ(describeKernels(m.spec).details.at("clamped_reads").toInt(), 2);
  EXPECT_NE(describeKernels(m.spec).text.find("2 reads in 1 are not proven in bounds"),
            std::string::npos);
}

TEST(Sections, WhatIsProvenIsTold) {
  testing::TestModel m = testing::addModel();
  const auto text = [&] { return describeKernels(m.spec).text; };
  ASSERT_EQ(m.spec.kernels.size(), 1u);
  EXPECT_NE(text().find("written once is so by construction, and not proven"), std::string::npos);
  m.spec.kernels[0].proven = true;
  EXPECT_NE(text().find("written once is proven for all sizes of 1 tile kernel"),
            std::string::npos);
  EXPECT_EQ(text().find("by construction"), std::string::npos) << text();
  EXPECT_EQ(describeKernels(m.spec).details.at("proven").toInt(), 1);
  m.spec.kernels.push_back(m.spec.kernels[0]);
  m.spec.kernels[1].proven = false;
  EXPECT_NE(
      text().find("of 1 tile kernel, and is so by construction of the 1 other, and not proven"),
      std::string::npos)
      << text();
}

TEST(Sections, RewritesAreRulesOfThisVersion) {
  testing::TestModel m = testing::addModel();
  m.spec.rewrites = {{"drop-identity", "exact bits", "a"}, {"drop-identity", "exact bits", "b"}};
  EXPECT_EQ(checkRewrites(m.spec).text, "drop-identity x 2 (exact bits)");
  m.spec.rewrites.push_back({"invent", "exact bits", "c"});
  EXPECT_EQ(checkRewrites(m.spec).text, "this version has no rule 'invent'");
  m.spec.rewrites = {{"drop-identity", "reals: licence x", "a"}};
  EXPECT_FALSE(checkRewrites(m.spec).good);
}

} // namespace
} // namespace imbrex::tools
