#include "stats/procedures/posthoc/ComparisonsOfMeans.h"
#include "stats/procedures/posthoc/ComparisonsOfRanks.h"

#include "stats/procedures/groups/TTests.h"

#include <cmath>
#include <gtest/gtest.h>

namespace imbrex::stats {
namespace {

/// Dry weights of plants (Dobson 1983).
NamedGroups plants() {
  return {{{4.17, 5.58, 5.18, 6.11, 4.50, 4.61, 5.17, 4.53, 5.33, 5.14},
           {4.81, 4.17, 4.41, 3.59, 5.87, 3.83, 6.03, 4.89, 4.32, 4.69},
           {6.31, 5.12, 5.54, 5.50, 5.37, 5.29, 4.92, 6.15, 5.80, 5.26}},
          {"ctrl", "trt1", "trt2"}};
}

double p(const TestResult &result, const char *pair) {
  return result.table("comparisons")->row(pair)->p.undirected->value;
}

double raw(const TestResult &result, const char *pair) {
  return result.table("comparisons")->row(pair)->number("raw p");
}

TEST(Tukey, Plants) {
  TestResult r = tukeyHsd(plants());
  EXPECT_NEAR(p(r, "ctrl - trt1"), .3908711, 5e-8);
  EXPECT_NEAR(p(r, "ctrl - trt2"), .1979960, 5e-8);
  EXPECT_NEAR(p(r, "trt1 - trt2"), .0120064, 5e-8);
  const Estimate &e = *r.table("comparisons")->row("trt1 - trt2")->estimate;
  EXPECT_NEAR(e.value, -.865, 1e-12);
  EXPECT_LT(e.interval->high, 0);
}

TEST(PairwiseT, PlantsPooled) {
  TestResult r = pairwiseT(plants(), Adjustment::Holm);
  EXPECT_NEAR(raw(r, "ctrl - trt1"), .1943879, 5e-8);
  EXPECT_NEAR(raw(r, "ctrl - trt2"), .0876817, 5e-8);
  EXPECT_NEAR(raw(r, "trt1 - trt2"), .00445924, 5e-9);
  EXPECT_NEAR(p(r, "ctrl - trt1"), .1943879, 5e-8);
  EXPECT_NEAR(p(r, "ctrl - trt2"), .1753634, 1e-7);
  EXPECT_NEAR(p(r, "trt1 - trt2"), .0133777, 5e-8);
  EXPECT_TRUE(r.table("comparisons")->row("trt1 - trt2")->effects.at(0).interval);
}

TEST(PairwiseT, OwnDeviationIsWelchsTest) {
  NamedGroups g = plants();
  TestResult r = pairwiseT(g, Adjustment::None, Deviation::OwnWelch);
  EXPECT_EQ(p(r, "ctrl - trt1"), welchsT(g.values[0], g.values[1]).p.undirected->value);
}

TEST(GamesHowell, TwoGroupsAreWelchsTest) {
  NamedGroups g = plants();
  g.values.pop_back();
  g.names.pop_back();
  TestResult r = gamesHowell(g);
  EXPECT_NEAR(p(r, "ctrl - trt1"), welchsT(g.values[0], g.values[1]).p.undirected->value, 1e-9);
}

TEST(Tukey, TwoGroupsAreStudentsTest) {
  NamedGroups g = plants();
  g.values.pop_back();
  TestResult r = tukeyHsd(g);
  EXPECT_NEAR(p(r, "ctrl - trt1"), studentsT(g.values[0], g.values[1]).p.undirected->value, 1e-9);
}

TEST(Dunn, TwoGroupsAreKruskalWallis) {
  NamedGroups g = plants();
  TestResult three = dunn(g, Adjustment::Holm);
  EXPECT_NEAR(three.statistic("H"), 7.988229, 5e-7);
  g.values.pop_back();
  TestResult two = dunn(g, Adjustment::None);
  double z = two.table("comparisons")->row("ctrl - trt1")->number("z");
  EXPECT_NEAR(z * z, two.statistic("H"), 1e-12);
}

TEST(RankComparisons, SignsFollowTheFirstGroup) {
  for (const TestResult &r :
       {dunn(plants(), Adjustment::Holm), conover(plants(), Adjustment::Holm), nemenyi(plants()),
        conoverBlocks(plants(), Adjustment::Holm), nemenyiBlocks(plants())}) {
    const ResultRow *row = r.table("comparisons")->row("trt1 - trt2");
    EXPECT_LT(row->estimate->value, 0) << r.id;
    EXPECT_LT(row->effects.back().value, 0) << r.id;
    EXPECT_LT(row->p.undirected->value, .15) << r.id;
  }
}

TEST(Posthoc, RefusesAndNamesTheGroup) {
  NamedGroups g{{{1, 2}, {}, {3, 4}}, {"a", "b", "c"}};
  for (const TestResult &r : {tukeyHsd(g), gamesHowell(g), pairwiseT(g, Adjustment::Holm),
                              dunn(g, Adjustment::Holm), nemenyi(g)}) {
    EXPECT_EQ(r.outcome, Outcome::Refused) << r.id;
    EXPECT_NE(r.reason.find("'b'"), std::string::npos) << r.id;
  }
  EXPECT_EQ(tukeyHsd({{{1, 2}}, {}}).outcome, Outcome::Refused);
  EXPECT_EQ(tukeyHsd({{{1}, {2}}, {}}).outcome, Outcome::Refused);
}

TEST(Posthoc, ConstantGroups) {
  NamedGroups same{{{1, 1}, {1, 1}, {2, 2}}, {"a", "b", "c"}};
  for (const TestResult &r :
       {tukeyHsd(same), pairwiseT(same, Adjustment::Holm), gamesHowell(same)}) {
    EXPECT_FALSE(r.table("comparisons")->row("a - b")->p.undirected) << r.id;
    EXPECT_EQ(r.table("comparisons")->row("a - c")->p.undirected->value, 0) << r.id;
  }
  EXPECT_EQ(dunn({{{1, 1}, {1, 1}}, {}}, Adjustment::Holm).outcome, Outcome::Undefined);
}

} // namespace
} // namespace imbrex::stats
