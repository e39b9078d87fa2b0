// Reference values: R 4.2.2 on R's own data; differences and errors by multcomp 1.4-22 (glht with
// interaction_average), p by ptukey and pt.
#include "stats/procedures/posthoc/MarginalMeans.h"

#include "stats/procedures/test/ReferenceData.h"
#include "stats/procedures/test/TestSupport.h"

#include <algorithm>

using namespace imbrex::stats;
namespace ref = imbrex::stats::reference;

namespace {

/// Breaks of yarn by wool and tension, a few rows less: cells of different sizes.
FactorialDesign warpBreaks() {
  const std::vector<size_t> without{0, 1, 2, 10, 29, 30, 49};
  FactorialDesign design;
  design.factors = {{"wool", {"A", "B"}, {}}, {"tension", {"L", "M", "H"}, {}}};
  for (size_t i = 0; i < ref::warpBreaks.size(); ++i) {
    if (std::find(without.begin(), without.end(), i) != without.end())
      continue;
    design.factors[0].codes.push_back(int32_t(i / 27));
    design.factors[1].codes.push_back(int32_t(i / 9 % 3));
    design.outcome.push_back(ref::warpBreaks[i]);
  }
  return design;
}

/// Miles per gallon by cylinders and gearbox, given weight.
FactorialDesign cars() {
  FactorialDesign design;
  design.factors = {{"cyl", {"4", "6", "8"}, {}}, {"am", {"0", "1"}, {}}};
  for (size_t i = 0; i < ref::mtcarsMpg.size(); ++i) {
    design.factors[0].codes.push_back(int32_t(ref::mtcarsCyl[i] / 2 - 2));
    design.factors[1].codes.push_back(int32_t(ref::mtcarsAm[i]));
  }
  design.covariates = {{"wt", ref::mtcarsWt}};
  design.outcome = ref::mtcarsMpg;
  return design;
}

const ResultRow &row(const TestResult &result, const char *name) {
  return *result.table("comparisons")->row(name);
}

} // namespace

TEST(MarginalMeans, UnequalCells) {
  TestResult r = marginalMeans(warpBreaks(), 1);
  ASSERT_EQ(r.table("comparisons")->rows.size(), 3u);
  EXPECT_DIGITS(12.38789683, row(r, "L - M").estimate->value, 1e-9);
  EXPECT_DIGITS(3.079797955, row(r, "L - M").number("t"), 1e-9);
  EXPECT_DIGITS(0.01010067387, row(r, "L - M").p.undirected->value, 1e-6);
  EXPECT_DIGITS(0.0003918516782, row(r, "L - H").p.undirected->value, 1e-5);
  EXPECT_DIGITS(0.4509207435, row(r, "M - H").p.undirected->value, 1e-8);
  EXPECT_DIGITS(2.607047275, row(r, "L - M").estimate->interval->low, 1e-5);
  EXPECT_DIGITS(22.16874638, row(r, "L - M").estimate->interval->high, 1e-6);
  const EffectSize &d = row(r, "L - M").effects.at(0);
  EXPECT_EQ(d.name, "Cohen's d");
  EXPECT_DIGITS(1.137478795, d.value, 1e-9);
  ASSERT_TRUE(d.interval);
  EXPECT_GT(d.interval->low, 0); // as t excludes 0
}

TEST(MarginalMeans, OfCovarianceStandAtTheCovariatesMean) {
  TestResult r = marginalMeans(cars(), 0);
  EXPECT_DIGITS(3.868149775, row(r, "4 - 6").estimate->value, 1e-9);
  EXPECT_DIGITS(2.750151031, row(r, "4 - 6").number("t"), 1e-9);
  EXPECT_EQ(row(r, "4 - 6").number("df"), 25);
  EXPECT_DIGITS(0.02840529897, row(r, "4 - 6").p.undirected->value, 1e-7);
  EXPECT_DIGITS(0.002541629939, row(r, "4 - 8").p.undirected->value, 1e-6);
  EXPECT_DIGITS(1.726386186, row(r, "6 - 8").number("t"), 1e-9);
}

