#include "stats/numeric/Moments.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace imbrex::stats;

TEST(Moments, OffsetsDoNotCancel) {
  std::vector<double> values{1e9 + 1, 1e9 + 2, 1e9 + 3, 1e9 + 4};
  EXPECT_EQ(momentsOf(values).variance(), 5.0 / 3);
}

TEST(Moments, EqualValuesHaveNoVariance) {
  Moments moments = momentsOf(std::vector<double>(7, 0.1));
  EXPECT_EQ(moments.mean, 0.1);
  EXPECT_EQ(moments.squares, 0);
}

TEST(CommonScale, SurvivesExtremeScales) {
  for (int power : {-1060, -600, 0, 600, 1020}) {
    std::vector<double> values{std::ldexp(-3.0, power), std::ldexp(1.0, power),
                               std::ldexp(5.0, power)};
    CommonScale scale{std::span<const double>(values)};
    Moments moments = momentsOf(scale.scaled(values));
    EXPECT_EQ(scale.location(moments.mean), std::ldexp(1.0, power)) << power;
    EXPECT_EQ(scale.difference(moments.deviation()), std::ldexp(4.0, power)) << power;
  }
}

TEST(CommonScale, ConstantValuesStayZero) {
  std::vector<double> values(3, 42.0);
  CommonScale scale{std::span<const double>(values)};
  EXPECT_EQ(scale.scaled(values), std::vector<double>(3, 0.0));
  EXPECT_EQ(scale.location(0), 42);
}

TEST(Median, OddEvenEmpty) {
  EXPECT_EQ(medianOf({3, 1, 2}), 2);
  EXPECT_EQ(medianOf({4, 1, 2, 3}), 2.5);
  EXPECT_TRUE(std::isnan(medianOf({})));
}
