// Time and memory of every closed-form test on a million rows of 10 variables, and of exact tests
// at 50 values a group. Processor time, since all of it is one thread: a busy machine does not
// change it. Exit 1 above a limit.
#include "stats/assumptions/Normality.h"
#include "stats/assumptions/Variances.h"
#include "stats/procedures/anova/Factorial.h"
#include "stats/procedures/anova/Friedman.h"
#include "stats/procedures/anova/OneWay.h"
#include "stats/procedures/anova/Repeated.h"
#include "stats/procedures/association/Kendall.h"
#include "stats/procedures/association/Pearson.h"
#include "stats/procedures/association/Spearman.h"
#include "stats/procedures/categorical/ChiSquare.h"
#include "stats/procedures/groups/RankTests.h"
#include "stats/procedures/groups/TTests.h"
#include "stats/procedures/regression/Regression.h"
#include "stats/procedures/resampling/Random.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>
#include <sys/resource.h>

using namespace imbrex::stats;

namespace {

constexpr size_t rows = 1'000'000;
constexpr double mostSeconds = 5, mostMegabytes = 1024, mostExactSeconds = 0.1;

double timed(const char *name, const std::function<TestResult()> &test) {
  std::clock_t start = std::clock();
  TestResult result = test();
  double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
  std::printf("%-28s %8.3f s  %s\n", name, seconds, result.defined() ? "" : result.reason.c_str());
  return result.defined() ? seconds : INFINITY; // a test that did not run is no quick test
}

struct Table {
  Groups columns;
  Groups two, four; // of the first column
  FactorialDesign design;
  std::vector<int64_t> codes2, codes3;
};

Table makeTable() {
  Random random(1);
  Table table{Groups(10), Groups(2), Groups(4), {}, {}, {}};
  for (auto &column : table.columns)
    for (size_t i = 0; i < rows; ++i)
      column.push_back(std::round(random.normal() * 1000) / 1000);
  table.design.outcome = table.columns[0];
  table.design.factors = {{"a", {"1", "2"}, {}}, {"b", {"1", "2", "3"}, {}}};
  for (size_t i = 0; i < rows; ++i) {
    table.two[i % 2].push_back(table.columns[0][i]);
    table.four[i % 4].push_back(table.columns[0][i]);
    table.codes2.push_back(int64_t(random.below(2)));
    table.codes3.push_back(int64_t(random.below(3)));
    table.design.factors[0].codes.push_back(int32_t(table.codes2[i]));
    table.design.factors[1].codes.push_back(int32_t(table.codes3[i]));
  }
  return table;
}

double closedForm() {
  Table t = makeTable();
  const Groups &c = t.columns;
  Conventions r = Conventions::R46();
  double sum = 0;
  sum += timed("one-sample t", [&] { return oneSampleT(c[0]); });
  sum += timed("Student's t", [&] { return studentsT(t.two[0], t.two[1]); });
  sum += timed("Welch's t", [&] { return welchsT(t.two[0], t.two[1]); });
  sum += timed("paired t", [&] { return pairedT(c[0], c[1]); });
  sum += timed("Mann-Whitney", [&] { return mannWhitney(t.two[0], t.two[1]); });
  sum += timed("Wilcoxon signed rank", [&] { return wilcoxonSignedRank(c[0], c[1]); });
  sum += timed("Brunner-Munzel", [&] { return brunnerMunzel(t.two[0], t.two[1]); });
  sum += timed("one-way F", [&] { return oneWayF(t.four); });
  sum += timed("Welch ANOVA", [&] { return welchAnova(t.four); });
  sum += timed("Kruskal-Wallis", [&] { return kruskalWallis(t.four); });
  sum += timed("Levene", [&] { return levene(t.four); });
  sum += timed("Bartlett", [&] { return bartlett(t.four); });
  sum += timed("Fligner-Killeen", [&] { return flignerKilleen(t.four); });
  sum += timed("Shapiro-Wilk", [&] { return shapiroWilk(c[0]); });
  sum += timed("two-way ANOVA", [&] { return factorialAnova(t.design); });
  t.design.covariates = {{"x", c[1]}};
  sum += timed("ANCOVA", [&] { return ancova(t.design); });
  sum += timed("Friedman, 3 conditions", [&] { return friedman({c[0], c[1], c[2]}); });
  sum += timed("repeated, 3 conditions", [&] { return repeatedAnova({c[0], c[1], c[2]}); });
  std::vector<Predictor> predictors;
  for (int i = 1; i < 10; ++i)
    predictors.push_back({"x" + std::to_string(i), c[i]});
  sum +=
      timed("regression, 9 predictors", [&] { return linearRegression(predictors, c[0]).result; });
  sum += timed("Pearson", [&] { return pearson(c[0], c[1]); });
  sum += timed("Spearman", [&] { return spearman(c[0], c[1], r); });
  sum += timed("Kendall", [&] { return kendall(c[0], c[1], r); });
  sum += timed("chi-square", [&] {
    auto table = ContingencyTable::of(t.codes2, t.codes3, {"1", "2"}, {"1", "2", "3"});
    return chiSquareIndependence(table, Yates::None);
  });
  return sum;
}

/// The slowest exact test.
double exact() {
  Random random(2);
  std::vector<double> a, b;
  for (int i = 0; i < 50; ++i) {
    a.push_back(double(random.below(40)) / 4);
    b.push_back(double(random.below(40)) / 4);
  }
  RankOptions options;
  options.exact = ExactRule::Always;
  double slowest = timed("exact Mann-Whitney, ties", [&] { return mannWhitney(a, b, options); });
  return std::max(
      slowest, timed("exact signed rank, ties", [&] { return wilcoxonSignedRank(a, b, options); }));
}

} // namespace

int main() {
  double slowest = exact(), seconds = closedForm();
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  double megabytes = double(usage.ru_maxrss) / 1024;
  std::printf(
      "bench-tea: %zu rows in %.2f s (limit %.0f), %.0f MB (limit %.0f), slowest exact test %.3f s "
      "(limit %.1f)\n",
      rows, seconds, mostSeconds, megabytes, mostMegabytes, slowest, mostExactSeconds);
  return seconds <= mostSeconds && megabytes <= mostMegabytes && slowest <= mostExactSeconds ? 0
                                                                                             : 1;
}
