// Reference values: R 4.2.2 (wilcox.test), coin and exactRankTests for exact values with ties,
// SciPy, and public reports of wrong results.
#include "stats/procedures/groups/RankTests.h"
#include "stats/procedures/resampling/Random.h"
#include "stats/procedures/test/ReferenceData.h"
#include "stats/procedures/test/TestSupport.h"

#include <algorithm>
#include <chrono>

using namespace imbrex::stats;
namespace ref = imbrex::stats::reference;

namespace {

RankOptions with(Conventions conventions) {
  RankOptions options;
  options.conventions = conventions;
  return options;
}

RankOptions with(Zeros zeros, ExactRule exact, Continuity continuity = Continuity::Half) {
  RankOptions options;
  options.conventions.zeros = zeros;
  options.conventions.signedRankContinuity = continuity;
  options.conventions.rankSumContinuity = continuity;
  options.exact = exact;
  return options;
}

std::vector<double> firstDrug() { return part(ref::sleepExtra, 0, 10); }
std::vector<double> secondDrug() { return part(ref::sleepExtra, 10, 10); }

} // namespace

TEST(MannWhitney, Sleep) {
  TestResult cc = mannWhitney(firstDrug(), secondDrug(), with(Conventions::R42()));
  EXPECT_EQ(cc.statistic("U"), 25.5);
  EXPECT_NUMBER(.0693276, cc.p.undirected->value);
  TestResult plain =
      mannWhitney(firstDrug(), secondDrug(), with(Zeros::Drop, ExactRule::Never, Continuity::None));
  EXPECT_NUMBER(.0637223, plain.p.undirected->value);
  TestResult exact = mannWhitney(firstDrug(), secondDrug());
  EXPECT_NUMBER(.0658165, exact.p.undirected->value);
  EXPECT_EQ(exact.method, "exact, conditional on midranks");
  EXPECT_EQ(exact.effect("A12")->value, .255);
  EXPECT_NUMBER(-1.35, exact.estimate->value);
}

TEST(MannWhitney, CarsBothRulesOfTwoSides) {
  auto automatic = where(ref::mtcarsMpg, ref::mtcarsAm, 0);
  auto manual = where(ref::mtcarsMpg, ref::mtcarsAm, 1);
  TestResult r = mannWhitney(automatic, manual, with(Conventions::R42()));
  EXPECT_EQ(r.statistic("U"), 42);
  EXPECT_NUMBER(.00187139, r.p.undirected->value);
  RankOptions options;
  EXPECT_DIGITS(.00115901, mannWhitney(automatic, manual, options).p.undirected->value, 5e-6);
  options.conventions.twoSidedExact = TwoSidedExact::Distance;
  EXPECT_DIGITS(.00115929, mannWhitney(automatic, manual, options).p.undirected->value, 5e-6);
}

TEST(MannWhitney, ToothGrowthAndPermeability) {
  TestResult tooth = mannWhitney(part(ref::toothLen, 30, 30), part(ref::toothLen, 0, 30),
                                 with(Conventions::R42()));
  EXPECT_EQ(tooth.statistic("U"), 575.5);
  EXPECT_NUMBER(.0644907, tooth.p.undirected->value);
  TestResult r = mannWhitney(ref::permeabilityTerm, ref::permeabilityEarly);
  EXPECT_EQ(r.statistic("U"), 35);
  EXPECT_NUMBER(.1272061, r.p.greater->value);
  EXPECT_NUMBER(.2544122, r.p.undirected->value);
  EXPECT_EQ(r.method, "exact");
  EXPECT_NUMBER(.305, r.estimate->value); // R: conf.int = TRUE
  EXPECT_NUMBER(-.15, r.estimate->interval->low);
  EXPECT_NUMBER(.76, r.estimate->interval->high);
}

TEST(MannWhitney, CrimeEffectIsPositiveWhenTheFirstGroupIsLarger) { // T17
  auto south = where(ref::crimeProb, ref::crimeSo, 1),
       north = where(ref::crimeProb, ref::crimeSo, 0);
  TestResult r = mannWhitney(south, north, with(Conventions::R42()));
  EXPECT_EQ(r.statistic("U"), 415);
  EXPECT_EQ(r.statistic("U of the second group"), 81);
  EXPECT_NUMBER(8.48825e-05, r.p.undirected->value);
  EXPECT_NUMBER(.673387, r.effect("rank-biserial correlation")->value);
  EXPECT_GT(r.effect("rank-biserial correlation")->interval->low, 0);
  EXPECT_NUMBER(1.85464e-04,
                mannWhitney(south, north, with(Zeros::Drop, ExactRule::Never)).p.undirected->value);
}

