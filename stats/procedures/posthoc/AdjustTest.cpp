#include "stats/procedures/posthoc/Adjust.h"

#include <cmath>
#include <gtest/gtest.h>

namespace imbrex::stats {
namespace {

const std::vector<double> p{.01, .04, .03, .20};

void expectNear(const std::vector<double> &actual, const std::vector<double> &expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i)
    EXPECT_NEAR(actual[i], expected[i], 1e-15) << i;
}

TEST(Adjust, ByHand) {
  expectNear(adjustPValues(p, Adjustment::None), p);
  expectNear(adjustPValues(p, Adjustment::Bonferroni), {.04, .16, .12, .80});
  expectNear(adjustPValues(p, Adjustment::Holm), {.04, .09, .09, .20});
  expectNear(adjustPValues(p, Adjustment::Hochberg), {.04, .08, .08, .20});
  expectNear(adjustPValues(p, Adjustment::BenjaminiHochberg), {.04, .16 / 3, .16 / 3, .20});
  double c = 1 + 1. / 2 + 1. / 3 + 1. / 4;
  expectNear(adjustPValues(p, Adjustment::BenjaminiYekutieli),
             {c * .04, c * .16 / 3, c * .16 / 3, c * .20});
}

TEST(Adjust, IsCappedAtOne) {
  for (double v : adjustPValues(std::vector<double>{.5, .6, .9}, Adjustment::Bonferroni))
    EXPECT_EQ(v, 1);
  for (double v : adjustPValues(std::vector<double>{.5, .6, .9}, Adjustment::Holm))
    EXPECT_EQ(v, 1);
}

TEST(Adjust, TestsWithoutAnswerDoNotCount) {
  std::vector<double> adjusted =
      adjustPValues(std::vector<double>{.01, std::nan(""), .04}, Adjustment::Bonferroni);
  EXPECT_EQ(adjusted[0], .02);
  EXPECT_TRUE(std::isnan(adjusted[1]));
  EXPECT_EQ(adjusted[2], .08);
  EXPECT_TRUE(adjustPValues({}, Adjustment::Holm).empty());
}

} // namespace
} // namespace imbrex::stats
