#include "stats/numeric/NoncentralLimits.h"

#include "stats/numeric/Distributions.h"

#include <gtest/gtest.h>

using namespace imbrex::stats;

TEST(NoncentralLimits, AreTheInverseOfTheTails) {
  for (double t : {-40.0, -2.0, 0.0, 0.3, 5.0, 120.0})
    for (double df : {1.0, 8.0, 1000.0}) {
      auto limits = noncentralityOfT(t, df, 0.9);
      ASSERT_TRUE(limits) << t << " " << df;
      EXPECT_NEAR((NoncentralT{df, limits->first}.sf(t)), 0.05, 1e-9);
      EXPECT_NEAR((NoncentralT{df, limits->second}.cdf(t)), 0.05, 1e-9);
    }
  for (double f : {1.5, 5.0, 300.0, 1e5}) {
    auto limits = noncentralityOfF(f, 3, 40, 0.95);
    ASSERT_TRUE(limits) << f;
    EXPECT_NEAR((NoncentralF{3, 40, limits->second}.cdf(f)), 0.025, 1e-9);
    if (limits->first > 0)
      EXPECT_NEAR((NoncentralF{3, 40, limits->first}.sf(f)), 0.025, 1e-9);
  }
}

TEST(NoncentralLimits, HugeStatisticsJoinTheSeries) {
  // Both sides of the change to Patnaik's approximation agree.
  for (double f : {1e5, 2.5e6, 3.4e6, 1e9, 1e15}) {
    auto limits = noncentralityOfF(f, 3, 40, 0.95);
    ASSERT_TRUE(limits) << f;
    EXPECT_NEAR(limits->first / (3 * f), 0.6108, 2e-3) << f;
    EXPECT_NEAR(limits->second / (3 * f), 1.4835, 2e-3) << f;
  }
  auto t = noncentralityOfT(1e9, 12, 0.95);
  ASSERT_TRUE(t);
  EXPECT_GT(t->second, 1e9);
  EXPECT_LT(t->first, 1e9);
}

TEST(NoncentralLimits, SmallStatisticsHaveLimitsOfZero) {
  auto limits = noncentralityOfF(0.01, 3, 40, 0.95);
  ASSERT_TRUE(limits);
  EXPECT_EQ(limits->first, 0);
  EXPECT_EQ(limits->second, 0);
  EXPECT_FALSE(noncentralityOfF(-1, 3, 40, 0.95));
  EXPECT_EQ(noncentralityOfChiSquared(2, 3, 0.95)->first, 0);
}
