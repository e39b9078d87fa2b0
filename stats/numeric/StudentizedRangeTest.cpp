// Reference values: SciPy 1.17.1 (studentized_range), which is good to about 12 digits in the
// middle.
#include "stats/numeric/StudentizedRange.h"

#include "stats/numeric/Distributions.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace imbrex::stats;

TEST(StudentizedRange, EqualsReferenceValues) {
  EXPECT_NEAR((StudentizedRange{3, 20}.sf(3.5)), 0.055891849081749934, 1e-13);
  EXPECT_NEAR((StudentizedRange{4, 5}.cdf(0.5)), 0.016839180673089326, 1e-13);
  EXPECT_NEAR((StudentizedRange{50, 300}.cdf(4.2)), 0.3452336582453233, 1e-11);
  EXPECT_NEAR((StudentizedRange{3, 1}.sf(3.3)), 0.37862425111609255, 1e-13);
  EXPECT_NEAR((StudentizedRange{10, std::numeric_limits<double>::infinity()}.sf(6)),
              0.0009215153038775181, 1e-12);
  EXPECT_NEAR((StudentizedRange{3, 20}.quantile(0.95)), 3.577934725220134, 1e-11);
  EXPECT_NEAR((StudentizedRange{10, 5}.quantileUpper(0.01)), 10.239256028510361, 1e-9);
}

TEST(StudentizedRange, OfTwoGroupsIsTheTwoSidedT) {
  for (double t : {0.01, 0.5, 2.0, 8.0, 40.0, 300.0})
    for (double df : {1.0, 2.5, 12.0, 400.0}) {
      double expected = 2 * StudentT{df}.sf(t);
      if (expected > 1e-200) // in the far tail too
        EXPECT_NEAR((StudentizedRange{2, df}.sf(t * std::sqrt(2.0))) / expected, 1, 1e-9)
            << t << " " << df;
    }
  EXPECT_NEAR((StudentizedRange{2, std::numeric_limits<double>::infinity()}.sf(3)),
              2 * Normal().sf(3 / std::sqrt(2.0)), 1e-14);
}

TEST(StudentizedRange, EndsAndNonsense) {
  double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ((StudentizedRange{3, 5}.sf(0)), 1);
  EXPECT_EQ((StudentizedRange{3, 5}.sf(infinity)), 0);
  EXPECT_EQ((StudentizedRange{3, 5}.quantile(1)), infinity);
  EXPECT_TRUE(std::isnan(StudentizedRange{1, 5}.sf(1)));
}

TEST(StudentizedRange, endsFarOut) {
  StudentizedRange range{3, 10};
  // There the distribution falls as q^-df.
  EXPECT_NEAR(range.sf(2e12) / range.sf(1e12), std::pow(2, -10), 1e-12);
  EXPECT_NEAR(range.sf(2e4) / range.sf(1e4), std::pow(2, -10), 1e-9);
  EXPECT_EQ((StudentizedRange{3, 100}).sf(1e12), 0);
  EXPECT_NEAR(range.cdf(1e12), 1, 1e-14);
}
