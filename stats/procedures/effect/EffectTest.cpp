#include "stats/procedures/effect/ChiSquaredInterval.h"
#include "stats/procedures/effect/RankVariance.h"

#include "stats/numeric/Distributions.h"

#include <gtest/gtest.h>

namespace imbrex::stats {
namespace {

TEST(ChiSquaredInterval, EndsReproduceTheirProbabilities) {
  auto w = rootInterval(25.35569, 1, 200, .95);
  ASSERT_TRUE(w);
  EXPECT_NEAR((NoncentralChiSquared{1, w->low * w->low * 200}.cdf(25.35569)), .975, 1e-10);
  EXPECT_NEAR((NoncentralChiSquared{1, w->high * w->high * 200}.cdf(25.35569)), .025, 1e-10);
}

TEST(ChiSquaredInterval, SmallStatisticsStartAtZero) {
  EXPECT_EQ(shareInterval(0.3, 2, 20, .95)->low, 0);
  EXPECT_LE(shareInterval(39, 2, 20, .95)->high, 1);
  EXPECT_FALSE(shareInterval(1.0 / 0.0, 2, 20, .95));
}

TEST(RankVariance, RoundingTimesAndPlants) {
  EXPECT_NEAR(kendallsW(11.142857, 22, 3, .95).value, .2532468, 6e-8);
  EffectSize e = rankEpsilonSquared(7.988229, 30, 3, .95);
  EXPECT_NEAR(e.value, 7.988229 / 29, 1e-15);
  EXPECT_LT(e.interval->low, e.value);
  EXPECT_GT(e.interval->high, e.value);
  EXPECT_EQ(rankEtaSquared(0.5, 30, 3, .95).value, 0);
}

} // namespace
} // namespace imbrex::stats
