// Reference values: R 4.2.2 on R's own data.
#include "stats/procedures/anova/OneWay.h"

#include "stats/procedures/anova/Friedman.h"
#include "stats/procedures/test/ReferenceData.h"
#include "stats/procedures/test/TestSupport.h"

using namespace imbrex::stats;
namespace ref = imbrex::stats::reference;

namespace {

Groups parts(const std::vector<double> &values, size_t each) {
  Groups groups;
  for (size_t from = 0; from < values.size(); from += each)
    groups.push_back(part(values, from, each));
  return groups;
}

Groups byCode(const std::vector<double> &values, const std::vector<double> &codes,
              std::vector<double> wanted) {
  Groups groups;
  for (double code : wanted)
    groups.push_back(where(values, codes, code));
  return groups;
}

Groups chicks() { return byCode(ref::chickWeight, ref::chickFeed, {1, 2, 3, 4, 5, 6}); }
Groups cars() { return byCode(ref::mtcarsMpg, ref::mtcarsCyl, {4, 6, 8}); }

} // namespace

TEST(OneWayF, ReferenceData) {
  TestResult plants = oneWayF(parts(ref::plantWeight, 10));
  EXPECT_NUMBER(4.846088, plants.statistic("F"));
  EXPECT_NUMBER(.01590996, plants.p.undirected->value);
  EXPECT_EQ(plants.freedom(0), 2);
  EXPECT_EQ(plants.freedom(1), 27);
  EXPECT_NUMBER(3.76634,
                plants.table("analysis of variance")->row("between")->number("sum of squares"));
  TestResult insects = oneWayF(parts(ref::insectCount, 12));
  EXPECT_NUMBER(34.70228, insects.statistic("F"));
  EXPECT_DIGITS(3.1826e-17, insects.p.undirected->value, 2e-5);
  EXPECT_NUMBER(15.36480, oneWayF(chicks()).statistic("F"));
  EXPECT_DIGITS(5.9364e-10, oneWayF(chicks()).p.undirected->value, 2e-5);
  EXPECT_NUMBER(39.69752, oneWayF(cars()).statistic("F"));
  EXPECT_DIGITS(4.9789e-09, oneWayF(cars()).p.undirected->value, 2e-5);
}

TEST(OneWayF, Effects) { // effectsize 0.8.3: eta2 0.26, omega2 0.20, epsilon2 0.21 on PlantGrowth
  TestResult r = oneWayF(parts(ref::plantWeight, 10));
  EXPECT_DIGITS(0.2641483, r.effect("eta squared")->value, 1e-6);
  EXPECT_DIGITS(0.2040788, r.effect("omega squared")->value, 1e-6);
  EXPECT_DIGITS(0.2096408, r.effect("epsilon squared")->value, 1e-6);
  const Interval &interval = *r.effect("eta squared")->interval;
  EXPECT_LT(interval.low, 0.2641483);
  EXPECT_GT(interval.high, 0.2641483);
}

TEST(OneWayF, ConstantGroups) { // never negative, whatever the order
  for (Groups groups : {Groups{{1, 1}, {2, 2}, {3, 3}}, Groups{{3, 3}, {0.1, 0.1}, {1, 1}}}) {
    TestResult r = oneWayF(groups);
    EXPECT_EQ(r.statistic("F"), INFINITY);
    EXPECT_EQ(r.p.undirected->value, 0);
    EXPECT_EQ(r.effect("eta squared")->value, 1);
  }
  EXPECT_EQ(oneWayF({{0.1, 0.1}, {0.1, 0.1, 0.1}}).outcome, Outcome::Undefined);
  EXPECT_EQ(oneWayF({{1}, {2}}).outcome, Outcome::Refused);
  EXPECT_EQ(oneWayF({{1, 2}}).outcome, Outcome::Refused);
  EXPECT_EQ(oneWayF({{1, 2}, {}}).outcome, Outcome::Refused);
  EXPECT_TRUE(oneWayF({{1, 2}, {5}}).defined());
}

TEST(OneWayF, OffsetAndScaleDoNotMatter) {
  Groups groups{{1, 2, 4}, {3, 5, 8}, {2, 2, 9}};
  double plain = oneWayF(groups).statistic("F");
  for (int power : {-600, 600}) {
    Groups scaled = groups;
    for (auto &group : scaled)
      for (double &x : group)
        x = std::ldexp(x + 1000, power);
    EXPECT_DIGITS(plain, oneWayF(scaled).statistic("F"), 1e-14);
  }
}

