// Distributions and order statistics against enumeration of everything.
#include "stats/procedures/groups/RankDistribution.h"

#include "stats/procedures/groups/PairwiseOrder.h"
#include "stats/procedures/resampling/Random.h"

#include <algorithm>
#include <bit>
#include <gtest/gtest.h>

using namespace imbrex::stats;

namespace {

struct Tally {
  double atMost = 0, atLeast = 0, asFar = 0;
};

/// Over all sets (of `chosen` members, or any when -1).
Tally enumerate(const std::vector<int64_t> &ranks, int chosen, int64_t observed) {
  Tally tally;
  double count = 0, mean = 0;
  auto each = [&](auto visit) {
    for (uint32_t set = 0; set < 1u << ranks.size(); ++set) {
      if (chosen >= 0 && std::popcount(set) != chosen)
        continue;
      int64_t sum = 0;
      for (size_t i = 0; i < ranks.size(); ++i)
        sum += set >> i & 1 ? ranks[i] : 0;
      visit(sum);
    }
  };
  each([&](int64_t sum) { count += 1, mean += double(sum); });
  mean /= count;
  each([&](int64_t sum) {
    tally.atMost += (sum <= observed) / count;
    tally.atLeast += (sum >= observed) / count;
    tally.asFar +=
        (std::abs(double(sum) - mean) >= std::abs(double(observed) - mean) - 1e-9) / count;
  });
  return tally;
}

} // namespace

TEST(RankDistribution, EqualsEnumeration) {
  Random random(7);
  for (int round = 0; round < 60; ++round) {
    size_t n = 1 + random.below(11);
    std::vector<int64_t> ranks;
    for (size_t i = 0; i < n; ++i)
      ranks.push_back(2 + int64_t(random.below(round % 2 ? 6 : 40)));
    int chosen = int(random.below(n + 1));
    int64_t observed = int64_t(random.below(60));
    auto subset = RankDistribution::ofSubset(ranks, chosen);
    ASSERT_TRUE(subset);
    Tally expected = enumerate(ranks, chosen, observed);
    EXPECT_NEAR(subset->atMost(observed), expected.atMost, 1e-12);
    EXPECT_NEAR(subset->atLeast(observed), expected.atLeast, 1e-12);
    EXPECT_NEAR(subset->asFar(observed), expected.asFar, 1e-12);
    auto signs = RankDistribution::ofSigns(ranks);
    ASSERT_TRUE(signs);
    expected = enumerate(ranks, -1, observed);
    EXPECT_NEAR(signs->atMost(observed), expected.atMost, 1e-12);
    EXPECT_NEAR(signs->atLeast(observed), expected.atLeast, 1e-12);
  }
}

TEST(RankDistribution, RefusesWhatWouldTakeTooLong) {
  std::vector<int64_t> many(5000, 4);
  for (size_t i = 0; i < many.size(); ++i)
    many[i] = 2 * int64_t(i);
  EXPECT_FALSE(RankDistribution::ofSubset(many, 2500));
  EXPECT_FALSE(RankDistribution::ofSigns(many));
}

TEST(PairwiseOrder, EqualsSorting) {
  Random random(11);
  for (int round = 0; round < 40; ++round) {
    std::vector<double> a, b, differences, averages;
    for (size_t i = 0, n = 1 + random.below(9); i < n; ++i)
      a.push_back(round % 2 ? double(random.below(5)) : random.normal());
    for (size_t i = 0, n = 1 + random.below(9); i < n; ++i)
      b.push_back(round % 2 ? double(random.below(5)) : random.normal());
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    for (double x : a)
      for (double y : b)
        differences.push_back(x - y);
    for (size_t i = 0; i < a.size(); ++i)
      for (size_t j = i; j < a.size(); ++j)
        averages.push_back(a[i] / 2 + a[j] / 2);
    std::sort(differences.begin(), differences.end());
    std::sort(averages.begin(), averages.end());
    for (size_t k = 1; k <= differences.size(); ++k)
      EXPECT_EQ(differenceAt(a, b, int64_t(k)), differences[k - 1]);
    for (size_t k = 1; k <= averages.size(); ++k)
      EXPECT_EQ(walshAverageAt(a, int64_t(k)), averages[k - 1]);
  }
}
