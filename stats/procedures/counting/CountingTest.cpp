#include "stats/procedures/counting/Arrangements.h"
#include "stats/procedures/counting/Fourfold.h"
#include "stats/procedures/counting/InversionCounts.h"
#include "stats/procedures/counting/TableCounts.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <numeric>

namespace imbrex::stats {
namespace {

TEST(InversionCounts, FourItemsByHand) {
  // 1 3 5 6 5 3 1 permutations with 0..6 inversions.
  double cumulative[] = {1, 4, 9, 15, 20, 23, 24};
  for (int count = 0; count < 7; ++count)
    EXPECT_NEAR(inversionsAtMost(count, 4), cumulative[count] / 24, 1e-15) << count;
  EXPECT_EQ(inversionsAtMost(-1, 4), 0);
}

TEST(InversionCounts, SmallTailOfManyItems) {
  // n - 1 permutations have one inversion, one has none: n / n!.
  EXPECT_NEAR(std::log(inversionsAtMost(1, 40)), std::log(40.0) - std::lgamma(41.0), 1e-12);
}

TEST(Arrangements, AgreesWithAllPermutations) {
  std::vector<int32_t> groups{2, 1, 2, 1}, values{1, 3, 2};
  int64_t x[] = {0, 0, 1, 2, 2, 5}, groupScore[] = {0, 1, 2, 5}, kindScore[] = {0, 1, 4};
  std::vector<int64_t> y{0, 1, 1, 1, 4, 4};
  ArrangementProblem problem{groups, values, [&](size_t g, size_t k, std::span<const int32_t>) {
                               return groupScore[g] * kindScore[k];
                             }};
  auto distribution = countArrangements(problem);
  ASSERT_TRUE(distribution);
  std::vector<int> order(6);
  std::iota(order.begin(), order.end(), 0);
  std::map<int64_t, int> counts;
  do {
    int64_t score = 0;
    for (size_t i = 0; i < 6; ++i)
      score += x[i] * y[static_cast<size_t>(order[i])];
    ++counts[score];
  } while (std::next_permutation(order.begin(), order.end()));
  int below = 0;
  for (auto [score, count] : counts) {
    EXPECT_NEAR(distribution->atLeast(score), (720 - below) / 720.0, 1e-14) << score;
    below += count;
    EXPECT_NEAR(distribution->atMost(score), below / 720.0, 1e-14) << score;
  }
}

TEST(Arrangements, GivesUpBeyondTheLimit) {
  std::vector<int32_t> ones(30, 1);
  ArrangementProblem problem{ones, ones, [](size_t g, size_t k, std::span<const int32_t>) {
                               return static_cast<int64_t>(g * k);
                             }};
  EXPECT_FALSE(countArrangements(problem, 1e6));
}

TEST(Fourfold, SumsToOneAndMatchesBinomialCoefficients) {
  Fourfold h{10, 7, 8};
  double sum = 0;
  for (double x = h.least(); x <= h.most(); ++x) {
    auto logChoose = [](double n, double k) {
      return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
    };
    double expected = logChoose(10, x) + logChoose(7, 8 - x) - logChoose(17, 8);
    EXPECT_NEAR(h.logProbability(x), expected, 1e-13) << x;
    sum += std::exp(h.logProbability(x));
    EXPECT_NEAR(h.atMost(x), sum, 1e-14);
  }
  EXPECT_NEAR(sum, 1, 1e-14);
}

TEST(Fourfold, NoncentralTailsMatchDirectSums) {
  NoncentralFourfold d{{10, 7, 8}, std::log(2.5)};
  double total = 0, tail = 0, mean = 0;
  for (double x = d.central.least(); x <= d.central.most(); ++x) {
    double weight = std::exp(d.central.logProbability(x) + x * d.logOdds);
    total += weight;
    mean += x * weight;
    tail += x >= 6 ? weight : 0;
  }
  EXPECT_NEAR(d.atLeast(6), tail / total, 1e-14);
  EXPECT_NEAR(d.atMost(5), 1 - tail / total, 1e-14);
  EXPECT_NEAR(d.mean(), mean / total, 1e-13);
}

TEST(TableCounts, JobSatisfaction) {
  CountTable table{4, 4, {1, 2, 1, 0, 3, 3, 6, 1, 10, 10, 14, 9, 6, 7, 12, 11}};
  auto p = exactTableP(table);
  ASSERT_TRUE(p);
  EXPECT_NEAR(*p, .7826849, 5e-8);
  Random random(7);
  SampledP sampled = sampledTableP(table, 20000, random);
  EXPECT_NEAR(sampled.p, *p, 4 * sampled.standardError);
}

TEST(TableCounts, AllTablesWithTheseMarginsAreAtMostAsProbable) {
  EXPECT_EQ(exactTableP({2, 3, {1, 2, 3, 1, 2, 5}}).value(), 1.0);
}

TEST(TableCounts, CarsByCylinderAndGear) {
  EXPECT_NEAR(exactTableP({3, 2, {3, 8, 4, 3, 12, 2}}).value(), .00910470, 5e-9);
}

TEST(TableCounts, GivesUpOnTablesBeyondTheLimit) {
  CountTable table{6, 6, std::vector<int64_t>(36, 30)};
  EXPECT_FALSE(exactTableP(table, 1e6));
}

TEST(Random, IsTheSameEverywhereAndUnbiased) {
  Random random(1);
  double sum = 0, squares = 0;
  for (int i = 0; i < 100000; ++i) {
    double z = random.normal();
    sum += z;
    squares += z * z;
  }
  EXPECT_NEAR(sum / 1e5, 0, .013);
  EXPECT_NEAR(squares / 1e5, 1, .02);
  int counts[3] = {};
  for (int i = 0; i < 30000; ++i)
    ++counts[random.below(3)];
  for (int count : counts)
    EXPECT_NEAR(count, 10000, 350);
}

} // namespace
} // namespace imbrex::stats
