// Reference values: R 4.2.2 (anova, car::Anova 3.1-1 with contr.sum) on R's own data.
#include "stats/procedures/anova/Factorial.h"

#include "stats/procedures/test/ReferenceData.h"
#include "stats/procedures/test/TestSupport.h"

#include <algorithm>
#include <set>

using namespace imbrex::stats;
namespace ref = imbrex::stats::reference;

namespace {

/// A factor whose level changes every `run` values.
Factor runs(std::string name, std::vector<std::string> levels, size_t values, size_t run) {
  Factor factor{std::move(name), std::move(levels), {}};
  for (size_t i = 0; i < values; ++i)
    factor.codes.push_back(int32_t(i / run % factor.levels.size()));
  return factor;
}

FactorialDesign warpBreaks() {
  return {{runs("wool", {"A", "B"}, 54, 27), runs("tension", {"L", "M", "H"}, 54, 9)},
          {},
          ref::warpBreaks};
}

FactorialDesign without(FactorialDesign design, std::set<size_t> rows) {
  for (auto i = rows.rbegin(); i != rows.rend(); ++i) {
    design.outcome.erase(design.outcome.begin() + *i);
    for (Factor &factor : design.factors)
      factor.codes.erase(factor.codes.begin() + *i);
  }
  return design;
}

/// A few rows less: cells of different sizes.
FactorialDesign unbalanced(SumsOfSquares sums) {
  FactorialDesign design = without(warpBreaks(), {0, 1, 2, 10, 29, 30, 49});
  design.sums = sums;
  return design;
}

double f(const TestResult &result, const char *term) {
  return result.table("analysis of variance")->row(term)->number("F");
}
double p(const TestResult &result, const char *term) {
  return result.table("analysis of variance")->row(term)->p.undirected->value;
}

} // namespace

TEST(FactorialAnova,
     PartialOmegaAndIntervalsCountAllValues) { // (SS - df MSE) / (SS + (N - df) MSE)
  TestResult r = factorialAnova(warpBreaks());
  const ResultRow &tension = *r.table("analysis of variance")->row("tension");
  double omega[] = {0.04871442462, 0.21734699140, 0.10563654581};
  const char *terms[] = {"wool", "tension", "wool:tension"};
  for (int i = 0; i < 3; ++i)
    EXPECT_DIGITS(omega[i], r.table("analysis of variance")->row(terms[i])->effects.at(1).value,
                  1e-9);
  EXPECT_EQ(tension.effects[0].name, "partial eta squared");
  EXPECT_DIGITS(0.05575121444, tension.effects[0].interval->low, 1e-8); // lambda / (lambda + N)
  EXPECT_DIGITS(0.41060532381, tension.effects[0].interval->high, 1e-8);
}

TEST(FactorialAnova, Balanced) {
  for (SumsOfSquares type : {SumsOfSquares::TypeI, SumsOfSquares::TypeII, SumsOfSquares::TypeIII}) {
    FactorialDesign design = warpBreaks();
    design.sums = type;
    TestResult r = factorialAnova(design);
    EXPECT_NUMBER(3.765288, f(r, "wool"));
    EXPECT_NUMBER(.0582130, p(r, "wool"));
    EXPECT_NUMBER(8.498047, f(r, "tension"));
    EXPECT_NUMBER(6.92621e-04, p(r, "tension"));
    EXPECT_NUMBER(4.189069, f(r, "wool:tension"));
    EXPECT_DIGITS(.0210442, p(r, "wool:tension"), 3e-6);
    EXPECT_NUMBER(5745.111,
                  r.table("analysis of variance")->row("residuals")->number("sum of squares"));
  }
}

TEST(FactorialAnova, ToothGrowth) {
  TestResult r =
      factorialAnova({{runs("supp", {"VC", "OJ"}, 60, 30), runs("dose", {"0.5", "1", "2"}, 60, 10)},
                      {},
                      ref::toothLen});
  EXPECT_NUMBER(15.57198, f(r, "supp"));
  EXPECT_NUMBER(91.99996, f(r, "dose"));
  EXPECT_NUMBER(4.106991, f(r, "supp:dose"));
  EXPECT_NUMBER(2.31183e-04, p(r, "supp"));
  EXPECT_DIGITS(4.0463e-18, p(r, "dose"), 2e-5);
  EXPECT_NUMBER(.0218603, p(r, "supp:dose"));
}

TEST(FactorialAnova, Unbalanced) {
  TestResult one = factorialAnova(unbalanced(SumsOfSquares::TypeI));
  EXPECT_DIGITS(2.34284255420, f(one, "wool"), 1e-11);
  EXPECT_DIGITS(8.59551049016, f(one, "tension"), 1e-11);
  TestResult two = factorialAnova(unbalanced(SumsOfSquares::TypeII));
  EXPECT_DIGITS(2.98647152412, f(two, "wool"), 1e-11);
  EXPECT_DIGITS(8.59551049016, f(two, "tension"), 1e-11);
  EXPECT_DIGITS(4.26294315981, f(two, "wool:tension"), 1e-11);
  TestResult three = factorialAnova(unbalanced(SumsOfSquares::TypeIII));
  EXPECT_DIGITS(4.19589728952, f(three, "wool"), 1e-11);
  EXPECT_DIGITS(9.21699963535, f(three, "tension"), 1e-11);
  EXPECT_DIGITS(4.26294315981, f(three, "wool:tension"), 1e-11);
}

