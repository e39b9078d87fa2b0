// Tests of counts.
#include "stats/report/export/Recipes.h"

#include <algorithm>
#include <cmath>

namespace imbrex::stats {
namespace {

void writeTable(Script &s) {
  std::vector<double> counts(s.analysis.counts.counts.begin(), s.analysis.counts.counts.end());
  s.values("counts", counts);
  s.set("rows", static_cast<double>(s.analysis.counts.rows));
  s.set("columns", static_cast<double>(s.analysis.counts.columns));
  s.code("counts <- matrix(counts, nrow = {rows}, byrow = TRUE)",
         "counts = counts.astype(int).reshape({rows}, {columns})");
}

void chiSquare(Script &s) {
  writeTable(s);
  bool corrected = s.analysis.result.method.find("Yates") != std::string::npos;
  s.set("correct", s.language() == Language::R ? (corrected ? "TRUE" : "FALSE")
                                               : (corrected ? "True" : "False"));
  s.code("test <- suppressWarnings(chisq.test(counts, correct = {correct}))\n"
         "x2 <- unname(test$statistic); p <- test$p.value\n"
         "plain <- unname(suppressWarnings(chisq.test(counts, correct = FALSE))$statistic)\n"
         "v <- sqrt(plain / (sum(counts) * (min(dim(counts)) - 1)))",
         "x2, p, df, expected = stats.chi2_contingency(counts, correction={correct})\n"
         "plain = stats.chi2_contingency(counts, correction=False).statistic\n"
         "v = math.sqrt(plain / (counts.sum() * (min(counts.shape) - 1)))");
  s.checkStatistic("chi-square", "x2");
  s.checkP("p");
  s.checkEffect("Cramer's V", "v");
}

/// R's p-value; where ours comes from random tables, only as near as these.
void fisherInR(Script &s) {
  double error = s.analysis.result.statistic("standard error of p");
  if (std::isnan(error) || !s.analysis.result.p.undirected) {
    s.code("p <- fisher.test(counts, workspace = 2e7)$p.value", "");
    s.checkP("p", 1e-6);
    return;
  }
  s.code(R"code(
set.seed(1)
p <- tryCatch(fisher.test(counts, workspace = 2e7)$p.value, error = function(e)
  fisher.test(counts, simulate.p.value = TRUE, B = 1e5)$p.value))code",
         "");
  s.checkP("p", 8 * std::max(error, 1e-5) / s.analysis.result.p.undirected->value);
}

void fisher(Script &s) {
  writeTable(s);
  bool fourfold = s.analysis.counts.rows == 2 && s.analysis.counts.columns == 2;
  if (s.language() == Language::R)
    fisherInR(s);
  if (s.language() == Language::Python && fourfold) { // SciPy only samples larger tables
    s.code("", "p = stats.fisher_exact(counts).pvalue");
    s.checkP("p", 1e-6);
  }
  if (!fourfold) {
    s.code("", "counts = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0]\n"
               "expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()\n"
               "x2 = ((counts - expected) ** 2 / expected).sum()\n"
               "v = math.sqrt(x2 / (counts.sum() * (min(counts.shape) - 1)))");
    if (s.language() == Language::Python)
      s.checkEffect("Cramer's V", "v");
    return;
  }
  s.code("odds <- unname(fisher.test(counts)$estimate)",
         "odds = stats.contingency.odds_ratio(counts, kind=\"conditional\").statistic");
  // Both languages stop at a loose root.
  s.checkStatistic("conditional odds ratio", "odds", 1e-3);
}

void mcnemar(Script &s) {
  writeTable(s);
  const std::string &method = s.analysis.result.method;
  bool exact = method.find("exact") != std::string::npos;
  bool corrected = method.find("continuity") != std::string::npos;
  s.set("correction", corrected ? 1.0 : 0.0);
  s.set("correct", corrected ? "TRUE" : "FALSE");
  if (exact)
    s.code("p <- binom.test(counts[1, 2], counts[1, 2] + counts[2, 1])$p.value",
           "b, c = int(counts[0, 1]), int(counts[1, 0])\np = stats.binomtest(b, b + c).pvalue");
  else
    s.code("p <- mcnemar.test(counts, correct = {correct})$p.value",
           "b, c = int(counts[0, 1]), int(counts[1, 0])\n"
           "p = stats.chi2.sf((abs(b - c) - {correction}) ** 2 / (b + c), 1)");
  s.checkP("p");
}

void cochranQ(Script &s) {
  writeGroups(s);
  s.code(R"code(
m <- matrix(y, ncol = {k})
row <- rowSums(m); column <- colSums(m); k <- ncol(m)
q <- (k - 1) * (k * sum(column^2) - sum(column)^2) / (k * sum(row) - sum(row^2))
p <- pchisq(q, k - 1, lower.tail = FALSE))code",
         R"code(
m = np.array(groups)
row, column, k = m.sum(axis=0), m.sum(axis=1), len(m)
q = (k - 1) * (k * (column**2).sum() - column.sum() ** 2) / (k * row.sum() - (row**2).sum())
p = stats.chi2.sf(q, k - 1))code");
  s.checkStatistic("Q", "q");
  s.checkP("p");
}

} // namespace

std::vector<NamedRecipe> recipesOfCounts() {
  return {{"chi_square", chiSquare},
          {"fishers_exact", fisher},
          {"fishers_exact_table", fisher},
          {"mcnemar", mcnemar},
          {"cochran_q", cochranQ}};
}

} // namespace imbrex::stats
