#include "stats/language/LoadData.h"
#include "stats/procedures/resampling/Random.h"
#include "stats/select/Plan.h"
#include "stats/select/test/StudyCase.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>

using namespace imbrex;
using namespace imbrex::stats;

namespace {

using Case = StudyCase;

std::string twoGroups(const std::string &rest) {
  return "variables\n  g: nominal [A, B]\n  y: ratio\ndesign experiment\n  independent: g\n"
         "  dependent: y\n" +
         rest;
}

// Normal by eye, equal spread; then a group with an outlier.
const std::string calm =
    "g,y\nA,5.1\nA,4.8\nA,5.6\nA,5.0\nA,4.4\nA,5.3\nA,4.9\nB,6.2\nB,5.9\nB,6.8\n"
    "B,6.1\nB,6.5\nB,5.6\nB,6.3\n";
const std::string wild =
    "g,y\nA,5.1\nA,4.8\nA,5.6\nA,5.0\nA,4.4\nA,5.3\nA,90\nB,6.2\nB,5.9\nB,6.8\n"
    "B,6.1\nB,6.5\nB,5.6\nB,6.3\n";

} // namespace

TEST(Knowledge, standardIsComplete) {
  const Knowledge &k = standardKnowledge();
  EXPECT_GE(k.procedures.size(), 30u);
  for (const Procedure &p : k.procedures) {
    EXPECT_TRUE(computationExists(p.computes)) << p.id;
    EXPECT_FALSE(p.rules.empty()) << p.id;
    EXPECT_FALSE(p.answers.empty()) << p.id;
  }
  // The published program's seventeen tests; point-biserial counts twice there.
  EXPECT_EQ(k.procedureNames("tea-2019").size(), 18u);
}

TEST(Knowledge, refusesWithThePlace) {
  Knowledge k = standardKnowledge();
  auto refused = [&](const std::string &text) {
    Status s = addKnowledge(k, text, "mine.procedure");
    EXPECT_FALSE(s.ok()) << text;
    return s.ok() ? Error() : s.takeError();
  };
  Error near = refused("procedure mine\nrequires default\n  bivariat\n");
  EXPECT_EQ(near.code, 1251);
  EXPECT_EQ(near.where.line, 3u);
  EXPECT_NE(near.str().find("'bivariate'"), std::string::npos);
  EXPECT_EQ(refused("procedure students_t\n").code, 1252);
  EXPECT_EQ(refused("procedure other\nrequires default\n  continuous z\n").code, 1251);
  EXPECT_EQ(refused("procedure third\nrequires default\n  continuous\n").code, 1251);
  EXPECT_EQ(refused("propety x\n").code, 1250);
  EXPECT_EQ(refused("property odd v\n  measured by: equal_variance\n").code, 1251);
  k = standardKnowledge(); // the refused file's statements stay
  EXPECT_EQ(refused("procedure fourth\n  prefer: 1e116\n").code, 1250);
}

TEST(Knowledge, usersAddProcedures) {
  Knowledge k = standardKnowledge();
  ASSERT_TRUE(
      addKnowledge(k,
                   "procedure brave_t\n  name: \"t test of the brave\"\n  computes: students_t\n"
                   "  prefer: 1\nrequires default\n  one_explanatory\n  two_categories x\n",
                   "mine")
          .ok());
  Case c(twoGroups("hypothesis y by g\n"), wild);
  c.select(k);
  EXPECT_EQ(c.selection->valid()[0]->procedure->id, "brave_t");
}

// As docs/reference/tea-language.md shows.
TEST(Selection, studiesAreBuiltInCpp) {
  Study study;
  study.variables = {{.name = "tool", .measure = Measure::Nominal, .categories = {"old", "new"}},
                     {.name = "score", .measure = Measure::Ratio}};
  study.design = {.kind = StudyKind::Experiment,
                  .declared = true,
                  .explanatory = {"tool"},
                  .explained = {"score"},
                  .between = {"tool"}};
  study.hypotheses = {parseHypothesis("score by tool: new > old").take()};
  std::vector<Error> errors = checkStudy(study);
  ASSERT_TRUE(errors.empty()) << errors[0].str();
  Table table;
  table.rows = 12;
  Column tool{.name = "tool", .kind = ColumnKind::Category, .categories = {"old", "new"}};
  Column score{.name = "score"};
  for (int i = 0; i < 12; ++i) {
    tool.codes.push_back(i % 2);
    score.numbers.push_back(10 + 3 * (i % 2) + i * 7 % 5 * 0.3);
  }
  table.columns = {tool, score};
  StudyAnalysis analysis = analyze(study, table, standardKnowledge()).take();
  EXPECT_EQ(analysis.hypotheses[0].deciding()->procedure->id, "welchs_t");
  EXPECT_EQ(analysis.hypotheses[0].decision, Decision::Supported);
  study.hypotheses[0].outcome = "time";
  EXPECT_FALSE(checkStudy(study).empty());
}

