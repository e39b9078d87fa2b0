// Reference values: R 4.2.2 (lm, glm) on R's own data.
#include "stats/procedures/regression/Regression.h"

#include "stats/procedures/test/ReferenceData.h"
#include "stats/procedures/test/TestSupport.h"

using namespace imbrex::stats;
namespace ref = imbrex::stats::reference;

namespace {

const ResultRow &row(const TestResult &result, const char *name) {
  return *result.table("coefficients")->row(name);
}

} // namespace

TEST(LinearRegression, Cars) {
  RegressionFit fit = linearRegression({{"wt", ref::mtcarsWt}}, ref::mtcarsMpg);
  const TestResult &r = fit.result;
  EXPECT_NUMBER(37.285126, row(r, "(intercept)").estimate->value);
  EXPECT_NUMBER(-5.344472, row(r, "wt").estimate->value);
  EXPECT_NUMBER(.559101, row(r, "wt").number("standard error"));
  EXPECT_NUMBER(3.045882, r.statistic("residual standard error"));
  EXPECT_NUMBER(.7528328, r.statistic("R squared"));
  EXPECT_DIGITS(1.29396e-10, row(r, "wt").p.undirected->value, 5e-6);
  EXPECT_NUMBER(-.8676594, row(r, "wt").number("standardised"));
  EXPECT_NUMBER(-6.486308, row(r, "wt").estimate->interval->low);
  EXPECT_NUMBER(-9.559044 * -9.559044, r.statistic("F"));
  EXPECT_EQ(fit.residuals.size(), 32u);
  EXPECT_NUMBER(ref::mtcarsMpg[3], fit.fitted[3] + fit.residuals[3]);
}

TEST(LinearRegression, TwoPredictors) { // R: lm(mpg ~ wt + hp)
  const TestResult r =
      linearRegression({{"wt", ref::mtcarsWt}, {"hp", ref::mtcarsHp}}, ref::mtcarsMpg).result;
  EXPECT_NUMBER(37.22727012, row(r, "(intercept)").estimate->value);
  EXPECT_NUMBER(-3.87783074, row(r, "wt").estimate->value);
  EXPECT_NUMBER(-0.03177295, row(r, "hp").estimate->value);
  EXPECT_NUMBER(0.8267855, r.statistic("R squared"));
  EXPECT_NUMBER(0.8148396, r.statistic("adjusted R squared"));
  EXPECT_GT(r.effect("R squared")->interval->low, 0.5);
}

TEST(LinearRegression, ScalesAndOffsetsDoNotMatter) {
  std::vector<double> wt = ref::mtcarsWt, mpg = ref::mtcarsMpg;
  for (double &x : wt)
    x = std::ldexp(x, 600);
  for (double &y : mpg)
    y = std::ldexp(y, -600);
  const TestResult r = linearRegression({{"wt", wt}}, mpg).result;
  EXPECT_DIGITS(-9.559044, row(r, "wt").number("t"), 1e-6);
}

TEST(LinearRegression, ExactFitAndRefusals) {
  std::vector<double> x{1, 2, 3, 4}, y{3, 5, 7, 9}, constant(4, 2.0);
  TestResult exact = linearRegression({{"x", x}}, y).result;
  EXPECT_EQ(exact.statistic("F"), INFINITY);
  EXPECT_EQ(exact.p.undirected->value, 0);
  EXPECT_EQ(linearRegression({{"c", constant}}, y).result.outcome, Outcome::Refused);
  EXPECT_EQ(linearRegression({{"x", x}, {"same", x}}, y).result.outcome, Outcome::Refused);
  EXPECT_EQ(linearRegression({{"x", x}}, constant).result.outcome, Outcome::Undefined);
  EXPECT_EQ(linearRegression({}, y).result.outcome, Outcome::Refused);
  EXPECT_EQ(linearRegression({{"x", {1, 2}}}, {1, 2}).result.outcome, Outcome::Refused);
  EXPECT_EQ(linearRegression({{"x", {1, 2, NAN, 4}}}, y).result.outcome, Outcome::Refused);
}

TEST(LogisticRegression, Cars) {
  const TestResult r = logisticRegression({{"wt", ref::mtcarsWt}}, ref::mtcarsAm).result;
  EXPECT_NUMBER(12.04037, row(r, "(intercept)").estimate->value);
  EXPECT_NUMBER(-4.023970, row(r, "wt").estimate->value);
  EXPECT_DIGITS(4.510066, row(r, "(intercept)").number("standard error"), 2e-5);
  EXPECT_DIGITS(1.436528, row(r, "wt").number("standard error"), 2e-5);
  EXPECT_NUMBER(19.17608, r.statistic("deviance"));
  EXPECT_DIGITS(.00509164, row(r, "wt").p.undirected->value, 3e-4);
  EXPECT_NUMBER(std::exp(row(r, "wt").estimate->value), row(r, "wt").effects[0].value);
}

TEST(LogisticRegression, SeparationIsFound) {
  std::vector<double> x{1, 2, 3, 4, 5, 6}, complete{0, 0, 0, 1, 1, 1};
  TestResult r = logisticRegression({{"x", x}}, complete).result;
  EXPECT_EQ(r.outcome, Outcome::Undefined);
  EXPECT_NE(r.reason.find("separate"), std::string::npos);
  std::vector<double> group{0, 0, 0, 1, 1, 1}, quasi{0, 0, 0, 0, 1, 1};
  EXPECT_EQ(logisticRegression({{"group", group}}, quasi).result.outcome, Outcome::Undefined);
  std::vector<double> overlap{0, 0, 1, 0, 1, 1};
  EXPECT_TRUE(logisticRegression({{"x", x}}, overlap).result.defined());
}

TEST(LogisticRegression, Refusals) {
  std::vector<double> x{1, 2, 3, 4};
  EXPECT_EQ(logisticRegression({{"x", x}}, {0, 1, 2, 1}).result.outcome, Outcome::Refused);
  EXPECT_EQ(logisticRegression({{"x", x}}, {1, 1, 1, 1}).result.outcome, Outcome::Refused);
  EXPECT_EQ(logisticRegression({{"c", {1, 1, 1, 1}}}, {0, 1, 0, 1}).result.outcome,
            Outcome::Refused);
}
