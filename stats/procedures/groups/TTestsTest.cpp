// Reference values: R 4.2.2 (t.test) on R's own data; SciPy for edge cases.
#include "stats/procedures/groups/TTests.h"
#include "stats/procedures/test/ReferenceData.h"
#include "stats/procedures/test/TestSupport.h"

#include <algorithm>

using namespace imbrex::stats;
namespace ref = imbrex::stats::reference;

TEST(WelchsT, Sleep) {
  TestResult r = welchsT(part(ref::sleepExtra, 0, 10), part(ref::sleepExtra, 10, 10));
  EXPECT_NUMBER(-1.860813, r.statistic("t"));
  EXPECT_NUMBER(17.77647, r.freedom());
  EXPECT_NUMBER(.0793941, r.p.undirected->value);
  EXPECT_NUMBER(-3.365483, r.estimate->interval->low);
  EXPECT_NUMBER(.2054832, r.estimate->interval->high);
}

TEST(StudentsT, SleepAndPairs) {
  auto a = part(ref::sleepExtra, 0, 10), b = part(ref::sleepExtra, 10, 10);
  EXPECT_NUMBER(.0791867, studentsT(a, b).p.undirected->value);
  TestResult r = pairedT(a, b);
  EXPECT_NUMBER(-4.062128, r.statistic("t"));
  EXPECT_EQ(r.freedom(), 9);
  EXPECT_NUMBER(.00283289, r.p.undirected->value);
  EXPECT_NUMBER(-2.459886, r.estimate->interval->low);
  EXPECT_DIGITS(-.7001142, r.estimate->interval->high, 1e-6);
  EXPECT_NUMBER(-1.284558, r.effect("Cohen's d_z")->value);
}

TEST(TTests, Cars) {
  auto automatic = where(ref::mtcarsMpg, ref::mtcarsAm, 0);
  auto manual = where(ref::mtcarsMpg, ref::mtcarsAm, 1);
  TestResult r = welchsT(automatic, manual);
  EXPECT_NUMBER(-3.767123, r.statistic("t"));
  EXPECT_NUMBER(18.33225, r.freedom());
  EXPECT_NUMBER(.00137364, r.p.undirected->value);
  EXPECT_NUMBER(-11.28019, r.estimate->interval->low);
  EXPECT_NUMBER(-3.209684, r.estimate->interval->high);
  EXPECT_NUMBER(.000285021, studentsT(automatic, manual).p.undirected->value);
}

TEST(TTests, ToothGrowthAndCrime) {
  TestResult r = welchsT(part(ref::toothLen, 30, 30), part(ref::toothLen, 0, 30));
  EXPECT_NUMBER(1.915268, r.statistic("t"));
  EXPECT_NUMBER(55.30943, r.freedom());
  EXPECT_DIGITS(.0606345, r.p.undirected->value, 3e-6);
  EXPECT_NUMBER(7.571016, r.estimate->interval->high);
  TestResult paired = pairedT(ref::crimeU1, ref::crimeU2);
  EXPECT_NUMBER(32.406605, paired.statistic("t"));
  EXPECT_DIGITS(2.5304e-33, paired.p.undirected->value, 2e-5);
  EXPECT_NUMBER(57.67003, paired.estimate->interval->low);
  auto south = where(ref::crimeProb, ref::crimeSo, 1),
       north = where(ref::crimeProb, ref::crimeSo, 0);
  EXPECT_NUMBER(1.23649e-04, studentsT(south, north).p.undirected->value);
  EXPECT_NUMBER(6.50578e-04, welchsT(south, north).p.undirected->value);
  EXPECT_NUMBER(4.202131, studentsT(south, north).statistic("t"));
}

TEST(OneSampleT, Sleep) { // R: t.test(sleep$extra, mu = 1)
  LocationOptions options;
  options.hypothesised = 1;
  TestResult r = oneSampleT(ref::sleepExtra, options);
  EXPECT_NUMBER(1.19675395938043, r.statistic("t"));
  EXPECT_EQ(r.freedom(), 19);
}

TEST(TTests, AlternativesAreMirrored) {
  std::vector<double> low{1, 2, 3, 4}, high{3, 4, 5, 7};
  TestResult ab = welchsT(low, high), ba = welchsT(high, low);
  EXPECT_EQ(ab.p.less->value, ba.p.greater->value);
  EXPECT_LT(ab.p.less->value, 0.5);
  EXPECT_NEAR(ab.p.less->value + ab.p.greater->value, 1, 1e-15);
  EXPECT_EQ(ab.effect("Cohen's d")->value, -ba.effect("Cohen's d")->value);
}

TEST(TTests, EffectIntervals) { // SciPy: roots of nct
  auto a = part(ref::sleepExtra, 0, 10), b = part(ref::sleepExtra, 10, 10);
  TestResult r = studentsT(a, b);
  const EffectSize *d = r.effect("Cohen's d");
  EXPECT_NUMBER(-0.8321811, d->value);
  EXPECT_DIGITS(-1.7388168991067, d->interval->low, 1e-9);
  EXPECT_DIGITS(0.0954503982114, d->interval->high, 1e-9);
  EXPECT_LT(std::fabs(r.effect("Hedges' g")->value), std::fabs(d->value));
  EXPECT_NEAR(hedgesCorrection(18), 0.957646, 1e-3);
  EXPECT_NEAR(hedgesCorrection(9999) - hedgesCorrection(10001), 0, 1e-7);
}

