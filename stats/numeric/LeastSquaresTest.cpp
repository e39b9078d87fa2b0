#include "stats/numeric/LeastSquares.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace imbrex::stats;

namespace {

Matrix columns(std::initializer_list<std::vector<double>> wanted) {
  Matrix m;
  for (const auto &column : wanted)
    m.append(column);
  return m;
}

} // namespace

TEST(LeastSquares, ExactLine) {
  Matrix x = columns({{1, 1, 1, 1}, {1, 2, 3, 4}});
  Orthogonalisation factors(x);
  LeastSquaresFit fit = leastSquares(x, factors, std::vector<double>{3, 5, 7, 9});
  EXPECT_NEAR(fit.coefficients[0], 1, 1e-14);
  EXPECT_NEAR(fit.coefficients[1], 2, 1e-14);
  EXPECT_LT(fit.residualSquares, 1e-26);
  EXPECT_NEAR(factors.inverseCross().at(1, 1), 0.2, 1e-15);
  double leverage = 0;
  for (double h : factors.leverages())
    leverage += h;
  EXPECT_NEAR(leverage, 2, 1e-14);
}

TEST(LeastSquares, DependentColumnsAreLeftOut) {
  Orthogonalisation factors(columns({{1, 1, 1, 1}, {1, 2, 3, 4}, {3, 5, 7, 9}, {1, 0, 0, 1}}));
  EXPECT_EQ(factors.rank(), 3u);
  EXPECT_TRUE(factors.dependent(2));
  EXPECT_FALSE(factors.dependent(3));
  EXPECT_EQ(factors.condition(), INFINITY);
}

TEST(LeastSquares,
     SurvivesNearlyDependentColumns) { // Läuchli: the normal equations fail for e below 1e-8
  double e = 1e-9;
  Matrix x = columns({{1, e, 0, 0}, {1, 0, e, 0}, {1, 0, 0, e}});
  Orthogonalisation factors(x);
  LeastSquaresFit fit = leastSquares(x, factors, std::vector<double>{6, e, 2 * e, 3 * e});
  EXPECT_NEAR(fit.coefficients[0], 1, 1e-9);
  EXPECT_NEAR(fit.coefficients[2], 3, 1e-9);
  EXPECT_GT(factors.condition(), 1e8);
}

TEST(LogDeterminant, KnownAndSingular) {
  EXPECT_NEAR(logDeterminant(columns({{4, 2}, {2, 3}})), std::log(8), 1e-15);
  EXPECT_EQ(logDeterminant(columns({{1, 1}, {1, 1}})), -INFINITY);
}
