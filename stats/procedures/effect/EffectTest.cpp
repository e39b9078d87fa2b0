#include "stats/procedures/effect/ChiSquaredInterval.h"

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

} // namespace
} // namespace imbrex::stats