TEST(TTests, ConstantGroupAgainstAVaryingOne) { // T15
  std::vector<double> a{1, 2, 3}, b{3, 3, 3};
  EXPECT_NUMBER(-1.732051, studentsT(a, b).statistic("t"));
  EXPECT_EQ(studentsT(a, b).freedom(), 4);
  EXPECT_NUMBER(.1583024, studentsT(a, b).p.undirected->value);
  EXPECT_EQ(welchsT(a, b).freedom(), 2);
  EXPECT_NUMBER(.2254033, welchsT(a, b).p.undirected->value);
}

TEST(TTests, ConstantGroups) {
  std::vector<double> a{1, 1, 1}, b{2, 2}, same{1, 1};
  for (TestResult r : {studentsT(a, b), welchsT(a, b)}) {
    EXPECT_TRUE(r.defined());
    EXPECT_EQ(r.statistic("t"), -INFINITY);
    EXPECT_EQ(r.p.undirected->value, 0);
    EXPECT_EQ(r.p.less->value, 0);
    EXPECT_EQ(r.p.greater->value, 1);
    EXPECT_EQ(r.estimate->value, -1);
  }
  EXPECT_EQ(studentsT(a, same).outcome, Outcome::Undefined);
  EXPECT_EQ(welchsT(a, same).outcome, Outcome::Undefined);
  EXPECT_EQ(oneSampleT(a).statistic("t"), INFINITY);
}

TEST(PairedT, IdenticalColumnsAreUndefined) { // T14
  std::vector<double> a{1, 2, 3};
  TestResult r = pairedT(a, a);
  EXPECT_EQ(r.outcome, Outcome::Undefined);
  EXPECT_NE(r.reason.find("zero"), std::string::npos);
}

TEST(PairedT, EqualDifferencesThatRoundDifferently) {
  std::vector<double> a{0.3, 0.2, 0.7}, b{0.2, 0.1, 0.6};
  EXPECT_EQ(pairedT(a, b).statistic("t"), INFINITY);
}

TEST(TTests, SmallGroups) {
  std::vector<double> one{5}, two{1, 2}, none;
  TestResult r = studentsT(one, two); // SciPy: t = 4.04145188, p = 0.15442094
  EXPECT_NUMBER(4.04145188, r.statistic("t"));
  EXPECT_NUMBER(0.15442094, r.p.undirected->value);
  EXPECT_EQ(studentsT(one, one).outcome, Outcome::Refused);
  EXPECT_EQ(welchsT(one, two).outcome, Outcome::Refused);
  EXPECT_EQ(welchsT(none, two).outcome, Outcome::Refused);
  EXPECT_EQ(oneSampleT(one).outcome, Outcome::Refused);
  EXPECT_EQ(pairedT(two, one).outcome, Outcome::Refused);
  EXPECT_EQ(pairedT(one, one).outcome, Outcome::Refused);
  std::vector<double> broken{1, NAN};
  EXPECT_EQ(oneSampleT(broken).outcome, Outcome::Refused);
}

TEST(TTests, OffsetAndScaleDoNotMatter) {
  std::vector<double> a{1, 2, 4, 7}, b{2, 5, 9, 8, 3};
  TestResult plain = welchsT(a, b);
  for (int power : {-1000, -600, 600, 1015}) {
    auto scaled = [&](std::vector<double> v) {
      for (double &x : v)
        x = std::ldexp(x, power);
      return v;
    };
    TestResult r = welchsT(scaled(a), scaled(b));
    EXPECT_DIGITS(plain.statistic("t"), r.statistic("t"), 1e-15);
    EXPECT_DIGITS(plain.freedom(), r.freedom(), 1e-15);
    EXPECT_EQ(std::ldexp(plain.estimate->value, power), r.estimate->value);
  }
  auto offset = [](std::vector<double> v) {
    for (double &x : v)
      x += 1e15;
    return v;
  };
  EXPECT_DIGITS(plain.statistic("t"), welchsT(offset(a), offset(b)).statistic("t"), 1e-14);
  EXPECT_DIGITS(studentsT(a, b).statistic("t"), studentsT(offset(a), offset(b)).statistic("t"),
                1e-14);
}

TEST(TTests, TinyPValuesKeepTheirLogarithm) {
  std::vector<double> a, b;
  for (int i = 0; i < 1000; ++i) {
    a.push_back(i % 7);
    b.push_back(1e6 + i % 5);
  }
  TestResult r = studentsT(a, b);
  EXPECT_EQ(r.p.undirected->value, 0);
  EXPECT_LT(r.p.undirected->log, -10000);
  EXPECT_TRUE(std::isfinite(r.p.undirected->log));
}
