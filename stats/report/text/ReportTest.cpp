#include "stats/report/text/Report.h"
#include "stats/data/Csv.h"
#include "stats/language/ReadStudy.h"
#include "stats/report/text/Apa.h"
#include "stats/report/text/NumberText.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace imbrex;
using namespace imbrex::stats;

TEST(NumberText, neverPrintsAPValueOfZero) {
  EXPECT_EQ(pText(PValue::of(0.034512)), ".0345");
  EXPECT_EQ(pText(PValue::of(2.3938e-24)), "2.39e-24");
  EXPECT_EQ(pText(PValue::ofLog(-2000)), "2.58e-869");
  EXPECT_EQ(pText(PValue::ofLog(-HUGE_VAL)), "< 1e-300");
  EXPECT_EQ(pEquals(PValue::ofLog(-HUGE_VAL)), "p < 1e-300");
  EXPECT_EQ(pEquals(PValue::of(0.034512)), "p = .0345");
  EXPECT_EQ(pText(PValue::of(1)), "1.00");
  EXPECT_EQ(pApa(PValue::of(0.0341)), "p = .034");
  EXPECT_EQ(pApa(PValue::ofLog(-2000)), "p < .001");
  EXPECT_EQ(pApa(PValue::of(0.9996)), "p > .999");
}

TEST(NumberText, aLevelIsNeverEverything) {
  EXPECT_EQ(percentText(0.95), "95%");
  EXPECT_EQ(percentText(0.969), "96.9%");
  EXPECT_EQ(percentText(0.9999), "99.99%");
  EXPECT_EQ(percentText(1 - 5e-8), "99.999995%");
  EXPECT_EQ(percentText(1e-4), "0.01%");
}

TEST(NumberText, fourDigits) {
  EXPECT_EQ(numberText(3.8953721), "3.895");
  EXPECT_EQ(numberText(24.925), "24.93");
  EXPECT_EQ(numberText(45), "45");
  EXPECT_EQ(numberText(1.5e-7), "1.50e-07");
  EXPECT_EQ(numberText(HUGE_VAL), "infinite");
  EXPECT_EQ(numberText(NAN), "none");
  EXPECT_EQ(intervalText({0.5123, 2.0184, .95, .95, ""}), "[0.51, 2.02]");
  EXPECT_EQ(apaNumber(-0.356, Bound::One), "-.36");
}

namespace {

struct Run {
  Study study;
  Table table;
  StudyAnalysis analysis;
};

std::unique_ptr<Run> run(const std::string &text, const std::string &csv) {
  auto r = std::make_unique<Run>();
  ReadStudy read = parseStudy(text, "s.tea");
  EXPECT_TRUE(read.ok());
  r->study = std::move(read.study);
  r->table = typeColumns(parseCsv(csv, {}, "f.csv").take(), columnsOf(r->study), {}).take();
  r->analysis = analyze(r->study, r->table, standardKnowledge()).take();
  return r;
}

// R's sleep: extra hours of sleep under two drugs (Student 1908).
const char *sleepData =
    "id,drug,extra\n1,1,.7\n2,1,-1.6\n3,1,-.2\n4,1,-1.2\n5,1,-.1\n6,1,3.4\n7,1,3.7\n8,1,.8\n"
    "9,1,0\n10,1,2\n1,2,1.9\n2,2,.8\n3,2,1.1\n4,2,.1\n5,2,-.1\n6,2,4.4\n7,2,5.5\n8,2,1.6\n"
    "9,2,4.6\n10,2,3.4\n";

} // namespace

TEST(Report, sleepAsIndependentGroups) {
  auto r = run("variables\n  drug: nominal [1, 2]\n  extra: interval\ndesign experiment\n"
               "  independent: drug\n  dependent: extra\nhypothesis extra by drug\n",
               sleepData);
  const ProcedureRun *deciding = r->analysis.hypotheses[0].deciding();
  EXPECT_EQ(deciding->procedure->id, "welchs_t");
  EXPECT_NEAR(deciding->computed.p->value, .0793941, 5e-8);
  std::string text = reportText(r->analysis, Detail::Usual);
  EXPECT_NE(text.find("the data do not support the hypothesis (p = .0794, alpha 0.05)"),
            std::string::npos)
      << text;
  EXPECT_NE(apaSentence(deciding->computed).find("t(17.78) = -1.86, p = .079, d = -0.83, 95% CI ["),
            std::string::npos)
      << apaSentence(deciding->computed);
}

TEST(Report, sleepAsPairs) {
  auto r = run("data\n  key: id\nvariables\n  drug: nominal [1, 2]\n  extra: interval\n"
               "design experiment\n  independent: drug\n  dependent: extra\n  within: drug\n"
               "hypothesis extra by drug: 2 > 1\n",
               sleepData);
  std::string text = reportText(r->analysis, Detail::All);
  // The differences fail Shapiro-Wilk (p = .033), so the paired t-test is out.
  EXPECT_NE(text.find("paired_students_t: the differences of extra are not normally distributed"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("wilcoxon_signed_rank"), std::string::npos);
  Json json = reportJson(r->analysis);
  Json h = json.at("hypotheses").items()[0];
  EXPECT_EQ(h.at("decision").toText(), "supported");
  EXPECT_EQ(h.at("chosen").toText(), "wilcoxon_signed_rank");
  EXPECT_GT(h.at("results").items()[0].at("p").at("value").toDouble(), 0);
}

TEST(Report, whyNot) {
  auto r = run("variables\n  drug: nominal [1, 2]\n  extra: interval\ndesign experiment\n"
               "  independent: drug\n  dependent: extra\nhypothesis extra by drug\n",
               sleepData);
  Selection &s = *r->analysis.hypotheses[0].selection;
  std::string text = whyNotText(s, *s.find("friedman"));
  EXPECT_NE(text.find("is not valid"), std::string::npos);
  EXPECT_NE(text.find("no   drug has fewer than three categories (it has 1, 2)"), std::string::npos)
      << text;
  EXPECT_NE(text.find("[another design or hypothesis]"), std::string::npos);
  EXPECT_FALSE(whyNotJson(s, *s.find("friedman")).at("would_have_to_change").items().empty());
}