TEST(MarginalMeans, TwoLevelsAreTheFTest) {
  FactorialDesign design = warpBreaks();
  design.sums = SumsOfSquares::TypeIII;
  TestResult anova = factorialAnova(design), r = marginalMeans(design, 0);
  const ResultRow &wool = *anova.table("analysis of variance")->row("wool");
  double t = row(r, "A - B").number("t");
  EXPECT_DIGITS(wool.number("F"), t * t, 1e-10);
  EXPECT_DIGITS(wool.p.undirected->value, row(r, "A - B").p.undirected->value, 1e-8);
}

TEST(SimpleEffects, WithinEachLevelOfTheOtherFactor) {
  TestResult r = simpleEffects(warpBreaks(), 1);
  ASSERT_EQ(r.table("comparisons")->rows.size(), 6u);
  EXPECT_DIGITS(0.0001896003493, row(r, "L - M at A").number("raw p"), 1e-9);
  EXPECT_DIGITS(0.0009480017464, row(r, "L - M at A").p.undirected->value, 1e-9);
  EXPECT_DIGITS(0.0009182411846, row(r, "L - H at A").p.undirected->value, 1e-9);
  EXPECT_DIGITS(0.3424443755, row(r, "M - H at B").p.undirected->value, 1e-9);
  EXPECT_EQ(row(r, "L - M at B").p.undirected->value, 1);
}

TEST(MarginalContrast, IsOneRowOfThePairsWithADirection) {
  TestResult r = marginalContrast(warpBreaks(), {.factor = 1, .first = 0, .second = 1});
  EXPECT_DIGITS(3.079797955, r.statistic("t"), 1e-9);
  EXPECT_DIGITS(0.003689, r.p.undirected->value, 2e-4); // multcomp prints 0.003689
  EXPECT_NUMBER(r.p.undirected->value / 2, r.p.greater->value);
  EXPECT_TRUE(r.effect("Cohen's d")->interval);
}

TEST(MarginalContrast, AFactorMultipliesTheSecondMeanInTheDatasUnits) {
  FactorialDesign design = warpBreaks();
  MarginalPair scaled{.factor = 1, .first = 0, .second = 1, .scale = 1.5};
  TestResult r = marginalContrast(design, scaled);
  double low = 0, middle = 0; // means of the two wools
  for (int32_t wool = 0; wool < 2; ++wool)
    for (int32_t tension = 0; tension < 2; ++tension) {
      double sum = 0, n = 0;
      for (size_t i = 0; i < design.outcome.size(); ++i)
        if (design.factors[0].codes[i] == wool && design.factors[1].codes[i] == tension)
          sum += design.outcome[i], n += 1;
      (tension == 0 ? low : middle) += sum / n / 2;
    }
  EXPECT_DIGITS(low - 1.5 * middle, r.estimate->value, 1e-12);
}

TEST(MarginalMeans, EdgeCases) {
  EXPECT_EQ(marginalMeans(warpBreaks(), 2).outcome, Outcome::Refused);
  FactorialDesign single{{{"g", {"a", "b"}, {0, 1}}}, {}, {1, 2}};
  EXPECT_EQ(marginalMeans(single, 0).outcome, Outcome::Refused); // no variance
  FactorialDesign constant{{{"g", {"a", "b"}, {0, 0, 1, 1}}}, {}, {1, 1, 1, 1}};
  TestResult same = marginalMeans(constant, 0);
  EXPECT_FALSE(row(same, "a - b").p.undirected.has_value()); // 0/0
  constant.outcome = {1, 1, 2, 2};
  EXPECT_EQ(row(marginalMeans(constant, 0), "a - b").number("t"), -INFINITY);
  EXPECT_EQ(simpleEffects(constant, 0).table("comparisons")->rows.size(), 1u);
  EXPECT_EQ(marginalContrast({}, {}).outcome, Outcome::Refused);
}
