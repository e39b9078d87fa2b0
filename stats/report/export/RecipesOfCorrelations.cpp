// Correlations.
#include "stats/report/export/Recipes.h"

#include <set>

namespace imbrex::stats {
namespace {

void writeXY(Script &s) {
  s.values("x", s.analysis.samples[0]);
  s.values("y", s.analysis.samples[1]);
}

bool distinct(const std::vector<double> &values) {
  return std::set<double>(values.begin(), values.end()).size() == values.size();
}

void pearson(Script &s) {
  writeXY(s);
  s.code("test <- cor.test(x, y, conf.level = {level})\n"
         "r <- unname(test$estimate); p <- test$p.value\n"
         "low <- if (is.null(test$conf.int)) NA else test$conf.int[1]\n"
         "high <- if (is.null(test$conf.int)) NA else test$conf.int[2]",
         "test = stats.pearsonr(x, y)\n"
         "r, p = test.statistic, test.pvalue\n"
         "low, high = test.confidence_interval({level})");
  s.checkStatistic("r", "r");
  s.checkP("p");
  s.checkInterval("low", "high");
}

void pointBiserial(Script &s) {
  writeTwoSamples(s);
  s.code("x <- c(rep(0, length(first)), rep(1, length(second))); y <- c(first, second)\n"
         "test <- cor.test(x, y)\nr <- unname(test$estimate); p <- test$p.value",
         "x = np.repeat([0.0, 1.0], [len(first), len(second)])\n"
         "y = np.concatenate([first, second])\n"
         "r, p = stats.pointbiserialr(x, y)");
  s.checkStatistic("r", "r");
  s.checkP("p");
}

void spearman(Script &s) {
  writeXY(s);
  const std::string &method = s.analysis.result.method;
  bool exact = method.find("exact") == 0, series = method.find("Edgeworth") == 0;
  bool ties = !distinct(s.analysis.samples[0]) || !distinct(s.analysis.samples[1]);
  size_t n = s.analysis.samples[0].size();
  s.code("rho <- cor(rank(x), rank(y))",
         "rho = np.corrcoef(stats.rankdata(x), stats.rankdata(y))[0, 1]");
  s.checkStatistic("rho", "rho");
  s.code("s <- (length(x)^3 - length(x)) * (1 - rho) / 6",
         "s = (len(x) ** 3 - len(x)) * (1 - rho) / 6");
  s.checkStatistic("S", "s");
  if (exact && n <= 9) {
    s.code(R"code(
orders <- function(n) if (n == 1) matrix(1) else {
  shorter <- orders(n - 1)
  do.call(rbind, lapply(seq_len(n), function(i) cbind(i, shorter + (shorter >= i))))
}
a <- 2 * rank(x); b <- 2 * rank(y)
all <- matrix(b[orders(length(x))], ncol = length(x)) %*% a
p <- min(1, 2 * min(mean(all <= sum(a * b)), mean(all >= sum(a * b)))))code",
           R"code(
import itertools
a, b = 2 * stats.rankdata(x), 2 * stats.rankdata(y)
everything = np.array(list(itertools.permutations(b))) @ a
p = min(1, 2 * min((everything <= a @ b).mean(), (everything >= a @ b).mean())))code");
    s.checkP("p");
  } else if (series && !ties) {
    s.code("p <- cor.test(x, y, method = \"spearman\")$p.value", "");
    if (s.language() == Language::R)
      s.checkP("p");
  } else if (!exact && n > 2) { // of two pairs, neither language has a p-value
    s.code("p <- cor.test(rank(x), rank(y))$p.value", "p = stats.spearmanr(x, y).pvalue");
    s.checkP("p");
  }
}

void kendall(Script &s) {
  writeXY(s);
  bool exact = s.analysis.result.method.find("exact") == 0;
  bool ties = !distinct(s.analysis.samples[0]) || !distinct(s.analysis.samples[1]);
  bool corrected = s.analysis.conventions.kendallContinuity == Continuity::Half;
  s.set("exactR", exact ? "TRUE" : "FALSE");
  s.set("method", exact ? "exact" : "asymptotic");
  s.code("tau <- cor(x, y, method = \"kendall\")", "tau = stats.kendalltau(x, y).statistic");
  s.checkStatistic("tau", "tau");
  if ((exact && ties) || corrected)
    return; // neither language counts these
  s.code("p <- suppressWarnings(cor.test(x, y, method = \"kendall\", exact = {exactR})$p.value)",
         "p = stats.kendalltau(x, y, method=\"{method}\").pvalue");
  s.checkP("p");
}

void partial(Script &s) {
  writeXY(s);
  std::string names;
  for (size_t i = 2; i < s.analysis.samples.size(); ++i) {
    std::string name = "z" + std::to_string(i - 1);
    s.values(name, s.analysis.samples[i]);
    names += (names.empty() ? "" : ", ") + name;
  }
  s.set("covariates", names);
  s.set("number", static_cast<double>(s.analysis.samples.size() - 2));
  s.code("z <- cbind({covariates})\n"
         "r <- cor(residuals(lm(x ~ z)), residuals(lm(y ~ z)))\n"
         "df <- length(x) - 2 - {number}\n"
         "t <- r * sqrt(df / (1 - r^2)); p <- 2 * pt(-abs(t), df)",
         "z = np.column_stack([np.ones(len(x)), {covariates}])\n"
         "rest = [v - z @ np.linalg.lstsq(z, v, rcond=None)[0] for v in (x, y)]\n"
         "r = np.corrcoef(*rest)[0, 1]\n"
         "df = len(x) - 2 - {number}\n"
         "t = r * math.sqrt(df / (1 - r**2))\n"
         "p = 2 * stats.t.sf(abs(t), df)");
  s.checkStatistic("r", "r");
  s.checkP("p");
}

} // namespace

std::vector<NamedRecipe> recipesOfCorrelations() {
  return {{"pearson_corr", pearson},
          {"spearman_corr", spearman},
          {"kendalltau_corr", kendall},
          {"pointbiserial_corr", pointBiserial},
          {"pointbiserial_corr_a", pointBiserial},
          {"pointbiserial_corr_b", pointBiserial},
          {"partial_corr", partial}};
}

} // namespace imbrex::stats
