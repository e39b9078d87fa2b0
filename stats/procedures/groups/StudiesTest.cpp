// Rank tests on published studies. Reference values: recomputed from the published data; exact
// conditional ones with exactRankTests 0.8-35 and coin 1.4-2.
#include "stats/procedures/groups/RankTests.h"
#include "stats/procedures/groups/TTests.h"
#include "stats/procedures/test/StudyFile.h"
#include "stats/procedures/test/TestSupport.h"

using namespace imbrex::stats;

namespace {

double signedRankP(const std::vector<double> &a, const std::vector<double> &b, Zeros zeros,
                   ExactRule exact, Continuity continuity = Continuity::Half) {
  RankOptions options;
  options.conventions.zeros = zeros;
  options.conventions.signedRankContinuity = continuity;
  options.exact = exact;
  return wilcoxonSignedRank(a, b, options).p.undirected->value;
}

} // namespace

TEST(Studies, EcstasyPairsWithZeros) {
  auto rows = readStudy("drug.csv");
  if (!rows)
    GTEST_SKIP() << "IMBREX_BENCH_DATA does not point to the studies";
  auto a = valuesWhere(*rows, "sundayBDI", "drug", "Ecstasy");
  auto b = valuesWhere(*rows, "wedsBDI", "drug", "Ecstasy");
  TestResult r = wilcoxonSignedRank(a, b);
  EXPECT_EQ(r.statistic("T"), 0);
  EXPECT_EQ(r.n.back().value, 2);
  EXPECT_DIGITS(.0140291, signedRankP(a, b, Zeros::Drop, ExactRule::Never), 4e-6);
  EXPECT_DIGITS(.0115138, signedRankP(a, b, Zeros::Drop, ExactRule::Never, Continuity::None), 5e-6);
  EXPECT_NUMBER(.0078125, signedRankP(a, b, Zeros::Drop, ExactRule::WithTies));
  EXPECT_NUMBER(.00756120, signedRankP(a, b, Zeros::Pratt, ExactRule::Never, Continuity::None));
  EXPECT_NUMBER(.00792278, signedRankP(a, b, Zeros::Split, ExactRule::Never, Continuity::None));
}

TEST(Studies, FourAgainstFour) {
  auto rows = readStudy("real_stats_3.csv");
  if (!rows)
    GTEST_SKIP() << "IMBREX_BENCH_DATA does not point to the studies";
  const std::string treatment = "\xef\xbb\xbf"
                                "Treatment"; // the file begins with a byte order mark
  auto control = valuesWhere(*rows, "Score", treatment, "Control");
  auto drug = valuesWhere(*rows, "Score", treatment, "Drug");
  TestResult r = mannWhitney(control, drug);
  EXPECT_EQ(std::fmin(r.statistic("U"), r.statistic("U of the second group")), 2);
  EXPECT_NUMBER(.1142857, r.p.undirected->value);
}

TEST(Studies, PairsWithTiesAndAZero) {
  auto rows = readStudy("real_stats_0.csv");
  if (!rows)
    GTEST_SKIP() << "IMBREX_BENCH_DATA does not point to the studies";
  auto a = valuesWhere(*rows, "Score", "Side", "Right"),
       b = valuesWhere(*rows, "Score", "Side", "Left");
  RankOptions drop;
  drop.conventions.zeros = Zeros::Drop;
  EXPECT_EQ(wilcoxonSignedRank(a, b, drop).statistic("T"), 35.5);
  EXPECT_NUMBER(.3043213, signedRankP(a, b, Zeros::Drop, ExactRule::WithTies));
  EXPECT_NUMBER(.2724609, signedRankP(a, b, Zeros::Pratt, ExactRule::WithTies));
  EXPECT_NUMBER(.2999325, signedRankP(a, b, Zeros::Drop, ExactRule::Never));
  EXPECT_NUMBER(.2855252, signedRankP(a, b, Zeros::Drop, ExactRule::Never, Continuity::None));
}

TEST(Studies, ThirtyCouples) {
  auto rows = readStudy("real_stats_2.csv");
  if (!rows)
    GTEST_SKIP() << "IMBREX_BENCH_DATA does not point to the studies";
  auto a = valuesWhere(*rows, "Score", "Person", "Wife"),
       b = valuesWhere(*rows, "Score", "Person", "Husband");
  EXPECT_NUMBER(.00858218, signedRankP(a, b, Zeros::Drop, ExactRule::WithTies));
  EXPECT_NUMBER(.00995465, signedRankP(a, b, Zeros::Pratt, ExactRule::WithTies));
  EXPECT_DIGITS(.0102919, signedRankP(a, b, Zeros::Drop, ExactRule::Never), 5e-6);
}

TEST(Studies, SpidersAndAlcohol) {
  auto spiders = readStudy("spiderLong_within.csv"), alcohol = readStudy("alcohol.csv");
  if (!spiders || !alcohol)
    GTEST_SKIP() << "IMBREX_BENCH_DATA does not point to the studies";
  std::vector<double> picture, real;
  for (const auto &row : *spiders)
    (row.at("Group") == "Picture" ? picture : real).push_back(std::stod(row.at("Anxiety")));
  ASSERT_EQ(picture.size(), 12u);
  EXPECT_NUMBER(-2.472533, pairedT(picture, real).statistic("t"));
  EXPECT_NUMBER(.0309818, pairedT(picture, real).p.undirected->value);
  EXPECT_NUMBER(.1068392, studentsT(picture, real).p.undirected->value);
  EXPECT_NUMBER(.1072440, welchsT(picture, real).p.undirected->value);
  EXPECT_DIGITS(.0458555,
                signedRankP(picture, real, Zeros::Drop, ExactRule::Never, Continuity::None), 3e-6);
  EXPECT_DIGITS(.0517121, signedRankP(picture, real, Zeros::Drop, ExactRule::Never), 3e-6);
  EXPECT_NUMBER(.0429688, signedRankP(picture, real, Zeros::Drop, ExactRule::WithTies));
  EXPECT_NUMBER(.046875, signedRankP(picture, real, Zeros::Pratt, ExactRule::WithTies));
  auto sunday = valuesWhere(*alcohol, "value", "day", "sundayBDI");
  auto wednesday = valuesWhere(*alcohol, "value", "day", "wedsBDI");
  EXPECT_DIGITS(.0465678,
                signedRankP(sunday, wednesday, Zeros::Drop, ExactRule::Never, Continuity::None),
                3e-6);
  EXPECT_DIGITS(.0524795, signedRankP(sunday, wednesday, Zeros::Drop, ExactRule::Never), 3e-6);
  EXPECT_NUMBER(.0449219, signedRankP(sunday, wednesday, Zeros::Drop, ExactRule::WithTies));
  EXPECT_DIGITS(.0148831, pairedT(sunday, wednesday).p.undirected->value, 5e-6);
}
