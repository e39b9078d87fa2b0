// Reference values: R 4.2.2 with afex 1.2-1 and car 3.1-1 on R's CO2 data. Mauchly's p-values
// differ from R's by 0.3 %: the second term of R's expansion has 2p^3+6p^2+3p+5 where Box's general
// expansion gives 2p^3+6p^2+3p+2. Those here are computed from Box's formula.
#include "stats/procedures/anova/Repeated.h"

#include "stats/procedures/test/ReferenceData.h"
#include "stats/procedures/test/TestSupport.h"

#include <set>

using namespace imbrex::stats;
namespace ref = imbrex::stats::reference;

namespace {

/// Seven concentrations within 12 plants, the first 6 of Quebec; without the plants `left`.
RepeatedDesign plants(std::set<int> left = {}) {
  RepeatedDesign design;
  design.within = {{"conc", {"95", "175", "250", "350", "500", "675", "1000"}}};
  design.between = {{"Type", {"Quebec", "Mississippi"}, {}}};
  for (int plant = 0; plant < 12; ++plant)
    if (!left.contains(plant)) {
      design.subjects.push_back(part(ref::co2Uptake, plant * 7, 7));
      design.between[0].codes.push_back(plant / 6);
    }
  return design;
}

const ResultRow &row(const TestResult &result, const char *table, const char *term) {
  return *result.table(table)->row(term);
}
double f(const TestResult &result, const char *term) {
  return row(result, "analysis of variance", term).number("F");
}

} // namespace

TEST(RepeatedAnova, OneFactor) {
  RepeatedDesign design = plants();
  design.between.clear();
  TestResult r = mixedAnova(design);
  EXPECT_NUMBER(57.67631, r.statistic("F"));
  EXPECT_EQ(r.freedom(0), 6);
  EXPECT_EQ(r.freedom(1), 66);
  EXPECT_DIGITS(2.394e-24, r.p.undirected->value, 3e-4);
  const ResultRow &sphericity = row(r, "sphericity", "conc");
  EXPECT_DIGITS(0.0001003247196, sphericity.number("Mauchly's W"), 1e-9);
  EXPECT_DIGITS(8.4961324e-09, sphericity.p.undirected->value, 1e-7);
  EXPECT_DIGITS(0.23823637588, sphericity.number("epsilon Greenhouse-Geisser"), 1e-10);
  EXPECT_DIGITS(0.2638818877016, sphericity.number("epsilon Huynh-Feldt"), 1e-10);
  EXPECT_DIGITS(2.506e-07, row(r, "Greenhouse-Geisser", "conc").p.undirected->value, 2e-4);
  EXPECT_DIGITS(6.576948290957e-08, row(r, "Huynh-Feldt", "conc").p.undirected->value, 1e-9);
  EXPECT_DIGITS(.41916, r.effect("generalised eta squared")->value, 2e-5);
  EXPECT_DIGITS(.83983, r.effect("partial eta squared")->value, 1e-5);
  EXPECT_EQ(r.effect("partial omega squared"), nullptr); // several definitions, none agreed
}

TEST(MixedAnova, Balanced) {
  TestResult r = mixedAnova(plants());
  EXPECT_NUMBER(22.48673, f(r, "Type"));
  EXPECT_NUMBER(101.32172, f(r, "conc"));
  EXPECT_NUMBER(9.32403, f(r, "Type:conc"));
  EXPECT_DIGITS(0.00034737818236, row(r, "sphericity", "conc").number("Mauchly's W"), 1e-10);
  EXPECT_DIGITS(7.015614049706e-04, row(r, "Huynh-Feldt", "Type:conc").p.undirected->value, 1e-10);
  const char *terms[] = {"Type", "conc", "Type:conc"};
  double generalised[] = {0.6393760349678, 0.6818770280385, 0.1647510642245};
  for (int i = 0; i < 3; ++i)
    EXPECT_DIGITS(generalised[i], row(r, "analysis of variance", terms[i]).effects.back().value,
                  1e-11);
}

