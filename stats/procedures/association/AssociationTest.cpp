#include "stats/procedures/association/Kendall.h"
#include "stats/procedures/association/PartialCorrelation.h"
#include "stats/procedures/association/Pearson.h"
#include "stats/procedures/association/PointBiserial.h"
#include "stats/procedures/association/Spearman.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

namespace imbrex::stats {
namespace {

using Column = std::vector<double>;

const Column mpg{21,   21,   22.8, 21.4, 18.7, 18.1, 14.3, 24.4, 22.8, 19.2, 17.8,
                 16.4, 17.3, 15.2, 10.4, 10.4, 14.7, 32.4, 30.4, 33.9, 21.5, 15.5,
                 15.2, 13.3, 19.2, 27.3, 26,   30.4, 15.8, 19.7, 15,   21.4};
const Column weight{2.62,  2.875, 2.32,  3.215, 3.44,  3.46,  3.57, 3.19,  3.15,  3.44,  3.44,
                    4.07,  3.73,  3.78,  5.25,  5.424, 5.345, 2.2,  1.615, 1.835, 2.465, 3.52,
                    3.435, 3.84,  3.845, 1.935, 2.14,  1.513, 3.17, 2.77,  3.57,  2.78};
// Hunter's L measure of canned tuna and panel scores (Hollander and Wolfe 1973).
const Column tuna{44.4, 45.9, 41.9, 53.3, 44.7, 44.1, 50.7, 45.2, 60.1};
const Column panel{2.6, 3.1, 2.5, 5.0, 3.6, 4.0, 5.2, 2.8, 3.8};

Conventions exactAlways() {
  Conventions c = Conventions::R46();
  c.kendallExact = c.spearmanExact = ExactRule::Always;
  return c;
}

TEST(Pearson, CarsByWeight) {
  TestResult r = pearson(mpg, weight);
  EXPECT_NEAR(r.statistic("r"), -.8676594, 5e-8);
  EXPECT_NEAR(r.statistic("t"), -9.559044, 5e-7);
  EXPECT_NEAR(r.p.undirected->value, 1.29396e-10, 5e-16);
  EXPECT_NEAR(r.estimate->interval->low, -.9338264, 5e-8);
  EXPECT_NEAR(r.estimate->interval->high, -.7440872, 5e-8);
}

TEST(Pearson, Tuna) {
  TestResult r = pearson(tuna, panel);
  EXPECT_NEAR(r.statistic("r"), .5711816, 5e-8);
  EXPECT_NEAR(r.p.undirected->value, .1081731, 5e-8);
}

TEST(Pearson, LargeOffsetAndHugeScaleChangeNothing) {
  Column x = mpg, y = weight;
  for (double &v : x)
    v += 1024; // exact
  EXPECT_NEAR(pearson(x, weight).statistic("r"), pearson(mpg, weight).statistic("r"), 1e-13);
  for (double &v : y)
    v = std::ldexp(v, 900);
  EXPECT_EQ(pearson(mpg, y).statistic("r"), pearson(mpg, weight).statistic("r"));
}

TEST(Pearson, SmallAndConstantSamples) {
  EXPECT_EQ(pearson({}, {}).outcome, Outcome::Refused);
  EXPECT_EQ(pearson(Column{1}, Column{2}).outcome, Outcome::Refused);
  TestResult two = pearson(Column{1, 2}, Column{5, 3});
  EXPECT_EQ(two.statistic("r"), -1);
  EXPECT_EQ(two.p.undirected->value, 1);
  TestResult three = pearson(Column{1, 2, 3}, Column{1, 2, 4});
  EXPECT_TRUE(three.defined());
  EXPECT_FALSE(three.estimate->interval);
  TestResult constant = pearson(Column{2, 2, 2}, Column{1, 2, 3});
  EXPECT_EQ(constant.outcome, Outcome::Undefined);
  EXPECT_NE(constant.reason.find("first variable is constant"), std::string::npos);
  TestResult line = pearson(Column{1, 2, 3, 4}, Column{2, 4, 6, 8});
  EXPECT_EQ(line.statistic("r"), 1);
  EXPECT_TRUE(std::isinf(line.statistic("t")));
  EXPECT_EQ(line.p.undirected->value, 0);
}

TEST(Spearman, CarsByWeight) {
  TestResult r = spearman(mpg, weight, Conventions::R42());
  EXPECT_NEAR(r.statistic("rho"), -.8864220, 5e-8);
  EXPECT_NEAR(r.statistic("S"), 10292.32, 5e-3);
  EXPECT_NEAR(r.p.undirected->value, 1.48759e-11, 5e-17);
}

TEST(Spearman, TunaExactAndByStudentsT) {
  TestResult exact = spearman(tuna, panel, Conventions::R42());
  EXPECT_NEAR(exact.statistic("S"), 48, 1e-12);
  EXPECT_NEAR(exact.statistic("rho"), .6, 1e-14);
  EXPECT_NEAR(exact.p.undirected->value, .0967978, 5e-8);
  EXPECT_NEAR(spearman(tuna, panel, Conventions::SciPy()).p.undirected->value, .0876228, 5e-8);
}

TEST(Spearman, SeriesComesCloseToTheExactTail) {
  Column x(12), y{3, 1, 2, 6, 4, 5, 9, 7, 12, 8, 11, 10};
  std::iota(x.begin(), x.end(), 1);
  Conventions exact = exactAlways();
  double p = spearman(x, y, exact).p.undirected->value;
  EXPECT_NEAR(spearman(x, y, Conventions::R42()).p.undirected->value, p, 2e-4);
  for (double &v : y)
    v = -v;
  TestResult mirrored = spearman(x, y, exact);
  EXPECT_NEAR(mirrored.p.undirected->value, p, 1e-15);
  EXPECT_LT(mirrored.p.less->value, mirrored.p.greater->value);
}

TEST(Spearman, TiesExactly) {
  Column x{10, 10, 20, 30, 30}, y{1, 2, 3, 4, 5};
  TestResult r = spearman(x, y, exactAlways());
  EXPECT_NEAR(r.statistic("rho"), .9486833, 5e-8);
  EXPECT_NEAR(r.p.undirected->value, 8. / 120, 1e-15);
  EXPECT_NEAR(spearman(x, y, Conventions::R42()).p.undirected->value, .0138468, 5e-8);
}

TEST(Kendall, CarsByWeight) {
  TestResult r = kendall(mpg, weight, Conventions::R42());
  EXPECT_NEAR(r.statistic("tau"), -.7278321, 5e-8);
  EXPECT_NEAR(r.statistic("z"), -5.798132, 5e-7);
  EXPECT_NEAR(r.p.undirected->value, 6.70577e-09, 5e-14);
}

TEST(Kendall, TunaExactly) {
  TestResult r = kendall(tuna, panel, Conventions::R42());
  EXPECT_NEAR(r.statistic("tau"), .4444444, 5e-8);
  EXPECT_NEAR(r.p.undirected->value, .1194389, 5e-8);
  EXPECT_EQ(r.statistic("concordant pairs"), 26);
}

TEST(Kendall, TiedPairs) {
  TestResult r = kendall(Column{1, 0, 0}, Column{0, 0, 1}, Conventions::R42());
  EXPECT_NEAR(r.statistic("tau"), -.5, 1e-15);
  EXPECT_NEAR(r.p.undirected->value, .4795001, 5e-8);
  // The one of x falls on the one of y in a third of the arrangements, where the score is 2; else
  // it is -1.
  TestResult exact = kendall(Column{1, 0, 0}, Column{0, 0, 1}, exactAlways());
  EXPECT_NEAR(exact.p.greater->value, 1, 1e-15);
  EXPECT_NEAR(exact.p.less->value, 2. / 3, 1e-15);
  EXPECT_EQ(exact.p.undirected->value, 1);
}

TEST(Kendall, HundredThousandsOfRowsDoNotOverflow) {
  Column x(200000), y(200000);
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<double>(i % 2);
    y[i] = static_cast<double>(i % 3);
  }
  TestResult r = kendall(x, y, Conventions::R42());
  EXPECT_NEAR(r.statistic("tau"), 0, 1e-4);
  EXPECT_GT(r.p.undirected->value, .9);
  EXPECT_LE(r.p.undirected->value, 1);
  TestResult perfect = kendall(x, x, Conventions::R42());
  EXPECT_EQ(perfect.statistic("tau"), 1);
  EXPECT_EQ(perfect.p.undirected->value, 0);
  EXPECT_LT(perfect.p.undirected->log, -90000); // and still known
}

TEST(Kendall, SmallSamples) {
  TestResult two = kendall(Column{1, 2}, Column{1, 2}, Conventions::R42());
  EXPECT_EQ(two.statistic("tau"), 1);
  EXPECT_EQ(two.p.undirected->value, 1);
  EXPECT_EQ(kendall(Column{1, 1}, Column{1, 2}, Conventions::R42()).outcome, Outcome::Undefined);
}

TEST(PointBiserial, HasThePValueOfThePooledTTest) {
  Column control{4.17, 5.58, 5.18, 6.11, 4.50, 4.61, 5.17, 4.53, 5.33, 5.14};
  Column treated{4.81, 4.17, 4.41, 3.59, 5.87, 3.83, 6.03, 4.89, 4.32, 4.69};
  TestResult r = pointBiserial(control, treated);
  EXPECT_NEAR(r.statistic("t"), -1.19126, 5e-6);
  EXPECT_NEAR(r.p.undirected->value, .2490232, 5e-7);
  EXPECT_EQ(pointBiserial({}, treated).outcome, Outcome::Refused);
  EXPECT_EQ(pointBiserial(Column{1, 1}, Column{1, 1}).outcome, Outcome::Undefined);
}

TEST(PartialCorrelation, OneCovariateByTheFormula) {
  double xy = pearson(tuna, panel).statistic("r");
  Column z{3, 1, 4, 1, 5, 9, 2, 6, 5};
  double xz = pearson(tuna, z).statistic("r"), yz = pearson(panel, z).statistic("r");
  TestResult r = partialCorrelation(tuna, panel, {z});
  double expected = (xy - xz * yz) / std::sqrt((1 - xz * xz) * (1 - yz * yz));
  EXPECT_NEAR(r.statistic("r"), expected, 1e-14);
  EXPECT_EQ(r.freedom(), 6);
  TestResult twice = partialCorrelation(tuna, panel, {z, z, Column(9, 7.0)});
  EXPECT_NEAR(twice.statistic("r"), expected, 1e-13);
  EXPECT_EQ(twice.freedom(), 6);
  EXPECT_EQ(partialCorrelation(tuna, panel, {tuna}).outcome, Outcome::Undefined);
}

TEST(PartialCorrelation, FarFromZeroChangesNothing) {
  Column z{3, 1, 4, 1, 5, 9, 2, 6, 5}, x{1, 5, 2, 8, 3, 9, 4, 7, 6}, far, moved;
  for (double v : x)
    far.push_back(v + 0x1p40); // exact; milliseconds since 1970 have this size
  for (double v : z)
    moved.push_back(v - 0x1p40);
  TestResult near = partialCorrelation(x, panel, {z}), r = partialCorrelation(far, panel, {moved});
  ASSERT_TRUE(r.defined());
  EXPECT_NEAR(r.statistic("r"), near.statistic("r"), 1e-13);
}

TEST(Kendall, NearlyOrderedIsExactForSciPy) { // SciPy 1.17.1: method="auto"
  Column x(40), y(40);
  std::iota(x.begin(), x.end(), 0);
  std::iota(y.begin(), y.end(), 0);
  std::swap(y[3], y[4]);
  TestResult r = kendall(x, y, Conventions::SciPy());
  EXPECT_EQ(r.method, "exact by counting inversions");
  EXPECT_NEAR(r.p.undirected->value / 9.804939513027087e-47, 1, 1e-12);
  EXPECT_NEAR(r.p.greater->value / 4.902469756513544e-47, 1, 1e-12);
  std::swap(y[30], y[31]);
  EXPECT_EQ(kendall(x, y, Conventions::SciPy()).method,
            "normal approximation with correction for ties");
  Column up(2000), down(2000);
  std::iota(up.begin(), up.end(), 0);
  std::iota(down.rbegin(), down.rend(), 0);
  TestResult many = kendall(up, down, Conventions::SciPy()); // 1 / 2000! would be 0
  EXPECT_EQ(many.method, "normal approximation with correction for ties");
  EXPECT_TRUE(std::isfinite(many.p.undirected->log));
}

} // namespace
} // namespace imbrex::stats
