#include "stats/procedures/anova/OneWay.h"

#include "stats/numeric/Ranks.h"
#include "stats/procedures/groups/RankTests.h"
#include "stats/procedures/groups/TTests.h"

#include <cmath>
#include <gtest/gtest.h>

namespace imbrex::stats {
namespace {

TEST(BrunnerDetteMunk, TwoGroupsAreWelchsTestOfRanks) {
  std::vector<double> a{1, 4, 4, 7, 9.5}, b{2, 4, 8, 10, 11, 12, 13};
  std::vector<double> all(a);
  all.insert(all.end(), b.begin(), b.end());
  std::vector<double> ranks = midranks(all).ranks();
  TestResult welch = welchsT(std::span(ranks).first(5), std::span(ranks).last(7));
  TestResult r = brunnerDetteMunk({a, b});
  double t = welch.statistic("t");
  EXPECT_NEAR(r.statistic("F"), t * t, 1e-13);
  EXPECT_NEAR(r.freedom(0), 1, 1e-14);
  EXPECT_NEAR(r.freedom(1), welch.freedom(), 1e-12);
  EXPECT_NEAR(r.p.undirected->value, welch.p.undirected->value, 1e-12);
}

// With two groups a relative effect is A12 scaled by the other group's share, so that its error is
// Brunner and Munzel's.
TEST(BrunnerDetteMunk, EffectsOfTwoGroupsHaveBrunnerMunzelsError) {
  std::vector<double> a{1, 4, 4, 7, 9.5}, b{2, 4, 8, 10, 11, 12, 13};
  TestResult munzel = brunnerMunzel(a, b);
  double a12 = munzel.effect("A12")->value, error = (a12 - 0.5) / munzel.statistic("t");
  TestResult r = brunnerDetteMunk({a, b}, .9);
  const EffectSize &effect = r.effects[0];
  double p = (5 * 0.5 + 7 * a12) / 12, logit = std::log(p / (1 - p));
  EXPECT_NEAR(effect.value, p, 1e-14);
  double reach = std::log(effect.interval->high / (1 - effect.interval->high)) - logit;
  EXPECT_NEAR(reach, 1.6448536269514722 * 7. / 12 * error / (p * (1 - p)), 1e-12);
}

TEST(BrunnerDetteMunk, EqualGroupsAndRefusals) {
  TestResult same = brunnerDetteMunk({{1, 2, 3}, {1, 2, 3}, {1, 2, 3}});
  EXPECT_EQ(same.statistic("F"), 0);
  EXPECT_EQ(same.p.undirected->value, 1);
  EXPECT_EQ(brunnerDetteMunk({{1, 2}, {3}}).outcome, Outcome::Refused);
  EXPECT_EQ(brunnerDetteMunk({{1, 1}, {1, 1}}).outcome, Outcome::Undefined);
  EXPECT_EQ(brunnerDetteMunk({{1, 1}, {2, 2}}).outcome, Outcome::Undefined);
}

} // namespace
} // namespace imbrex::stats
