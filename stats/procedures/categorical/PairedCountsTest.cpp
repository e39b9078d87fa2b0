#include "stats/procedures/categorical/Binomial.h"
#include "stats/procedures/categorical/CochranQ.h"
#include "stats/procedures/categorical/McNemar.h"
#include "stats/procedures/categorical/SignTest.h"

#include <cmath>
#include <gtest/gtest.h>

namespace imbrex::stats {
namespace {

ContingencyTable fourfold(int64_t a, int64_t b, int64_t c, int64_t d) {
  return {{2, 2, {a, b, c, d}}, {}, {}};
}

TEST(McNemar, PresidentialApproval) {
  // Agresti 1990, p. 350.
  ContingencyTable ratings = fourfold(794, 150, 86, 570);
  TestResult corrected = mcnemar(ratings, McNemarMethod::Corrected);
  EXPECT_NEAR(corrected.statistic("chi-square"), 63. * 63 / 236, 1e-12);
  EXPECT_NEAR(corrected.p.undirected->value, 4.115e-05, 5e-9);
  TestResult plain = mcnemar(ratings, McNemarMethod::Uncorrected);
  EXPECT_NEAR(plain.statistic("chi-square"), 64. * 64 / 236, 1e-12);
  TestResult exact = mcnemar(ratings, McNemarMethod::Exact);
  EXPECT_NEAR(exact.p.undirected->value, 3.716e-05, 5e-9);
  EXPECT_LT(exact.p.greater->value, exact.p.less->value);
  EXPECT_NEAR(exact.effect("odds ratio")->value, 150. / 86, 1e-15);
}

TEST(McNemar, EqualChangesAndNone) {
  TestResult equal = mcnemar(fourfold(3, 4, 4, 2), McNemarMethod::Corrected);
  EXPECT_EQ(equal.statistic("chi-square"), 0);
  EXPECT_EQ(equal.p.undirected->value, 1);
  EXPECT_EQ(mcnemar(fourfold(3, 0, 0, 2), McNemarMethod::Exact).outcome, Outcome::Undefined);
}

TEST(CochranQ, TwoMeasurementsAreMcNemar) {
  std::vector<int> first, second;
  auto add = [&](int count, int a, int b) {
    for (int i = 0; i < count; ++i) {
      first.push_back(a);
      second.push_back(b);
    }
  };
  add(20, 1, 1);
  add(15, 1, 0);
  add(6, 0, 1);
  add(9, 0, 0);
  TestResult q = cochranQ({first, second});
  EXPECT_NEAR(q.statistic("Q"), 81. / 21, 1e-12);
  EXPECT_EQ(q.n.at(1).value, 21);
}

TEST(CochranQ, ByHandAndRefusals) {
  TestResult q = cochranQ({{1, 1, 1, 0, 1, 1}, {1, 0, 1, 0, 0, 1}, {0, 0, 0, 0, 0, 1}});
  // Columns 5, 3, 1; rows 2 1 2 0 1 3: 2 (3*35 - 81) / (27 - 19) = 6.
  EXPECT_NEAR(q.statistic("Q"), 6, 1e-14);
  EXPECT_NEAR(q.p.undirected->value, std::exp(-3), 1e-14);
  EXPECT_EQ(cochranQ({{1, 0}, {1, 0}}).outcome, Outcome::Undefined);
  EXPECT_EQ(cochranQ({{1, 0}, {1}}).outcome, Outcome::Refused);
  EXPECT_EQ(cochranQ({{1, 2}, {1, 0}}).outcome, Outcome::Refused);
  EXPECT_EQ(cochranQ({{1, 0}}).outcome, Outcome::Refused);
}

TEST(Binomial, MendelsPeas) {
  // Conover 1971, p. 97.
  TestResult r = binomialTest(682, 925, 0.75);
  EXPECT_NEAR(r.p.undirected->value, .3825, 5e-5);
  EXPECT_NEAR(r.estimate->interval->low, .7076683, 5e-8);
  EXPECT_NEAR(r.estimate->interval->high, .7654066, 5e-8);
}

TEST(Binomial, EndsAndRefusals) {
  EXPECT_NEAR(binomialTest(0, 5).p.undirected->value, 2. / 32, 1e-15);
  EXPECT_EQ(binomialTest(0, 5).estimate->interval->low, 0);
  EXPECT_NEAR(binomialTest(0, 5).estimate->interval->high, 1 - std::pow(.025, .2), 1e-14);
  EXPECT_EQ(binomialTest(5, 5, 1).p.undirected->value, 1);
  EXPECT_EQ(binomialTest(3, 0).outcome, Outcome::Refused);
  EXPECT_EQ(binomialTest(6, 5).outcome, Outcome::Refused);
  EXPECT_EQ(binomialTest(1, 5, 1.5).outcome, Outcome::Refused);
  TestResult many = binomialTest(500000000, 1000000000);
  EXPECT_EQ(many.p.undirected->value, 1);
}

TEST(SignTest, LeavesZerosOutAndStatesTheLevelAttained) {
  std::vector<double> d{1, 2, 3, -1, 0, 4, 5, 6};
  TestResult r = signTest(d);
  EXPECT_EQ(r.statistic("positive differences"), 6);
  EXPECT_NEAR(r.p.undirected->value, 16. / 128, 1e-15);
  EXPECT_EQ(r.estimate->value, 2.5);
  EXPECT_EQ(r.estimate->interval->low, -1);
  EXPECT_NEAR(r.estimate->interval->achieved, 1 - 2. / 256, 1e-15);
  EXPECT_EQ(signTest(std::vector<double>{0, 0}).outcome, Outcome::Undefined);
  EXPECT_EQ(signTest({}).outcome, Outcome::Refused);
  EXPECT_LT(signTest(std::vector<double>{1, 2}).estimate->interval->achieved, .95);
}

} // namespace
} // namespace imbrex::stats