TEST(MixedAnova, UnequalGroups) {
  RepeatedDesign design = plants({0, 9, 11});
  TestResult three = mixedAnova(design);
  EXPECT_DIGITS(10.536756120325, f(three, "Type"), 1e-11);
  EXPECT_DIGITS(87.288020896680, f(three, "conc"), 1e-11);
  EXPECT_DIGITS(5.236660837835, f(three, "Type:conc"), 1e-11);
  EXPECT_DIGITS(0.5115444343362, row(three, "sphericity", "conc").number("epsilon Huynh-Feldt"),
                1e-10);
  EXPECT_DIGITS(0.00822449324, row(three, "sphericity", "conc").p.undirected->value, 1e-8);
  design.sums = SumsOfSquares::TypeII;
  TestResult two = mixedAnova(design);
  EXPECT_DIGITS(93.221708807031, f(two, "conc"), 1e-11);
  EXPECT_DIGITS(10.536756120325, f(two, "Type"), 1e-11);
}

TEST(RepeatedAnova, TwoConditionsAreThePairedT) { // sleep: t = -4.062128
  std::vector<std::vector<double>> drugs{part(ref::sleepExtra, 0, 10),
                                         part(ref::sleepExtra, 10, 10)};
  TestResult r = repeatedAnova(drugs);
  EXPECT_NUMBER(4.062128 * 4.062128, r.statistic("F"));
  EXPECT_EQ(r.table("sphericity"), nullptr);
  EXPECT_EQ(mauchly(drugs).p.undirected->value, 1);
}

TEST(RepeatedAnova, EdgeCases) {
  EXPECT_EQ(repeatedAnova({{1, 2}, {1}}).outcome, Outcome::Refused);
  EXPECT_EQ(repeatedAnova({}).outcome, Outcome::Refused);
  EXPECT_EQ(repeatedAnova({{1}, {2}}).outcome, Outcome::Refused);
  EXPECT_EQ(repeatedAnova({{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}).outcome, Outcome::Undefined);
  TestResult shifted = repeatedAnova({{1, 2, 3}, {2, 3, 4}, {4, 5, 6}}); // subjects respond alike
  EXPECT_EQ(shifted.statistic("F"), INFINITY);
  // Fewer subjects than contrasts: no Mauchly, the epsilons remain.
  TestResult few = repeatedAnova({{1, 2, 4}, {2, 9, 4}, {4, 5, 7}, {3, 3, 5}, {1, 1, 9}});
  EXPECT_TRUE(few.defined());
  EXPECT_FALSE(few.table("sphericity")->rows[0].p.undirected.has_value());
  EXPECT_EQ(mauchly({{1, 2, 4}, {2, 9, 4}, {4, 5, 7}, {3, 3, 5}, {1, 1, 9}}).outcome,
            Outcome::Undefined);
}

TEST(MixedAnova, TwoWithinFactors) {
  // 2 x 2 within: the interaction is a t test of the contrast.
  RepeatedDesign design;
  design.within = {{"a", {"1", "2"}}, {"b", {"1", "2"}}};
  design.subjects = {{1, 2, 3, 7}, {2, 2, 5, 6}, {0, 3, 4, 4}, {1, 1, 2, 6}};
  TestResult r = mixedAnova(design);
  std::vector<double> contrast;
  double sum = 0, squares = 0;
  for (const auto &s : design.subjects)
    contrast.push_back(s[0] - s[1] - s[2] + s[3]);
  for (double c : contrast)
    sum += c;
  for (double c : contrast)
    squares += (c - sum / 4) * (c - sum / 4);
  EXPECT_DIGITS((sum / 4) * (sum / 4) * 4 / (squares / 3), f(r, "a:b"), 1e-12);
  EXPECT_EQ(r.table("analysis of variance")->rows.size(), 3u);
}