TEST(MannWhitney, TwoSidedIsTwoSided) { // T1
  std::vector<double> a(10, 996), b(9, 994);
  b.push_back(995);
  EXPECT_NUMBER(2.428174732e-05, mannWhitney(a, b, with(Conventions::R42())).p.undirected->value);
  EXPECT_NUMBER(1.08251e-05, mannWhitney(a, b).p.undirected->value);
  b[0] = 995;
  EXPECT_NUMBER(3.28994e-05, mannWhitney(a, b, with(Conventions::R42())).p.undirected->value);
}

TEST(MannWhitney, ManyTiesDoNotOverflow) { // T2
  std::vector<double> a, b;
  int na[] = {163, 81, 40, 6, 2}, nb[] = {1007, 362, 99, 27, 13};
  for (int value = 0; value < 5; ++value) {
    a.insert(a.end(), na[value], value + 1);
    b.insert(b.end(), nb[value], value + 1);
  }
  TestResult r = mannWhitney(a, b, with(Conventions::R42()));
  EXPECT_EQ(r.statistic("U"), 246930.5);
  EXPECT_EQ(r.statistic("U of the second group"), 193405.5);
  EXPECT_NUMBER(9.34930e-05, r.p.undirected->value);
}

TEST(MannWhitney, DirectionMatters) { // T3
  std::vector<double> a{1, 2, 3, 4, 5}, b{3, 4, 5, 6, 7};
  TestResult r = mannWhitney(a, b, with(Conventions::R42()));
  EXPECT_EQ(r.statistic("U"), 4.5);
  EXPECT_DIGITS(.113846, r.p.undirected->value, 5e-6);
  EXPECT_DIGITS(.0569, r.p.less->value, 1e-3);
  EXPECT_GT(r.p.greater->value, 0.9);
  EXPECT_DIGITS(.126984, mannWhitney(a, b).p.undirected->value, 4e-6);
}

TEST(MannWhitney, EdgeCases) {
  std::vector<double> same{3, 3, 3}, one{1}, two{2}, none;
  EXPECT_EQ(mannWhitney(same, same).outcome, Outcome::Undefined);
  EXPECT_EQ(mannWhitney(none, one).outcome, Outcome::Refused);
  TestResult r = mannWhitney(one, two);
  EXPECT_EQ(r.p.undirected->value, 1);
  EXPECT_EQ(r.p.less->value, 0.5);
  EXPECT_EQ(r.effect("A12")->value, 0);
  EXPECT_GT(r.effect("A12")->interval->high, 0.5);
}

TEST(MannWhitney, ExactOfFiftyPerGroupIsQuick) {
  Random random(3);
  std::vector<double> a, b;
  for (int i = 0; i < 50; ++i) {
    a.push_back(double(random.below(40)));
    b.push_back(double(random.below(40)));
  }
  RankOptions options;
  options.exact = ExactRule::Always;
  auto start = std::chrono::steady_clock::now();
  TestResult r = mannWhitney(a, b, options);
  std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  EXPECT_TRUE(r.method.starts_with("exact"));
  EXPECT_LT(seconds.count(), 0.5); // 0.02 on an idle machine
}

TEST(SignedRank, Sleep) {
  auto a = firstDrug(), b = secondDrug();
  TestResult r42 = wilcoxonSignedRank(a, b, with(Conventions::R42()));
  EXPECT_EQ(r42.statistic("V"), 0);
  EXPECT_NUMBER(.00909070, r42.p.undirected->value);
  EXPECT_NUMBER(-1.4, r42.estimate->value); // of the 9 differences that are not zero
  EXPECT_NUMBER(-1.3, wilcoxonSignedRank(a, b).estimate->value); // of all 10
  auto p = [&](Zeros zeros, ExactRule exact, Continuity continuity = Continuity::Half) {
    return wilcoxonSignedRank(a, b, with(zeros, exact, continuity)).p.undirected->value;
  };
  EXPECT_NUMBER(.00763244, p(Zeros::Drop, ExactRule::Never, Continuity::None));
  EXPECT_NUMBER(.00390625, p(Zeros::Drop, ExactRule::WithTies));
  EXPECT_NUMBER(.00680155, p(Zeros::Pratt, ExactRule::Never));
  EXPECT_NUMBER(.00687404, p(Zeros::Split, ExactRule::Never));
}

