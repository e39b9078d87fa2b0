#include "stats/procedures/anova/OneWay.h"

#include "stats/numeric/Ranks.h"
#include "stats/procedures/groups/TTests.h"

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