TEST(Selection, twoGroups) {
  Case good(twoGroups("hypothesis y by g\n"), calm);
  good.select();
  EXPECT_EQ(good.valid(),
            "brunner_munzel mannwhitney_u permutation_test pointbiserial_corr students_t welchs_t");
  Case bad(twoGroups("hypothesis y by g\n"), wild);
  bad.select();
  EXPECT_EQ(bad.valid(), "brunner_munzel mannwhitney_u permutation_test");
}

TEST(Selection, saysWhatIsViolatedAndWhatWouldHelp) {
  Case c(twoGroups("hypothesis y by g\n"), wild);
  Selection &s = c.select();
  const ProcedureVerdict *student = s.find("students_t");
  ASSERT_EQ(student->validity, Validity::Rejected);
  std::vector<size_t> violated = s.violated(*student);
  ASSERT_EQ(violated.size(), 1u);
  const PropertyInstance &p = s.instances()[violated[0]];
  EXPECT_EQ(p.property->id, "groups_normal");
  EXPECT_NE(p.evidence.text.find("g = A"), std::string::npos);
  EXPECT_EQ(s.wanted(*student), std::optional(violated));
  // What contradicts itself cannot be wanted: a paired test of independent observations needs
  // another design.
  auto paired = s.wanted(*s.find("paired_students_t"));
  ASSERT_TRUE(paired.has_value());
  EXPECT_GE(paired->size(), 2u);
}

TEST(Selection, measuresOnlyWhatMatters) {
  Case c("variables\n  g: nominal [A, B]\n  y: nominal [u, v]\ndesign observational\n  "
         "contributor: g\n"
         "  outcome: y\nhypothesis y by g\n",
         "g,y\nA,u\nA,v\nB,u\nB,v\nA,u\n");
  Selection &s = c.select();
  EXPECT_EQ(s.propertyTests(), 0u);
  EXPECT_EQ(c.valid(), "fishers_exact");
}

TEST(Selection, assumptionsCountAsTheModeSays) {
  std::string assume = "assume\n  groups normal: y by g\n";
  Case strict(twoGroups(assume + "hypothesis y by g\n"), wild);
  strict.select();
  EXPECT_EQ(strict.valid(), "brunner_munzel mannwhitney_u permutation_test");
  ASSERT_EQ(strict.selection->assumptionNotes().size(), 1u);
  EXPECT_TRUE(strict.selection->assumptionNotes()[0].contradicted);
  Case relaxed(twoGroups(assume + "mode relaxed\nhypothesis y by g\n"), wild);
  relaxed.select();
  EXPECT_NE(relaxed.valid().find("welchs_t"), std::string::npos);
  EXPECT_TRUE(relaxed.selection->assumptionNotes()[0].contradicted);
}

TEST(Selection, aRepeatedKeyIsNotIndependent) {
  Case c("data\n  key: id\n" + twoGroups("hypothesis y by g\n"),
         "id,g,y\n1,A,1\n2,A,2\n1,B,3\n3,B,4\n");
  c.select();
  EXPECT_EQ(c.valid(), "");
}

TEST(Selection, unmeasurableIsNotValid) {
  Case c(twoGroups("hypothesis y by g\n"), "g,y\nA,1\nA,2\nB,3\nB,4\nB,5\n");
  c.select();
  EXPECT_EQ(c.valid().find("welchs_t"), std::string::npos) << "two values cannot look normal";
}

TEST(Plan, asksWhatMatters) {
  Case c(twoGroups("hypothesis y by g\n"), "");
  Selection &s = c.select();
  PlanNode plan = planOf(s);
  std::string text = planText(plan);
  EXPECT_EQ(text.find("paired"), std::string::npos);
  EXPECT_NE(text.find("y is normally distributed in each group of g?"), std::string::npos);
  EXPECT_NE(text.find("welchs_t"), std::string::npos);
  std::string svg = planSvg(plan, "y by g: A < B");
  EXPECT_TRUE(svg.starts_with("<svg"));
  EXPECT_NE(svg.find("A &lt; B"), std::string::npos);
}