TEST(SignedRank, Depression) {
  TestResult r = wilcoxonSignedRank(ref::depressionFirst, ref::depressionSecond);
  EXPECT_EQ(r.statistic("V"), 40);
  EXPECT_NUMBER(.01953125, r.p.greater->value);
  EXPECT_NUMBER(.0390625, r.p.undirected->value);
  EXPECT_EQ(wilcoxonSignedRank(ref::crimeU1, ref::crimeU2).statistic("V"), 1128);
}

TEST(SignedRank, OfASampleWithItselfIsUndefined) { // T4
  for (Zeros zeros : {Zeros::Drop, Zeros::Pratt, Zeros::Split})
    EXPECT_EQ(
        wilcoxonSignedRank(firstDrug(), firstDrug(), with(zeros, ExactRule::WithTies)).outcome,
        Outcome::Undefined);
}

TEST(SignedRank, BiserialLeavesZerosOut) { // T5
  std::vector<double> values{1, 5, 3, 4, 4, 2, 3, 2, 1, 4, 5, 4, 3, 1};
  RankOptions options = with(Conventions::R42());
  options.hypothesised = 3;
  TestResult r = oneSampleWilcoxon(values, options);
  EXPECT_EQ(r.statistic("V"), 32);
  EXPECT_EQ(r.statistic("T-"), 34);
  EXPECT_EQ(r.n.back().value, 3);
  EXPECT_DIGITS(-.030303, r.effect("matched-pairs rank-biserial correlation")->value, 2e-5);
}

TEST(SignedRank, IntervalSaysWhatItAchieves) { // T6
  std::vector<double> values{1, 2, 3, 4, 5, 6};
  RankOptions options;
  options.level = 0.99;
  TestResult r = oneSampleWilcoxon(values, options);
  EXPECT_EQ(r.statistic("V"), 21);
  EXPECT_EQ(r.p.undirected->value, .03125);
  EXPECT_EQ(r.estimate->interval->achieved, 0.96875);
  EXPECT_EQ(r.estimate->interval->low, 1);
  EXPECT_EQ(r.estimate->interval->high, 6);
  ASSERT_FALSE(r.notes.empty());
  EXPECT_NE(r.notes[0].find("96.87"), std::string::npos);
}

TEST(SignedRank, RoundoffDoesNotBreakTies) {
  std::vector<double> a{0.3, 0.2, 0.5, 0.9}, b{0.2, 0.1, 0.7, 0.4};
  TestResult r = wilcoxonSignedRank(a, b, with(Conventions::R42()));
  EXPECT_NE(r.method.find("ties"), std::string::npos);
  EXPECT_EQ(r.statistic("V"), 1.5 + 1.5 + 4);
}

TEST(SignedRank, ZerosUpToRoundoffAreZeros) {
  std::vector<double> a{0.1 + 0.2, 2, 3, 5}, b{0.3, 1, 1, 1};
  TestResult r = wilcoxonSignedRank(a, b, with(Conventions::R42()));
  EXPECT_EQ(r.n.back().value, 1);
  EXPECT_EQ(r.estimate->value, 2.25); // of 1, 2 and 4
}

TEST(SignedRank, EdgeCases) {
  std::vector<double> one{1}, zero{0}, none;
  EXPECT_EQ(wilcoxonSignedRank(one, zero).p.undirected->value, 1);
  EXPECT_EQ(wilcoxonSignedRank(one, zero).p.greater->value, 0.5);
  EXPECT_EQ(wilcoxonSignedRank(none, none).outcome, Outcome::Refused);
  EXPECT_EQ(oneSampleWilcoxon(zero).outcome, Outcome::Undefined);
}

TEST(BrunnerMunzel, ReferenceExample) { // SciPy's documentation: statistic 3.1374674823029505, p
                                        // 0.0057862086661515377
  std::vector<double> x{1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 2, 4, 1, 1},
      y{3, 3, 4, 3, 1, 2, 3, 1, 1, 5, 4};
  TestResult r = brunnerMunzel(x, y);
  EXPECT_DIGITS(-3.1374674823029505, r.statistic("t"), 1e-12);
  EXPECT_DIGITS(0.0057862086661515377, r.p.undirected->value, 1e-11);
  EXPECT_LT(r.p.less->value, 0.01);
  EXPECT_LT(r.effect("A12")->interval->high, 0.5);
}

TEST(BrunnerMunzel, SeparatedGroupsAreUndefined) {
  std::vector<double> a{1, 2, 3}, b{4, 5, 6};
  TestResult r = brunnerMunzel(a, b);
  EXPECT_EQ(r.outcome, Outcome::Undefined);
  EXPECT_EQ(r.effect("A12")->value, 0);
}
