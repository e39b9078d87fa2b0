// Reference values: mpmath with 40 digits.
#include "stats/numeric/Distributions.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace imbrex::stats;

namespace {

void expectRelative(double expected, double actual, double tolerance, const char *what) {
  if (std::isfinite(expected) && expected != 0)
    EXPECT_LE(std::fabs(actual / expected - 1), tolerance) << what << " " << actual;
  else
    EXPECT_EQ(actual, expected) << what;
}

} // namespace

#define EXPECT_REL(expected, actual, tolerance) expectRelative(expected, actual, tolerance, #actual)

TEST(Distributions, TailsKeepRelativeAccuracy) {
  EXPECT_REL(0.015723422118304402125, (StudentT{10}.sf(2.5)), 1e-14);
  EXPECT_REL(9.3577088296113562982e-31, (StudentT{30}.sf(50)), 1e-13);
  EXPECT_REL(7.1393092667809852942e-258, (StudentT{2000}.sf(40)), 1e-12);
  EXPECT_REL(0.029701064389722054755, (StudentT{2.5}.cdf(-3.3)), 1e-14);
  EXPECT_REL(0.015909956714456343419, (FisherF{2, 27}.sf(4.846088)), 1e-14);
  EXPECT_REL(3.6056301912390220249e-31, (FisherF{6, 66}.sf(100)), 1e-13);
  EXPECT_REL(0.52493094678610403337, (ChiSquared{4}.sf(3.2)), 1e-14);
  EXPECT_REL(1.1366407840501794237e-109, (ChiSquared{100}.sf(800)), 1e-13);
  EXPECT_REL(6.2209605742717841235e-16, Normal().sf(8), 1e-14);
}

TEST(Distributions, LogTailsBelowTheSmallestDouble) {
  EXPECT_REL(-10366.00598514536065, (StudentT{1000}.logSf(1e6)), 1e-13);
  EXPECT_REL(-592.10133796213924035, (StudentT{2000}.logSf(40)), 1e-13);
  EXPECT_REL(-855.63011893866816517, (FisherF{3, 500}.logSf(5000)), 1e-13);
  EXPECT_REL(-0.000045444217555966997292, (FisherF{5, 7}.logSf(0.01)), 1e-12);
  EXPECT_REL(-996.42484049733324997, (ChiSquared{3}.logSf(2000)), 1e-13);
  EXPECT_REL(-49959.898860691106835, (ChiSquared{10}.logSf(1e5)), 1e-13);
  EXPECT_REL(-726.5572160188201301, Normal().logSf(38), 1e-13);
  EXPECT_REL(-1254.8313611394199013, Normal().logCdf(-50), 1e-13);
  EXPECT_REL(-5000000012.4318639983, Normal().logSf(1e5), 1e-13);
}

TEST(Distributions, QuantilesInvert) {
  for (double p : {1e-12, 0.001, 0.3, 0.5, 0.975}) {
    EXPECT_REL(p, (StudentT{7.5}.cdf(StudentT{7.5}.quantile(p))), 1e-12);
    EXPECT_REL(p, (FisherF{3, 11}.sf(FisherF{3, 11}.quantileUpper(p))), 1e-12);
    EXPECT_REL(p, (ChiSquared{6}.cdf(ChiSquared{6}.quantile(p))), 1e-12);
    EXPECT_REL(p, (Beta{2.5, 0.5}.cdf(Beta{2.5, 0.5}.quantile(p))), 1e-12);
    EXPECT_REL(p, Normal().sf(Normal().quantileUpper(p)), 1e-12);
  }
}

TEST(Distributions, InfiniteDegreesOfFreedomAreTheLimit) {
  double infinity = std::numeric_limits<double>::infinity();
  EXPECT_REL(Normal().sf(2), (StudentT{infinity}.sf(2)), 1e-15);
  EXPECT_REL((ChiSquared{3}.sf(6)), (FisherF{3, infinity}.sf(2)), 1e-15);
}

TEST(Distributions, OutOfRangeIsNaNAndInfinityIsCertain) {
  double infinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(std::isnan(StudentT{0}.sf(1)));
  EXPECT_TRUE(std::isnan(FisherF{-1, 2}.cdf(1)));
  EXPECT_TRUE(std::isnan(ChiSquared{2}.quantile(1.5)));
  EXPECT_EQ((StudentT{3}.sf(infinity)), 0);
  EXPECT_EQ((StudentT{3}.cdf(infinity)), 1);
  EXPECT_EQ((FisherF{2, 3}.sf(infinity)), 0);
  EXPECT_EQ((FisherF{2, 3}.sf(0)), 1);
}

TEST(Discrete, BinomialAndHypergeometric) {
  EXPECT_REL(0.24609375, (Binomial{10, 0.5}.pmf(5)), 1e-14);
  EXPECT_REL(0.623046875, (Binomial{10, 0.5}.cdf(5)), 1e-14);
  EXPECT_EQ((Binomial{10, 0.5}.quantile(0.5)), 5);
  // 4 white and 4 black, 4 drawn: 1, 16, 36, 16, 1 of 70.
  Hypergeometric tea{4, 4, 4};
  EXPECT_REL(16.0 / 70, tea.pmf(3), 1e-14);
  EXPECT_REL(17.0 / 70, tea.sf(2), 1e-14);
  EXPECT_REL(69.0 / 70, tea.cdf(3), 1e-14);
  EXPECT_EQ(tea.sf(4), 0);
  EXPECT_EQ(tea.cdf(-1), 0);
}

TEST(Discrete, HypergeometricOfMillionsEndsAtOnce) {
  // Rows (5829225, 5692693) and (5760959, 5760959): no factorial of millions, no loop over them.
  Hypergeometric h{5829225 + 5760959, 5692693 + 5760959, 5829225 + 5692693};
  EXPECT_REL(3.063106356312057702757e-178, h.sf(5829224), 1e-10);
  EXPECT_REL(-408.7407170027696765679, h.logSf(5829224), 1e-13);
}

TEST(Noncentral, AgreesWithTheCentralOnesAndKnownPower) {
  EXPECT_REL((StudentT{9}.sf(1.5)), (NoncentralT{9, 0}.sf(1.5)), 1e-15);
  // Power of a two-sided t test, n = 20 a group, d = 0.5.
  double delta = 0.5 * std::sqrt(10.0), critical = StudentT{38}.quantileUpper(0.025);
  NoncentralT t{38, delta};
  EXPECT_NEAR(t.sf(critical) + t.cdf(-critical), 0.33794, 1e-5);
  // The square of a noncentral t is a noncentral F.
  NoncentralF f{1, 38, delta * delta};
  EXPECT_REL(f.sf(critical * critical), t.sf(critical) + t.cdf(-critical), 1e-11);
}