TEST(Analyze, directionCounts) {
  Case right(twoGroups("hypothesis y by g: B > A\n"), calm);
  Case wrong(twoGroups("hypothesis y by g: A > B\n"), calm);
  StudyAnalysis good = right.analysis(), bad = wrong.analysis();
  EXPECT_EQ(good.hypotheses[0].deciding()->procedure->id, "welchs_t");
  EXPECT_EQ(good.hypotheses[0].decision, Decision::Supported);
  EXPECT_EQ(bad.hypotheses[0].decision, Decision::NotSupported);
  EXPECT_GT(bad.hypotheses[0].deciding()->computed.p->value, 0.99);
}

TEST(Analyze, ordersPredictDirections) {
  std::string study =
      "variables\n  p: ordinal [low < mid < high]\n  y: ratio\ndesign observational\n"
      "  contributor: y\n  outcome: p\n";
  std::string csv =
      "p,y\nlow,1\nlow,2\nmid,2\nmid,3\nmid,4\nhigh,4\nhigh,5\nhigh,6\nlow,1.5\nhigh,7\n";
  Case up(study + "hypothesis p, y: high > low, high > mid\n", csv);
  StudyAnalysis a = up.analysis();
  EXPECT_EQ(a.hypotheses[0].deciding()->procedure->id, "spearman_corr");
  EXPECT_EQ(a.hypotheses[0].deciding()->computed.alternative, Alternative::Greater);
  EXPECT_EQ(a.hypotheses[0].decision, Decision::Supported);
  Case down(study + "hypothesis p, y: low > high\n", csv);
  EXPECT_EQ(down.analysis().hypotheses[0].decision, Decision::NotSupported);
}

TEST(Analyze, ordinalOutcomesAreRanked) {
  Case c("variables\n  g: nominal [A, B]\n  y: ordinal [1 < 2 < 3 < 4]\ndesign experiment\n"
         "  independent: g\n  dependent: y\nhypothesis y by g: B > A\n",
         "g,y\nA,1\nA,1\nA,2\nA,2\nA,1\nA,3\nB,3\nB,4\nB,4\nB,2\nB,4\nB,3\n");
  StudyAnalysis a = c.analysis();
  EXPECT_EQ(a.hypotheses[0].deciding()->procedure->id, "mannwhitney_u");
  EXPECT_EQ(a.hypotheses[0].decision, Decision::Supported);
}

TEST(Analyze, equalityNeedsAMargin) {
  Case wide(twoGroups("hypothesis y by g: A = B within 5\n"), calm);
  EXPECT_EQ(wide.analysis().hypotheses[0].decision, Decision::Supported);
  Case narrow(twoGroups("hypothesis y by g: A = B within 0.1\n"), calm);
  EXPECT_EQ(narrow.analysis().hypotheses[0].decision, Decision::NotSupported);
  Case none(twoGroups("hypothesis y by g: A = B\n"), calm);
  StudyAnalysis a = none.analysis();
  EXPECT_EQ(a.hypotheses[0].decision, Decision::NotSupported) << "they differ";
  EXPECT_TRUE(
      std::any_of(a.hypotheses[0].warnings.begin(), a.hypotheses[0].warnings.end(),
                  [](const std::string &w) { return w.find("MARGIN") != std::string::npos; }));
}

TEST(Analyze, scaledDifference) {
  Case c(twoGroups("hypothesis y by g: B > 2 * A\n"), calm);
  EXPECT_EQ(c.analysis().hypotheses[0].decision, Decision::NotSupported);
  Case d(twoGroups("hypothesis y by g: B > 0.5 * A\n"), calm);
  EXPECT_EQ(d.analysis().hypotheses[0].decision, Decision::Supported);
}

TEST(Analyze, partialOrdersAndMissingValues) {
  std::string csv = "g,y\n";
  for (int i = 0; i < 10; ++i)
    for (int g = 0; g < 3; ++g)
      csv += std::string(1, static_cast<char>('A' + g)) + "," +
             std::to_string(g * 10 + (i * 7) % 10 + 0.1 * ((i * 3) % 7)) + "\n";
  csv += "A,\n,3\n";
  Case c("variables\n  g: nominal [A, B, C]\n  y: ratio\ndesign experiment\n  independent: g\n"
         "  dependent: y\nhypothesis y by g: C > B > A\nhypothesis y by g: A > B, C > A\n",
         csv);
  StudyAnalysis a = c.analysis();
  EXPECT_EQ(a.hypotheses[0].situation->rows().dropped, 2u);
  EXPECT_EQ(a.hypotheses[0].decision, Decision::Supported);
  ASSERT_EQ(a.hypotheses[0].comparisons.size(), 1u);
  EXPECT_EQ(a.hypotheses[0].comparisons[0].result.tables[0].rows.size(), 2u);
  EXPECT_EQ(a.hypotheses[1].decision, Decision::NotSupported) << "one of its comparisons is wrong";
}

