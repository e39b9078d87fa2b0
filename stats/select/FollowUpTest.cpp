// Which comparisons follow which analysis, and what planned ones decide.
#include "stats/procedures/resampling/Random.h"
#include "stats/select/test/StudyCase.h"

namespace imbrex::stats {
namespace {

double noise(int i) { return Random(static_cast<uint64_t>(i) + 1).normal(); }

/// 60 values: groups of k differ by `main`, and by `interaction` more at h = q.
std::string cells(double main, double interaction) {
  std::string csv = "k,h,y,x\n";
  for (int i = 0; i < 60; ++i) {
    int k = i % 3, h = i / 3 % 2;
    csv += std::string(1, static_cast<char>('a' + k)) + "," + (h ? "q" : "p") + "," +
           std::to_string(20 + main * k + interaction * k * h + noise(i)) + "," +
           std::to_string(noise(3 * i + 1)) + "\n";
  }
  return csv;
}

std::string factorial(const std::string &hypothesis) {
  return "data f.csv\nvariables\n  k: nominal [a, b, c]\n  h: nominal [p, q]\n  y: ratio\n  x: "
         "interval\ndesign observational\n  contributor: k, h, x\n  outcome: y\nhypothesis " +
         hypothesis + "\n";
}

/// "simple_effects of k: 6 rows; …".
std::string followed(const StudyAnalysis &analysis) {
  std::string text;
  for (const FollowUp &one : analysis.hypotheses[0].comparisons)
    text += (text.empty() ? "" : "; ") + one.result.id + " of " + one.variable + ": " +
            std::to_string(one.result.tables.empty() ? 0 : one.result.tables[0].rows.size());
  return text;
}

TEST(FollowUp, SimpleEffectsWhereFactorsInteract) {
  StudyCase c(factorial("y by k, h"), cells(0.5, 3));
  EXPECT_EQ(followed(c.analysis()), "simple_effects of k: 6; simple_effects of h: 3");
}

TEST(FollowUp, MarginalMeansOfThreeLevelsWhereTheyDoNot) {
  StudyCase c(factorial("y by k, h"), cells(3, 0));
  EXPECT_EQ(followed(c.analysis()), "marginal_means of k: 3");
}

TEST(FollowUp, NothingWhereNothingIsSignificant) {
  StudyCase c(factorial("y by k, h"), cells(0, 0));
  EXPECT_EQ(followed(c.analysis()), "");
}

TEST(FollowUp, AdjustedMeansAfterCovariance) {
  StudyCase c(factorial("y by k given x"), cells(3, 0));
  StudyAnalysis a = c.analysis();
  ASSERT_EQ(followed(a), "marginal_means of k: 3");
  EXPECT_TRUE(a.hypotheses[0].comparisons[0].result.tables[0].rows[0].effects.at(0).interval);
}

TEST(FollowUp, APlannedDirectionDecidesAmongFactors) {
  StudyCase right(factorial("y by k, h: c > a"), cells(3, 0));
  EXPECT_EQ(followed(right.analysis()), "planned_comparisons of k: 1");
  EXPECT_EQ(right.analysis().hypotheses[0].decision, Decision::Supported);
  StudyCase wrong(factorial("y by k, h: a > c"), cells(3, 0));
  EXPECT_EQ(wrong.analysis().hypotheses[0].decision, Decision::NotSupported);
  StudyCase scaled(factorial("y by k, h: c > 1.5 * a"), cells(3, 0));
  EXPECT_EQ(scaled.analysis().hypotheses[0].decision, Decision::NotSupported);
  StudyCase equal(factorial("y by k, h: a = c within 5"), cells(0, 0));
  EXPECT_EQ(equal.analysis().hypotheses[0].decision, Decision::Supported);
  StudyCase given(factorial("y by k given x: c > b > a"), cells(3, 0));
  EXPECT_EQ(followed(given.analysis()), "planned_comparisons of k: 2");
  EXPECT_EQ(given.analysis().hypotheses[0].decision, Decision::Supported);
}

/// 14 participants in two teams under three conditions on two sides.
std::string conditions(double effect) {
  std::string csv = "id,team,c,d,f,pass\n";
  for (int i = 0; i < 14; ++i)
    for (int j = 0; j < 3; ++j)
      for (int m = 0; m < 2; ++m)
        csv += "s" + std::to_string(i) + "," + (i % 2 ? "red" : "blue") + "," +
               std::string(1, static_cast<char>('u' + j)) + "," + (m ? "n" : "m") + "," +
               std::to_string(10 + i % 4 + effect * j + noise(900 + i * 6 + j * 2 + m)) + "," +
               (noise(i * 11 + 5 * j) + effect * j > 1.5 ? "yes" : "no") + "\n";
  return csv;
}

std::string repeated(const std::string &sides, const std::string &factors,
                     const std::string &within, const std::string &hypothesis) {
  return "data f.csv\n  key: id\nvariables\n  team: nominal [blue, red]\n  c: nominal [u, v, w]\n  "
         "d: nominal [" +
         sides +
         "\n  f: ratio\n  pass: nominal [no, yes]\ndesign experiment\n  independent: " + factors +
         "\n  dependent: f, pass\n  within: " + within + "\nhypothesis " + hypothesis + "\n";
}

TEST(FollowUp, ParticipantsMeansAfterRepeatedMeasures) {
  StudyCase within(repeated("m, n]", "c, d", "c, d", "f by c, d"), conditions(2));
  EXPECT_EQ(followed(within.analysis()), "repeated_comparisons of c: 3");
  StudyCase mixed(repeated("m, n]", "team, c, d", "c, d", "f by team, c, d"), conditions(2));
  EXPECT_EQ(followed(mixed.analysis()), "repeated_comparisons of c: 3");
  StudyCase planned(repeated("m, n]", "team, c, d", "c, d", "f by team, c, d: w > v > u"),
                    conditions(2));
  EXPECT_EQ(followed(planned.analysis()), "planned_comparisons of c: 2");
  EXPECT_EQ(planned.analysis().hypotheses[0].decision, Decision::Supported);
  StudyCase wrong(repeated("m, n]", "team, c, d", "c, d", "f by team, c, d: u > w"), conditions(2));
  EXPECT_EQ(wrong.analysis().hypotheses[0].decision, Decision::NotSupported);
}

/// The rows of side m only: one answer a condition.
std::string oneSide() {
  std::string all = conditions(2), csv;
  for (size_t begin = 0; begin < all.size();) {
    size_t end = all.find('\n', begin) + 1;
    std::string line = all.substr(begin, end - begin);
    if (line.find(",n,") == std::string::npos)
      csv += line;
    begin = end;
  }
  return csv;
}

TEST(FollowUp, McNemarsTestOfEachPairAfterCochran) {
  StudyCase c(repeated("m] others missing", "c", "c", "pass by c"), oneSide());
  StudyAnalysis a = c.analysis();
  ASSERT_EQ(a.hypotheses[0].deciding()->procedure->id, "cochran_q");
  ASSERT_EQ(followed(a), "each_pair of c: 3");
  EXPECT_EQ(a.hypotheses[0].comparisons[0].result.tables[0].rows[2].name, "v - w");
}

} // namespace
} // namespace imbrex::stats