TEST(FactorialAnova, TypeThreeDoesNotDependOnTheOrder) { // T18
  FactorialDesign design = unbalanced(SumsOfSquares::TypeIII);
  TestResult before = factorialAnova(design);
  for (Factor &factor : design.factors) {
    std::reverse(factor.levels.begin(), factor.levels.end());
    for (int32_t &code : factor.codes)
      code = int32_t(factor.levels.size()) - 1 - code;
  }
  std::swap(design.factors[0], design.factors[1]);
  TestResult after = factorialAnova(design);
  EXPECT_DIGITS(f(before, "wool"), f(after, "wool"), 1e-12);
  EXPECT_DIGITS(f(before, "tension"), f(after, "tension"), 1e-12);
  EXPECT_DIGITS(f(before, "wool:tension"), f(after, "tension:wool"), 1e-12);
}

TEST(FactorialAnova, Effects) { // wool: 450.6667 of 450.6667 + 5745.111
  TestResult r = factorialAnova(warpBreaks());
  const ResultRow *wool = r.table("analysis of variance")->row("wool");
  ASSERT_FALSE(wool->effects.empty());
  EXPECT_EQ(wool->effects[0].name, "partial eta squared");
  EXPECT_NUMBER(450.6667 / (450.6667 + 5745.111), wool->effects[0].value);
  EXPECT_TRUE(wool->effects[0].interval.has_value());
}

TEST(FactorialAnova, RefusesWhatItCannotAnswer) {
  FactorialDesign design = warpBreaks();
  std::set<size_t> rows;
  for (size_t i = 9; i < 18; ++i)
    rows.insert(i);
  TestResult empty = factorialAnova(without(design, rows));
  EXPECT_EQ(empty.outcome, Outcome::Refused);
  EXPECT_NE(empty.reason.find("wool = A, tension = M"), std::string::npos) << empty.reason;
  FactorialDesign single{
      {runs("a", {"x", "y"}, 4, 2), runs("b", {"u", "v"}, 4, 1)}, {}, {1, 2, 3, 5}};
  EXPECT_EQ(factorialAnova(single).outcome, Outcome::Refused);
  FactorialDesign constant{{runs("a", {"x", "y"}, 4, 2)}, {}, {1, 1, 1, 1}};
  EXPECT_EQ(factorialAnova(constant).outcome, Outcome::Undefined);
  constant.outcome = {1, 1, 2, 2};
  EXPECT_EQ(factorialAnova(constant).statistic("F"), INFINITY);
  constant.factors[0].codes[0] = 7;
  EXPECT_EQ(factorialAnova(constant).outcome, Outcome::Refused);
}

TEST(FactorialAnova, Residuals) {
  FactorialDesign design = warpBreaks();
  double squares = 0;
  for (double e : cellResiduals(design))
    squares += e * e;
  EXPECT_NUMBER(5745.111, squares);
  EXPECT_EQ(cellsOf(design).size(), 6u);
}

namespace {

FactorialDesign carsByWeight() {
  FactorialDesign design{{{"cyl", {"4", "6", "8"}, {}}}, {{"wt", ref::mtcarsWt}}, ref::mtcarsMpg};
  for (double cylinders : ref::mtcarsCyl)
    design.factors[0].codes.push_back(int32_t(cylinders / 2 - 2));
  return design;
}

} // namespace

TEST(Ancova, Cars) {
  TestResult r = ancova(carsByWeight());
  EXPECT_DIGITS(18.08005595318, f(r, "wt"), 1e-11);
  EXPECT_DIGITS(7.28556708594, f(r, "cyl"), 1e-11);
  EXPECT_DIGITS(2.26576902415, r.table("homogeneity of slopes")->rows[0].number("F"), 1e-10);
  const ResultTable *means = r.table("adjusted means");
  EXPECT_DIGITS(23.6775347606, means->row("4")->estimate->value, 1e-11);
  EXPECT_DIGITS(1.042847413112, means->row("4")->number("standard error"), 1e-11);
  EXPECT_DIGITS(15.7579725296, means->row("8")->estimate->interval->low, 1e-11);
}

TEST(Ancova, Refusals) {
  FactorialDesign design = carsByWeight();
  design.covariates[0].values.assign(32, 3.0);
  EXPECT_EQ(ancova(design).outcome, Outcome::Refused);
  design = carsByWeight();
  design.covariates.push_back(design.covariates[0]);
  design.covariates[1].name = "the same";
  EXPECT_EQ(ancova(design).outcome, Outcome::Refused);
  design.covariates.clear();
  EXPECT_EQ(ancova(design).outcome, Outcome::Refused);
}
