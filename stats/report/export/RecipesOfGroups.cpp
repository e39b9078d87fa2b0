// Tests of several groups.
#include "stats/report/export/Recipes.h"

namespace imbrex::stats {
namespace {

void oneWayF(Script &s) {
  writeGroups(s);
  s.code(R"code(
table <- anova(lm(y ~ g))
f <- table[1, "F value"]; p <- table[1, "Pr(>F)"]
eta <- table[1, "Sum Sq"] / sum(table[, "Sum Sq"]))code",
         R"code(
f, p = stats.f_oneway(*groups)
between = sum(len(v) * (v.mean() - y.mean()) ** 2 for v in groups)
eta = between / ((y - y.mean()) ** 2).sum())code");
  s.checkStatistic("F", "f");
  s.checkP("p");
  s.checkEffect("eta squared", "eta");
}

void welchAnova(Script &s) {
  writeGroups(s);
  s.code(R"code(
test <- oneway.test(y ~ g)
f <- unname(test$statistic); df2 <- unname(test$parameter[2]); p <- test$p.value)code",
         R"code(
n = np.array([len(v) for v in groups])
mean = np.array([v.mean() for v in groups])
w = n / np.array([v.var(ddof=1) for v in groups])
k = len(groups)
h = ((1 - w / w.sum()) ** 2 / (n - 1)).sum() / (k**2 - 1)
centre = (w * mean).sum() / w.sum()
f = (w * (mean - centre) ** 2).sum() / (k - 1) / (1 + 2 * (k - 2) * h)
df2 = 1 / (3 * h)
p = stats.f.sf(f, k - 1, df2))code");
  s.checkStatistic("F", "f");
  s.checkFreedom("df2", 1);
  s.checkP("p");
}

void kruskalWallis(Script &s) {
  writeGroups(s);
  s.code("test <- kruskal.test(y, g)\nh <- unname(test$statistic); p <- test$p.value",
         "h, p = stats.kruskal(*groups)");
  s.checkStatistic("H", "h");
  s.checkP("p");
  s.checkEffect("epsilon squared",
                s.language() == Language::R ? "h / (length(y) - 1)" : "h / (len(y) - 1)");
}

void brunnerDetteMunk(Script &s) {
  writeGroups(s);
  s.code(R"code(
ranks <- rank(y); total <- length(y); k <- {k}
n <- tapply(ranks, g, length); effect <- tapply(ranks, g, mean) / total
v <- tapply(ranks, g, var) / (total * n)
f <- total * sum((effect - mean(effect))^2) / ((1 - 1 / k) * sum(v))
df1 <- ((1 - 1 / k) * sum(v))^2 / ((1 - 2 / k) * sum(v^2) + sum(v)^2 / k^2)
df2 <- sum(v)^2 / sum(v^2 / (n - 1))
p <- pf(f, df1, df2, lower.tail = FALSE)
)code",
         R"code(
ranks, total, k = stats.rankdata(y), len(y), len(groups)
parts = [ranks[g == i + 1] for i in range(k)]
n = np.array([len(v) for v in parts])
effect = np.array([v.mean() for v in parts]) / total
v = np.array([part.var(ddof=1) for part in parts]) / (total * n)
f = total * ((effect - effect.mean()) ** 2).sum() / ((1 - 1 / k) * v.sum())
df1 = ((1 - 1 / k) * v.sum()) ** 2 / ((1 - 2 / k) * (v**2).sum() + v.sum() ** 2 / k**2)
df2 = v.sum() ** 2 / (v**2 / (n - 1)).sum()
p = stats.f.sf(f, df1, df2)
)code");
  s.checkStatistic("F", "f");
  s.checkFreedom("df1", 0);
  s.checkFreedom("df2", 1);
  s.checkP("p");
}

void friedman(Script &s) {
  writeGroups(s);
  s.code("blocks <- matrix(y, ncol = {k})\n"
         "test <- friedman.test(blocks)\nq <- unname(test$statistic); p <- test$p.value",
         "q, p = stats.friedmanchisquare(*groups)");
  s.checkStatistic("Q", "q");
  s.checkP("p");
  s.checkEffect("Kendall's W", s.language() == Language::R ? "q / (nrow(blocks) * ({k} - 1))"
                                                           : "q / (len(groups[0]) * ({k} - 1))");
}

} // namespace

std::vector<NamedRecipe> recipesOfGroups() {
  return {{"f_test", oneWayF},
          {"welch_anova", welchAnova},
          {"kruskall_wallis", kruskalWallis},
          {"brunner_dette_munk", brunnerDetteMunk},
          {"friedman", friedman}};
}

} // namespace imbrex::stats
