#include "stats/numeric/Ranks.h"

#include <gtest/gtest.h>

using namespace imbrex::stats;

TEST(Ranks, TiesShareTheMeanRank) {
  std::vector<double> values{10, 20, 10, 30, 10, 20};
  Ranking ranking = midranks(values);
  EXPECT_EQ(ranking.ranks(), (std::vector<double>{2, 4.5, 2, 6, 2, 4.5}));
  EXPECT_EQ(ranking.ties, (std::vector<int64_t>{3, 2}));
  EXPECT_EQ(ranking.tieTerm(), 24 + 6);
}

TEST(Ranks, EmptyAndSingle) {
  EXPECT_TRUE(midranks({}).doubled.empty());
  EXPECT_EQ(midranks(std::vector<double>{7}).doubled, (std::vector<int64_t>{2}));
}

TEST(Ranks, TieTermOfMillionsDoesNotOverflow) {
  std::vector<double> values(3'000'000, 1.0);
  EXPECT_DOUBLE_EQ(midranks(values).tieTerm(), 3e6 * (3e6 - 1) * (3e6 + 1));
}

TEST(Ranks, RoundoffTiesAndZeros) {
  std::vector<double> values{0.3 - 0.2, 0.2 - 0.1, 0.5, 1e-17};
  std::vector<double> tolerances(4, 4e-16);
  std::vector<double> merged = mergeRoundoff(values, tolerances);
  EXPECT_NE(values[0], values[1]);
  EXPECT_EQ(merged[0], merged[1]);
  EXPECT_EQ(merged[2], 0.5);
  EXPECT_EQ(merged[3], 0);
}