/// y rises with x, falls with z, and is larger in group B.
std::string threePredictors() {
  std::string csv = "g,x,z,y\n";
  for (int i = 0; i < 60; ++i) {
    double x = Random(uint64_t(i) + 1).normal(), z = Random(uint64_t(i) + 101).normal(),
           noise = Random(uint64_t(i) + 201).normal();
    csv += std::string(i % 2 ? "B" : "A") + "," + std::to_string(x) + "," + std::to_string(z) +
           "," + std::to_string(20 + x - z + 2 * (i % 2) + 0.5 * noise) + "\n";
  }
  return csv;
}

std::string linear(const std::string &hypothesis) {
  return "variables\n  g: nominal [A, B]\n  x: interval\n  z: interval\n  y: ratio\ndesign "
         "observational\n  contributor: g, x, z\n  outcome: y\nhypothesis " +
         hypothesis + "\n";
}

TEST(Analyze, eachSignOfSeveralTermsCounts) {
  Case right(linear("y ~ +x + -z + g"), threePredictors());
  StudyAnalysis a = right.analysis();
  ASSERT_EQ(a.hypotheses[0].deciding()->procedure->id, "linear_regression");
  EXPECT_EQ(a.hypotheses[0].decision, Decision::Supported);
  Case wrong(linear("y ~ +x + +z + g"), threePredictors());
  EXPECT_EQ(wrong.analysis().hypotheses[0].decision, Decision::NotSupported);
  EXPECT_GT(wrong.analysis().hypotheses[0].p->value, 0.9);
  Case together(linear("y ~ x + z + g"), threePredictors());
  EXPECT_EQ(together.analysis().hypotheses[0].decision, Decision::Supported);
}

TEST(Analyze, twoCategoriesArePredictors) {
  Case c(linear("y ~ x + z + +g"), threePredictors());
  StudyAnalysis a = c.analysis();
  ASSERT_EQ(a.hypotheses[0].deciding()->procedure->id, "linear_regression");
  EXPECT_EQ(a.hypotheses[0].decision, Decision::Supported);
  EXPECT_NEAR(
      a.hypotheses[0].runs[0].computed.result.table("coefficients")->row("g")->estimate->value, 2,
      0.5);
}

TEST(Analyze, twoHypothesesAreAdjusted) {
  Case c(twoGroups("hypothesis\n  y by g: B > A\n  y by g\n"), calm);
  StudyAnalysis a = c.analysis();
  double raw = a.hypotheses[0].deciding()->computed.p->value;
  EXPECT_DOUBLE_EQ(*a.hypotheses[0].adjustedP, 2 * raw);
}

// The same measurements as a wide table, with explicit gaps, and with rows that are simply not
// there.
TEST(Analyze, gapsInAnyFormGiveTheSameAnswer) {
  std::string folder = testing::TempDir();
  std::ofstream(folder + "/wide.csv")
      << "id,a,b,c\n1,3,5,7\n2,2,4,9\n3,4,,8\n4,1,3,4\n5,5,6,9\n6,2,5,5\n7,3,4,8\n8,4,7,9\n";
  std::string explicitGap = "id,time,y\n", implicitGap = explicitGap;
  int values[8][3] = {{3, 5, 7}, {2, 4, 9}, {4, 0, 8}, {1, 3, 4},
                      {5, 6, 9}, {2, 5, 5}, {3, 4, 8}, {4, 7, 9}};
  for (int i = 0; i < 8; ++i)
    for (int t = 0; t < 3; ++t) {
      std::string start = std::to_string(i + 1) + "," + static_cast<char>('a' + t) + ",";
      bool gap = values[i][t] == 0;
      explicitGap += start + (gap ? "NA" : std::to_string(values[i][t])) + "\n";
      if (!gap)
        implicitGap += start + std::to_string(values[i][t]) + "\n";
    }
  std::ofstream(folder + "/explicit.csv") << explicitGap;
  std::ofstream(folder + "/implicit.csv") << implicitGap;
  std::vector<double> p;
  for (const char *name : {"wide", "explicit", "implicit"}) {
    std::string reshape =
        std::string(name) == "wide" ? "  reshape: time from a, b, c into y\n" : "";
    ReadStudy read = parseStudy("data " + std::string(name) + ".csv\n  key: id\n" + reshape +
                                    "variables\n  time: nominal [a, b, c]\n  y: ratio\n"
                                    "design experiment\n  independent: time\n  dependent: y\n"
                                    "  within: time\nhypothesis y by time\n",
                                folder + "/s.tea");
    ASSERT_TRUE(read.ok()) << read.errors[0].str();
    Result<Table> table = loadData(read.study);
    ASSERT_TRUE(table.ok()) << table.error().str();
    StudyAnalysis a = analyze(read.study, *table, standardKnowledge()).take();
    const Computed &c = a.hypotheses[0].deciding()->computed;
    EXPECT_EQ(c.result.n[0].value, 7) << name;
    p.push_back(c.p->value);
  }
  EXPECT_EQ(p[0], p[1]);
  EXPECT_EQ(p[0], p[2]);
}

