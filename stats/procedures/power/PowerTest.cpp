#include "stats/procedures/power/Power.h"

#include <cmath>
#include <gtest/gtest.h>

namespace imbrex::stats {
namespace {

constexpr Alternative two = Alternative::TwoSided;

double balanced(double d, double n) { return powerTwoSampleT(d, n, n, .05, two); }

TEST(Power, TwoGroupsByT) {
  SampleSize size = solveSize([](double n) { return balanced(.5, n); }, .8).value();
  EXPECT_NEAR(size.exact, 63.7656, 5e-5);
  EXPECT_EQ(size.whole, 64);
  EXPECT_NEAR(size.reached, .80146, 5e-6);
  EXPECT_NEAR(balanced(.5, 20), .33794, 5e-6);
}

TEST(Power, IsAlphaWithoutEffectAndSymmetric) {
  EXPECT_NEAR(balanced(0, 20), .05, 1e-12);
  EXPECT_NEAR(balanced(-.5, 20), balanced(.5, 20), 1e-12);
  EXPECT_NEAR(powerAnova(0, 3, 10, .05), .05, 1e-12);
  EXPECT_NEAR(powerChiSquare(0, 100, 2, .05), .05, 1e-12);
  EXPECT_NEAR(powerTwoProportions(0, 30, 40, .05, two), .05, 1e-12);
  EXPECT_NEAR(powerCorrelation(0, 30, .05, two), .05, 1e-3);
  EXPECT_NEAR(powerOneSampleT(.4, 25, .05, Alternative::Less),
              powerOneSampleT(-.4, 25, .05, Alternative::Greater), 1e-12);
}

TEST(Power, TwoGroupsOfAnovaAreTheTTest) {
  EXPECT_NEAR(powerAnova(.25, 2, 30, .05), balanced(.5, 30), 1e-9);
}

TEST(Power, CohensTables) {
  // Cohen 1988: d .8, n 26 has .80 (table 2.3.5); f .25, 4 groups, n 45 has .80-.82 (8.3.14);
  // r .3, n 84 has .80 (3.3.5); w .3, df 1, n 88 has .80-.81 (7.3.15).
  EXPECT_NEAR(balanced(.8, 26), .80, .01);
  EXPECT_NEAR(powerAnova(.25, 4, 45, .05), .81, .015);
  EXPECT_NEAR(powerCorrelation(.3, 84, .05, two), .80, .006);
  EXPECT_NEAR(powerChiSquare(.3, 88, 1, .05), .805, .006);
}

TEST(Power, SizesThatDoNotExist) {
  EXPECT_FALSE(solveSize([](double n) { return balanced(0, n); }, .8));
  EXPECT_TRUE(std::isnan(balanced(.5, .5)));
  EXPECT_TRUE(std::isnan(powerTwoSampleT(.5, 20, 20, 0, two)));
  EXPECT_TRUE(std::isnan(powerCorrelation(1, 20, .05, two)));
  EXPECT_EQ(solveSize([](double n) { return balanced(20, n); }, .5)->whole, 2);
}

} // namespace
} // namespace imbrex::stats