TEST(WelchAnova, ReferenceData) {
  TestResult plants = welchAnova(parts(ref::plantWeight, 10));
  EXPECT_NUMBER(5.180972, plants.statistic("F"));
  EXPECT_NUMBER(17.12842, plants.freedom(1));
  EXPECT_DIGITS(.0173928, plants.p.undirected->value, 3e-6);
  TestResult insects = welchAnova(parts(ref::insectCount, 12));
  EXPECT_NUMBER(36.06544, insects.statistic("F"));
  EXPECT_NUMBER(30.04256, insects.freedom(1));
  EXPECT_DIGITS(7.9994e-12, insects.p.undirected->value, 2e-5);
  EXPECT_NUMBER(31.62424, welchAnova(cars()).statistic("F"));
  EXPECT_NUMBER(18.03185, welchAnova(cars()).freedom(1));
  EXPECT_EQ(welchAnova({{1, 1}, {2, 3}}).outcome, Outcome::Undefined);
}

TEST(KruskalWallis, ReferenceData) {
  TestResult plants = kruskalWallis(parts(ref::plantWeight, 10));
  EXPECT_NUMBER(7.988229, plants.statistic("H"));
  EXPECT_DIGITS(.0184238, plants.p.undirected->value, 3e-6);
  EXPECT_NUMBER(54.69134, kruskalWallis(parts(ref::insectCount, 12)).statistic("H"));
  EXPECT_DIGITS(1.5108e-10, kruskalWallis(parts(ref::insectCount, 12)).p.undirected->value, 4e-5);
  EXPECT_NUMBER(37.34272, kruskalWallis(chicks()).statistic("H"));
  EXPECT_NUMBER(25.74616, kruskalWallis(cars()).statistic("H"));
  TestResult mucociliary =
      kruskalWallis({{2.9, 3.0, 2.5, 2.6, 3.2}, {3.8, 2.7, 4.0, 2.4}, {2.8, 3.4, 3.7, 2.2, 2.0}});
  EXPECT_NUMBER(.7714286, mucociliary.statistic("H"));
  EXPECT_NUMBER(.6799648, mucociliary.p.undirected->value);
  EXPECT_EQ(kruskalWallis({{1, 1}, {1}}).outcome, Outcome::Undefined);
}

TEST(KruskalWallis, HugeStatisticIsNoMissingP) {
  Groups groups(2);
  for (int i = 0; i < 40000; ++i) {
    groups[0].push_back(i);
    groups[1].push_back(i + 100000);
  }
  TestResult r = kruskalWallis(groups);
  EXPECT_TRUE(r.p.undirected.has_value());
  EXPECT_LT(r.p.undirected->log, -20000);
}

TEST(Friedman, ReferenceData) {
  Groups rounding(3);
  for (size_t i = 0; i < ref::roundingTimes.size(); ++i)
    rounding[i % 3].push_back(ref::roundingTimes[i]);
  TestResult r = friedman(rounding);
  EXPECT_NUMBER(11.142857, r.statistic("Q"));
  EXPECT_DIGITS(.00380504, r.p.undirected->value, 3e-6);
  EXPECT_NUMBER(.2532468, r.effect("Kendall's W")->value);
  TestResult pulses = friedman({{72, 96, 88, 92, 74, 76, 82}, // SciPy's documentation
                                {120, 120, 132, 120, 101, 96, 112},
                                {76, 95, 104, 96, 84, 72, 76}});
  EXPECT_DIGITS(10.57142857142857, pulses.statistic("Q"), 1e-14);
  EXPECT_DIGITS(0.005063414171757498, pulses.p.undirected->value, 1e-13);
}

TEST(Friedman, ExactSmall) { // tables of Hollander and Wolfe: 1/36, 7/36; 1/216, 9/216
  auto exact = [](const Groups &conditions) {
    return friedman(conditions).table("Friedman")->row("exact")->p.undirected->value;
  };
  EXPECT_NEAR(exact({{1, 1, 1}, {2, 2, 2}, {3, 3, 3}}), 1.0 / 36, 1e-15);
  EXPECT_NEAR(exact({{1, 1, 2}, {2, 2, 1}, {3, 3, 3}}), 7.0 / 36, 1e-15);
  EXPECT_NEAR(exact({{1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}}), 1.0 / 216, 1e-15);
  EXPECT_NEAR(exact({{1, 1, 1, 2}, {2, 2, 2, 1}, {3, 3, 3, 3}}), 9.0 / 216, 1e-15);
  // Ties: the high rank of the second subject falls on that of the first in a third of the
  // arrangements.
  TestResult tied = friedman({{1, 1}, {1, 1}, {2, 2}});
  EXPECT_NEAR(tied.table("Friedman")->row("exact")->p.undirected->value, 1.0 / 3, 1e-15);
}

TEST(Friedman, EdgeCases) {
  EXPECT_EQ(friedman({{1, 2}, {1, 2}, {1, 2}}).outcome, Outcome::Undefined);
  EXPECT_EQ(friedman({{1, 2}, {1}}).outcome, Outcome::Refused);
  TestResult r = friedman({{1, 2, 3}, {2, 3, 4}, {3, 4, 5}}); // complete agreement
  EXPECT_EQ(r.effect("Kendall's W")->value, 1);
  EXPECT_EQ(r.table("Friedman")->row("Iman-Davenport")->number("F"), INFINITY);
}