TEST(Analyze, aTestWithoutDirectionDoesNotDecideOne) {
  std::string csv = "g,y\n";
  for (int i = 0; i < 40; ++i)
    csv += i % 2 ? "A,yes\n" : i % 8 ? "B,no\n" : "B,yes\n";
  Case c("variables\n  g: nominal [A, B]\n  y: nominal [no, yes]\ndesign experiment\n  "
         "independent: g\n"
         "  dependent: y\nhypothesis y by g: A > B\n",
         csv);
  StudyAnalysis a = c.analysis();
  EXPECT_LT(a.hypotheses[0].p->value, 0.001);
  EXPECT_EQ(a.hypotheses[0].decision, Decision::Undecided);
}

TEST(Analyze, separatedConstantsArePermuted) {
  Case c(twoGroups("hypothesis y by g: B > A\n"), "g,y\nA,5\nA,5\nA,5\nA,5\nB,7\nB,7\nB,7\nB,7\n");
  StudyAnalysis a = c.analysis();
  EXPECT_EQ(a.hypotheses[0].deciding()->procedure->id, "permutation_test");
  EXPECT_NEAR(a.hypotheses[0].p->value, 1.0 / 70, 1e-12);
  EXPECT_EQ(a.hypotheses[0].decision, Decision::Supported);
}

TEST(Analyze, constantsHaveNoAnswer) {
  Case c(twoGroups("hypothesis y by g\n"), "g,y\nA,1\nA,1\nA,1\nB,1\nB,1\nB,1\n");
  StudyAnalysis a = c.analysis();
  EXPECT_EQ(a.hypotheses[0].decision, Decision::Undecided);
}

TEST(Analyze, aLargeConstantIsNotNormal) {
  std::string csv = "g,y\n";
  for (int i = 0; i < 12'000; ++i)
    csv += i % 2 ? "A,0.1\n" : "B,0.1\n";
  Case c(twoGroups("hypothesis y by g\n"), csv);
  EXPECT_EQ(c.select().find("welchs_t")->validity, Validity::Rejected);
}

TEST(Analyze, oneValueHasAMedian) {
  Case c(twoGroups("hypothesis y by g\n"), "g,y\nA,1\nB,2\n");
  const Computed bootstrap = c.compute("bootstrap");
  const ResultRow &row = bootstrap.result.tables[0].rows[0];
  EXPECT_EQ(row.estimate->value, 1);
  EXPECT_FALSE(row.estimate->interval);
}

TEST(Selection, namesMayLookLikeParameters) {
  Case c("variables\n  \"{y}\": nominal [A, B]\n  \"{x}\": ratio\ndesign observational\n"
         "  contributor: \"{y}\"\n  outcome: \"{x}\"\nhypothesis \"{x}\" by \"{y}\"\n",
         "{y},{x}\n" + calm.substr(4));
  Selection &selection = c.select();
  std::string text;
  for (const PropertyInstance &p : selection.instances())
    text += p.sentence() + "\n";
  EXPECT_NE(text.find("{x} is normally distributed in each group of {y}"), std::string::npos)
      << text;
}

TEST(Analyze, manyGroupsAreNotPaired) {
  std::string names, csv = "g,y\n";
  for (int i = 0; i < 300; ++i) {
    names += (i ? ", c" : "c") + std::to_string(i);
    for (int k = 0; k < 3; ++k)
      csv += "c" + std::to_string(i) + "," + std::to_string(i + (k * k * 7 + i * k * 3) % 5) + "\n";
  }
  Case c("variables\n  g: nominal [" + names +
             "]\n  y: ratio\ndesign observational\n  contributor: g\n  outcome: y\n"
             "hypothesis y by g\n",
         csv);
  StudyAnalysis a = c.analysis();
  ASSERT_EQ(a.hypotheses[0].comparisons.size(), 1u);
  const TestResult &pairs = a.hypotheses[0].comparisons[0].result;
  EXPECT_FALSE(pairs.defined());
  EXPECT_NE(pairs.reason.find("44850 pairs"), std::string::npos);
}
