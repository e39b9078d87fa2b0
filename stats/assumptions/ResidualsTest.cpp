#include "stats/assumptions/Residuals.h"
#include "stats/procedures/test/ReferenceData.h"
#include "stats/procedures/test/TestSupport.h"

using namespace imbrex::stats;
namespace ref = imbrex::stats::reference;

TEST(BreuschPagan, Cars) { // R: n R squared of lm(residuals^2 ~ wt)
  std::vector<Predictor> predictors{{"wt", ref::mtcarsWt}};
  RegressionFit fit = linearRegression(predictors, ref::mtcarsMpg);
  TestResult r = breuschPagan(predictors, fit.residuals);
  EXPECT_NUMBER(0.0404383955187, r.statistic("chi-square"));
  EXPECT_EQ(r.freedom(), 1);
  EXPECT_DIGITS(0.8406258536969868, r.p.undirected->value, 1e-9);
}

TEST(BreuschPagan, FindsAFan) {
  std::vector<double> x, e;
  for (int i = 1; i <= 60; ++i) {
    x.push_back(i);
    e.push_back((i % 2 ? 1 : -1) * i);
  }
  EXPECT_LT(breuschPagan({{"x", x}}, e).p.undirected->value, 1e-8);
  EXPECT_EQ(breuschPagan({{"x", x}}, {1, 2}).outcome, Outcome::Refused);
}

TEST(DurbinWatson, KnownSeries) {
  EXPECT_EQ(durbinWatson({1, -1, 1, -1}).statistic("d"), 3);
  EXPECT_EQ(durbinWatson({1, 1, 1, 1}).statistic("d"), 0);
  EXPECT_EQ(durbinWatson({0, 0, 0}).outcome, Outcome::Undefined);
  EXPECT_EQ(durbinWatson({1}).outcome, Outcome::Refused);
}
