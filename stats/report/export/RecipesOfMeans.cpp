// t-tests.
#include "stats/report/export/Recipes.h"

namespace imbrex::stats {
namespace {

constexpr const char *fromR = R"code(
t <- unname(test$statistic); df <- unname(test$parameter)
low <- test$conf.int[1]; high <- test$conf.int[2])code";

constexpr const char *fromPython = R"code(
t, df = test.statistic, test.df
interval = test.confidence_interval({level}))code";

void checkT(Script &s) {
  s.code(fromR, fromPython);
  s.checkStatistic("t", "t");
  s.checkFreedom("df");
  bool r = s.language() == Language::R;
  s.checkP(r ? "test$p.value" : "test.pvalue");
}

void checkLimits(Script &s, double shift) {
  bool r = s.language() == Language::R;
  s.set("shift", shift);
  if (!r)
    s.code("", "low, high = interval.low + {shift}, interval.high + {shift}");
  s.checkInterval("low", "high");
}

void checkAlternative(Script &s, std::string_view r, std::string_view python) {
  auto p = s.analysis.result.pFor(s.analysis.alternative);
  if (s.analysis.alternative == Alternative::TwoSided || !p)
    return;
  s.code(r, python);
  s.check("p", "one_sided", p->value, 1e-7);
}

void twoGroups(Script &s, const char *pooledR, const char *pooledPython) {
  writeTwoSamples(s);
  s.set("pooled", s.language() == Language::R ? pooledR : pooledPython);
  s.code("test <- t.test(first, second, mu = {mu}, var.equal = {pooled}, conf.level = {level})",
         "test = stats.ttest_ind(first - {mu}, second, equal_var={pooled})");
  checkT(s);
  checkLimits(s, s.analysis.hypothesised);
  s.code("", "difference = first.mean() - second.mean()");
  s.checkEstimate(s.language() == Language::R ? "mean(first) - mean(second)" : "difference");
  checkAlternative(s,
                   "one_sided <- t.test(first, second, mu = {mu}, var.equal = {pooled},\n"
                   "                    alternative = \"{alternative}\")$p.value",
                   "one_sided = stats.ttest_ind(first - {mu}, second, equal_var={pooled},\n"
                   "                            alternative=\"{alternative}\").pvalue");
}

void studentsT(Script &s) {
  twoGroups(s, "TRUE", "True");
  s.code("n <- c(length(first), length(second))\n"
         "pooled <- sqrt(((n[1] - 1) * var(first) + (n[2] - 1) * var(second)) / (sum(n) - 2))\n"
         "d <- (mean(first) - mean(second) - {mu}) / pooled",
         "n = len(first), len(second)\n"
         "pooled = math.sqrt(((n[0] - 1) * first.var(ddof=1) + (n[1] - 1) * second.var(ddof=1))\n"
         "                   / (sum(n) - 2))\n"
         "d = (difference - {mu}) / pooled");
  if (s.analysis.samples[0].size() > 1 && s.analysis.samples[1].size() > 1)
    s.checkEffect("Cohen's d", "d");
}

void welchsT(Script &s) {
  twoGroups(s, "FALSE", "False");
  s.code("d <- (mean(first) - mean(second) - {mu}) / sqrt((var(first) + var(second)) / 2)",
         "d = (difference - {mu}) / math.sqrt((first.var(ddof=1) + second.var(ddof=1)) / 2)");
  s.checkEffect("Cohen's d", "d");
}

void pairedT(Script &s) {
  writeTwoSamples(s);
  s.code("test <- t.test(first, second, paired = TRUE, mu = {mu}, conf.level = {level})",
         "test = stats.ttest_rel(first - {mu}, second)");
  checkT(s);
  checkLimits(s, s.analysis.hypothesised);
  s.code("d <- mean(first - second - {mu}) / sd(first - second)",
         "d = (first - second - {mu}).mean() / (first - second).std(ddof=1)");
  s.checkEffect("Cohen's d_z", "d");
  checkAlternative(s,
                   "one_sided <- t.test(first, second, paired = TRUE, mu = {mu},\n"
                   "                    alternative = \"{alternative}\")$p.value",
                   "one_sided = stats.ttest_rel(first - {mu}, second,\n"
                   "                            alternative=\"{alternative}\").pvalue");
}

void oneSampleT(Script &s) {
  s.values("x", s.analysis.samples[0]);
  s.code("test <- t.test(x, mu = {mu}, conf.level = {level})", "test = stats.ttest_1samp(x, {mu})");
  checkT(s);
  checkLimits(s, 0);
  s.code("d <- (mean(x) - {mu}) / sd(x)", "d = (x.mean() - {mu}) / x.std(ddof=1)");
  s.checkEffect("Cohen's d", "d");
  checkAlternative(s, "one_sided <- t.test(x, mu = {mu}, alternative = \"{alternative}\")$p.value",
                   "one_sided = stats.ttest_1samp(x, {mu}, alternative=\"{alternative}\").pvalue");
}

} // namespace

std::vector<NamedRecipe> recipesOfMeans() {
  return {{"students_t", studentsT},
          {"welchs_t", welchsT},
          {"paired_students_t", pairedT},
          {"one_sample_t", oneSampleT}};
}

} // namespace imbrex::stats
