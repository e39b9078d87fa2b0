// Wrong answers of statistics programs that users reported, replayed: each test is one report, with
// the right value. Where reports concern a convention, it is named.
#include "stats/assumptions/Normality.h"
#include "stats/data/Csv.h"
#include "stats/language/LoadData.h"
#include "stats/procedures/anova/Factorial.h"
#include "stats/procedures/association/Kendall.h"
#include "stats/procedures/association/Spearman.h"
#include "stats/procedures/categorical/ChiSquare.h"
#include "stats/procedures/categorical/FisherExact.h"
#include "stats/procedures/categorical/FisherExactTable.h"
#include "stats/procedures/groups/RankTests.h"
#include "stats/procedures/groups/TTests.h"
#include "stats/procedures/test/ReferenceData.h"
#include "stats/procedures/test/TestSupport.h"
#include "stats/report/text/Report.h"
#include "stats/select/test/StudyCase.h"

#include <filesystem>
#include <fstream>

namespace imbrex::stats {
namespace {

using Values = std::vector<double>;

RankOptions asymptotic(double shift = 0) {
  RankOptions options{.conventions = Conventions::R42(), .hypothesised = shift};
  options.exact = ExactRule::Never;
  return options;
}

ContingencyTable tableOf(size_t rows, size_t columns, std::vector<int64_t> counts,
                         std::vector<std::string> names = {}) {
  return {{rows, columns, std::move(counts)}, std::move(names), {}};
}

double twoSided(const TestResult &r) { return r.p.undirected->value; }

} // namespace

TEST(PublicReports, T01MannWhitneyIsTwoSidedByDefault) { // scipy 17821
  Values a(10, 996), b(8, 994);
  b.insert(b.end(), {995, 995});
  EXPECT_NUMBER(3.28994e-05, twoSided(mannWhitney(a, b, asymptotic())));
  b[8] = 994;
  EXPECT_NUMBER(1.08251e-05, twoSided(mannWhitney(a, b)));
}

TEST(PublicReports, T02ManyTiesDoNotOverflow) { // scipy 4017, 3611
  Values a, b;
  int na[] = {163, 81, 40, 6, 2}, nb[] = {1007, 362, 99, 27, 13};
  for (int value = 0; value < 5; ++value) {
    a.insert(a.end(), static_cast<size_t>(na[value]), value + 1);
    b.insert(b.end(), static_cast<size_t>(nb[value]), value + 1);
  }
  TestResult r = mannWhitney(a, b, asymptotic());
  EXPECT_EQ(r.statistic("U"), 246930.5);
  EXPECT_EQ(r.statistic("U of the second group"), 193405.5);
  EXPECT_NUMBER(9.34930e-05, twoSided(r));
}

TEST(PublicReports, T03DirectionMatters) { // hypors 6
  Values a{1, 2, 3, 4, 5}, b{3, 4, 5, 6, 7};
  TestResult r = mannWhitney(a, b, asymptotic());
  EXPECT_EQ(r.statistic("U"), 4.5);
  EXPECT_DIGITS(.113846, twoSided(r), 5e-6);
  EXPECT_DIGITS(.0569, r.p.less->value, 1e-3);
  EXPECT_DIGITS(.126984, twoSided(mannWhitney(a, b)), 4e-6);
}

TEST(PublicReports, T04WilcoxonOfASampleWithItself) { // scipy 6805
  Values a{1.5, 2, 7, 3};
  TestResult r = wilcoxonSignedRank(a, a);
  EXPECT_EQ(r.outcome, Outcome::Undefined);
  EXPECT_NE(r.reason.find("zero"), std::string::npos) << r.reason;
}

TEST(PublicReports, T05ZerosAreNotRanked) { // jamovi 1331
  Values x{1, 5, 3, 4, 4, 2, 3, 2, 1, 4, 5, 4, 3, 1};
  TestResult r = oneSampleWilcoxon(x, asymptotic(3));
  EXPECT_EQ(r.statistic("V"), 32);
  EXPECT_EQ(r.statistic("T-"), 34);
  EXPECT_EQ(r.n.back().value, 3);
  EXPECT_DIGITS(-.030303, r.effect("matched-pairs rank-biserial correlation")->value, 2e-5);
}

TEST(PublicReports, T06AnIntervalSaysWhatItAchieves) { // jasp-issues 2037
  RankOptions options;
  options.level = 0.99;
  TestResult r = oneSampleWilcoxon(Values{1, 2, 3, 4, 5, 6}, options);
  EXPECT_EQ(r.statistic("V"), 21);
  EXPECT_EQ(twoSided(r), .03125);
  EXPECT_EQ(r.estimate->interval->achieved, 0.96875);
  EXPECT_NE(r.notes.at(0).find("96.87"), std::string::npos);
}

TEST(PublicReports, T07KendallCorrectsForTies) { // scipy 5755, 6314
  TestResult r = kendall(Values{1, 0, 0}, Values{0, 0, 1}, Conventions::R42());
  EXPECT_NUMBER(-.5, r.statistic("tau"));
  EXPECT_NUMBER(.4795001, twoSided(r));
}

TEST(PublicReports, T08SpearmanOfFiveIsExactWhenAsked) { // JuliaStats 53, scipy 7882
  Values x{10, 10, 20, 30, 30}, y{1, 2, 3, 4, 5};
  Conventions exact = Conventions::R46();
  exact.spearmanExact = ExactRule::WithTies;
  EXPECT_NUMBER(.9486833, spearman(x, y, exact).statistic("rho"));
  EXPECT_NUMBER(.0666667, twoSided(spearman(x, y, exact)));
  EXPECT_DIGITS(.01384683, twoSided(spearman(x, y, Conventions::SciPy())), 1e-6);
}

TEST(PublicReports, T09ShapiroOfThreeIsNeverNegative) { // scipy 18322
  TestResult r = shapiroWilk(Values{std::log(2), 0, 0});
  EXPECT_DIGITS(.75, r.statistic("W"), 1e-14);
  EXPECT_EQ(twoSided(r), 0);
}

TEST(PublicReports, T10ShapiroOfThreeHasAClosedForm) { // scipy 18328
  TestResult r = shapiroWilk(Values{-.7746653110021126, -.4344432067942129, 1.8157053280290931});
  EXPECT_NUMBER(.8465877, r.statistic("W"));
  EXPECT_NUMBER(.2313666, twoSided(r));
}

TEST(PublicReports, T11AnEmptyRowIsNamed) { // scipy 3891, tableone 1
  TestResult r =
      chiSquareIndependence(tableOf(3, 2, {4, 5, 0, 0, 3, 2}, {"a", "b", "c"}), Yates::None);
  EXPECT_EQ(r.outcome, Outcome::Refused);
  EXPECT_NE(r.reason.find("'b'"), std::string::npos) << r.reason;
}

TEST(PublicReports, T12FisherOfMillionsEndsAtOnce) { // scipy 9231
  TestResult r =
      fisherExact(tableOf(2, 2, {5829225, 5692693, 5760959, 5760959}), OddsRatio::Sample);
  EXPECT_DIGITS(3.06e-178, r.p.greater->value, 2e-3); // the reported value is of one tail
  EXPECT_DIGITS(6.126213e-178, twoSided(r), 1e-6);
}

TEST(PublicReports, T13FisherTakesLargerTables) { // scipy 22424, 7099
  EXPECT_NUMBER(1, twoSided(fisherExactTable(tableOf(2, 3, {1, 2, 3, 1, 2, 5}))));
}

TEST(PublicReports, T14PairedTOfIdenticalColumnsIsUndefined) { // scipy 20179
  Values a{1, 2, 3};
  TestResult r = pairedT(a, a);
  EXPECT_EQ(r.outcome, Outcome::Undefined);
  EXPECT_NE(r.reason.find("0/0"), std::string::npos) << r.reason;
}

TEST(PublicReports, T15AConstantGroupIsNoProblem) { // scipy 18069
  Values a{1, 2, 3}, b{3, 3, 3};
  EXPECT_NUMBER(-1.732051, studentsT(a, b).statistic("t"));
  EXPECT_EQ(studentsT(a, b).freedom(), 4);
  EXPECT_NUMBER(.1583024, twoSided(studentsT(a, b)));
  EXPECT_EQ(welchsT(a, b).freedom(), 2);
  EXPECT_NUMBER(.2254033, twoSided(welchsT(a, b)));
  EXPECT_TRUE(studentsT(a, b).notes.empty());
}

namespace {

/// Ten participants under three conditions; participant 4 lacks one. As one row a participant, as
/// one row a measurement with an empty cell, and without that row.
enum class Shape { Wide, LongExplicit, LongImplicit };

std::string repeatedStudy(Shape shape) {
  return std::string("data f.csv\n  key: id\n") +
         (shape == Shape::Wide ? "  reshape: time from before, during, after into y\n" : "") +
         "variables\n  time: nominal [before, during, after]\n  y: ratio\ndesign experiment\n"
         "  independent: time\n  dependent: y\n  within: time\nhypothesis y by time\n";
}

std::string repeatedData(Shape shape) {
  const char *times[] = {"before", "during", "after"};
  std::string csv = shape == Shape::Wide ? "id,before,during,after\n" : "id,time,y\n";
  for (int i = 0; i < 10; ++i) {
    if (shape == Shape::Wide)
      csv += "p" + std::to_string(i);
    for (int j = 0; j < 3; ++j) {
      bool missing = i == 4 && j == 1;
      std::string y = missing ? "" : std::to_string(10 + i % 3 + j + std::sin(7.3 * i + 3.1 * j));
      if (shape == Shape::Wide)
        csv += "," + y;
      else if (!missing || shape == Shape::LongExplicit)
        csv += "p" + std::to_string(i) + "," + times[j] + "," + y + "\n";
    }
    csv += shape == Shape::Wide ? "\n" : "";
  }
  return csv;
}

StudyAnalysis analysed(Shape shape, Study &study, Table &table) {
  std::filesystem::path path = std::filesystem::temp_directory_path() / "imbrex-t16.csv";
  std::ofstream(path) << repeatedData(shape);
  study = parseStudy(repeatedStudy(shape), "s.tea").study;
  table = loadData(study, {path.string(), ""}).take();
  std::filesystem::remove(path);
  return analyze(study, table, standardKnowledge()).take();
}

} // namespace

TEST(PublicReports, T16MissingValuesOfRepeatedMeasures) { // pingouin 206
  std::vector<std::string> texts;
  for (Shape shape : {Shape::Wide, Shape::LongExplicit, Shape::LongImplicit}) {
    Study study;
    Table table;
    StudyAnalysis analysis = analysed(shape, study, table);
    ASSERT_EQ(analysis.hypotheses.size(), 1u);
    for (const char *procedure : {"rm_one_way_anova", "friedman", "rm_one_way_anova_corrected"}) {
      Computed c = compute(procedure, settingFor(*analysis.hypotheses[0].situation));
      ASSERT_TRUE(c.result.defined()) << c.result.reason;
      EXPECT_EQ(c.result.n[0].name, "subjects");
      EXPECT_EQ(c.result.n[0].value, 9);
    }
    // All that is printed is the same, but for the count of rows that the shapes do have.
    std::string text = reportText(analysis, Detail::All);
    EXPECT_NE(text.find("subjects: 9"), std::string::npos) << text;
    EXPECT_NE(text.find("1 participant was left out"), std::string::npos) << text;
    texts.push_back(text.substr(0, text.find("  warnings")));
  }
  EXPECT_EQ(texts[0], texts[1]);
  EXPECT_EQ(texts[1], texts[2]);
}

TEST(PublicReports, T17RankBiserialIsPositiveWhenTheFirstIsLarger) {
  // pingouin 417, jamovi 1500, effectsize 378
  Values south = where(reference::crimeProb, reference::crimeSo, 1),
         north = where(reference::crimeProb, reference::crimeSo, 0);
  TestResult r = mannWhitney(south, north);
  EXPECT_NUMBER(.673387, r.effect("rank-biserial correlation")->value);
  EXPECT_NUMBER(2 * r.effect("A12")->value - 1, r.effect("rank-biserial correlation")->value);
  EXPECT_NUMBER(-.673387, mannWhitney(north, south).effect("rank-biserial correlation")->value);
}

TEST(PublicReports, T18TypeThreeDoesNotDependOnTheOrder) { // afex 63, jamovi 1587
  FactorialDesign design;
  design.sums = SumsOfSquares::TypeIII;
  design.factors = {{"a", {"p", "q"}, {0, 0, 0, 0, 0, 1, 1, 1, 1}},
                    {"b", {"u", "v"}, {0, 0, 1, 1, 1, 0, 1, 1, 1}}};
  design.outcome = {3.1, 2.7, 4.4, 5.2, 4.9, 6.3, 2.2, 2.9, 1.8};
  TestResult r = factorialAnova(design);
  for (Factor &f : design.factors)
    for (int32_t &code : f.codes)
      code = 1 - code;
  std::swap(design.factors[0], design.factors[1]);
  TestResult other = factorialAnova(design);
  for (const char *term : {"a", "b"})
    EXPECT_NUMBER(r.table("analysis of variance")->row(term)->number("F"),
                  other.table("analysis of variance")->row(term)->number("F"));
}

TEST(PublicReports, T19DecimalCommasOfASemicolonFile) { // jasp-issues 3608, 3867, 4009, 4322
  auto raw = parseCsv("a;b\n0,435;2,87\n1,286;4\n0,118;2,059\n", {}, "f.csv");
  ASSERT_TRUE(raw.ok());
  auto table = typeColumns(raw.take(), {{"a"}, {"b"}}, {});
  ASSERT_TRUE(table.ok()) << table.error().str();
  EXPECT_EQ(table->columns[0].numbers, (Values{.435, 1.286, .118}));
  EXPECT_EQ(table->columns[1].numbers, (Values{2.87, 4, 2.059}));
}

TEST(PublicReports, T20ShapiroUsesAllRowsAndSaysSo) { // PyAnalytica 8
  Values values;
  for (int i = 1; i <= 41188; ++i)
    values.push_back(i);
  TestResult r = shapiroWilk(values);
  EXPECT_EQ(r.n[0].value, 41188);
  EXPECT_FALSE(r.notes.empty());
}

} // namespace imbrex::stats
