// Comparisons of all pairs of groups.
#include "stats/report/export/Recipes.h"

#include <cmath>
#include <string>

namespace imbrex::stats {
namespace {

/// Checks the adjusted p-values, in the order of the rows, against elements of `variable`.
void checkPairs(Script &s, const char *variable, double tolerance = 1e-7) {
  const ResultTable *table = s.analysis.result.table("comparisons");
  for (size_t i = 0; table && i < table->rows.size(); ++i) {
    if (!table->rows[i].p.undirected)
      continue;
    std::string index = std::to_string(s.language() == Language::R ? i + 1 : i);
    s.check("p", std::string(variable) + "[" + index + "]", table->rows[i].p.undirected->value,
            tolerance);
  }
}

/// How p-values are adjusted, from the method's words.
void setAdjustment(Script &s) {
  const std::string &method = s.analysis.result.method;
  for (auto [words, name] :
       {std::pair{"Bonferroni p", "bonferroni"}, std::pair{"Holm p", "holm"},
        std::pair{"Hochberg p", "hochberg"}, std::pair{"Benjamini-Hochberg p", "BH"},
        std::pair{"Benjamini-Yekutieli p", "BY"}, std::pair{"unadjusted p", "none"}})
    if (method.find(words) != std::string::npos)
      s.set("adjustment", name);
  s.code("", R"code(
def adjust(p, method):
    p = np.asarray(p, float)
    m, order = len(p), np.argsort(p)
    sorted_p, rank = p[order], np.arange(1, len(p) + 1)
    if method == "none":
        return p
    if method == "bonferroni":
        return np.minimum(1, m * p)
    if method == "holm":
        values = np.maximum.accumulate((m - rank + 1) * sorted_p)
    else:
        factor = {"hochberg": m - rank + 1, "BH": m / rank,
                  "BY": m / rank * (1 / rank).sum()}[method]
        values = np.minimum.accumulate((factor * sorted_p)[::-1])[::-1]
    result = np.empty(m)
    result[order] = np.minimum(1, values)
    return result

)code");
}

constexpr const char *pairsR = "pairs <- combn({k}, 2)\ni <- pairs[1, ]; j <- pairs[2, ]\n"
                               "n <- lengths(groups); mean_of <- sapply(groups, mean)\n"
                               "var_of <- sapply(groups, var)";
constexpr const char *pairsPython =
    "i, j = np.triu_indices({k}, 1)\n"
    "n = np.array([len(v) for v in groups])\n"
    "mean_of = np.array([v.mean() for v in groups])\n"
    "var_of = np.array([v.var(ddof=1) if len(v) > 1 else 0 for v in groups])\n"
    "total, k = n.sum(), len(groups)";

void pairwiseT(Script &s) {
  writeGroups(s);
  s.code(pairsR, pairsPython);
  setAdjustment(s);
  bool pooled = s.analysis.result.method.find("pooled") != std::string::npos;
  s.set("pool", pooled ? "TRUE" : "FALSE");
  s.code("table <- pairwise.t.test(y, g, pool.sd = {pool}, p.adjust.method = "
         "\"{adjustment}\")$p.value\n"
         "p <- table[cbind(j - 1, i)]",
         pooled ? "df = total - k\n"
                  "error = np.sqrt(((n - 1) * var_of).sum() / df * (1 / n[i] + 1 / n[j]))\n"
                  "p = adjust(2 * stats.t.sf(np.abs(mean_of[i] - mean_of[j]) / error, df), "
                  "\"{adjustment}\")"
                : "p = adjust([stats.ttest_ind(groups[a], groups[b], equal_var=False).pvalue\n"
                  "            for a, b in zip(i, j)], \"{adjustment}\")");
  checkPairs(s, "p");
}

void tukey(Script &s) {
  writeGroups(s);
  s.code(pairsR, pairsPython);
  s.code("table <- TukeyHSD(aov(y ~ g), conf.level = {level})$g\n"
         "p <- table[paste0(j, \"-\", i), \"p adj\"]",
         "table = stats.tukey_hsd(*groups)\np = table.pvalue[i, j]");
  // Both languages integrate to about 1e-8 absolutely.
  checkPairs(s, "p", 1e-4);
}

void gamesHowell(Script &s) {
  writeGroups(s);
  s.code(pairsR, pairsPython);
  s.code("a <- var_of / n\ndf <- (a[i] + a[j])^2 / (a[i]^2 / (n[i] - 1) + a[j]^2 / (n[j] - 1))\n"
         "q <- abs(mean_of[i] - mean_of[j]) / sqrt((a[i] + a[j]) / 2)\n"
         "p <- ptukey(q, {k}, df, lower.tail = FALSE)",
         "a = var_of / n\n"
         "df = (a[i] + a[j]) ** 2 / (a[i] ** 2 / (n[i] - 1) + a[j] ** 2 / (n[j] - 1))\n"
         "q = np.abs(mean_of[i] - mean_of[j]) / np.sqrt((a[i] + a[j]) / 2)\n"
         "p = stats.studentized_range.sf(q, k, df)");
  checkPairs(s, "p", 1e-4);
}

constexpr const char *ranksR = "ranks <- rank(y); spread <- var(ranks)\n"
                               "mean_of <- tapply(ranks, g, mean)\n"
                               "error <- sqrt(spread * (1 / n[i] + 1 / n[j]))\n"
                               "difference <- mean_of[i] - mean_of[j]";
constexpr const char *ranksPython =
    "ranks = stats.rankdata(y)\n"
    "spread = ranks.var(ddof=1)\n"
    "mean_of = np.array([ranks[g == m + 1].mean() for m in range(k)])\n"
    "error = np.sqrt(spread * (1 / n[i] + 1 / n[j]))\n"
    "difference = mean_of[i] - mean_of[j]";

void dunn(Script &s) {
  writeGroups(s);
  s.code(pairsR, pairsPython);
  setAdjustment(s);
  s.code(ranksR, ranksPython);
  s.code("p <- p.adjust(2 * pnorm(-abs(difference / error)), \"{adjustment}\")",
         "p = adjust(2 * stats.norm.sf(np.abs(difference / error)), \"{adjustment}\")");
  checkPairs(s, "p");
}

void conover(Script &s) {
  writeGroups(s);
  s.code(pairsR, pairsPython);
  setAdjustment(s);
  s.code(ranksR, ranksPython);
  s.code("h <- unname(kruskal.test(y, g)$statistic); df <- length(y) - {k}\n"
         "t <- difference / (error * sqrt((length(y) - 1 - h) / df))\n"
         "p <- p.adjust(2 * pt(-abs(t), df), \"{adjustment}\")",
         "h, df = stats.kruskal(*groups).statistic, total - k\n"
         "t = difference / (error * np.sqrt((total - 1 - h) / df))\n"
         "p = adjust(2 * stats.t.sf(np.abs(t), df), \"{adjustment}\")");
  checkPairs(s, "p");
}

void nemenyi(Script &s) {
  writeGroups(s);
  s.code(pairsR, pairsPython);
  s.code(ranksR, ranksPython);
  s.code("p <- ptukey(sqrt(2) * abs(difference / error), {k}, Inf, lower.tail = FALSE)",
         "p = stats.studentized_range.sf(math.sqrt(2) * np.abs(difference / error), k, np.inf)");
  checkPairs(s, "p", 1e-4);
}

void pairedT(Script &s) {
  writeGroups(s);
  s.code(pairsR, pairsPython);
  setAdjustment(s);
  s.code(
      "table <- pairwise.t.test(y, g, paired = TRUE, p.adjust.method = \"{adjustment}\")$p.value\n"
      "p <- table[cbind(j - 1, i)]",
      "p = adjust([stats.ttest_rel(groups[a], groups[b]).pvalue for a, b in zip(i, j)],\n"
      "           \"{adjustment}\")");
  checkPairs(s, "p");
}

/// Ranks within blocks: rows of `ranks` are blocks, columns conditions.
constexpr const char *blockRanksR = "ranks <- t(apply(matrix(y, ncol = {k}), 1, rank))\n"
                                    "blocks <- nrow(ranks); totals <- colSums(ranks)";
constexpr const char *blockRanksPython = "ranks = stats.rankdata(np.array(groups).T, "
                                         "axis=1)\nblocks, totals = len(ranks), ranks.sum(axis=0)";

void conoverBlocks(Script &s) {
  writeGroups(s);
  s.code(pairsR, pairsPython);
  setAdjustment(s);
  s.code(blockRanksR, blockRanksPython);
  s.code("df <- (blocks - 1) * ({k} - 1)\n"
         "error <- sqrt(2 * (blocks * sum(ranks^2) - sum(totals^2)) / df)\n"
         "p <- p.adjust(2 * pt(-abs(totals[i] - totals[j]) / error, df), \"{adjustment}\")",
         "df = (blocks - 1) * (k - 1)\n"
         "error = math.sqrt(2 * (blocks * (ranks**2).sum() - (totals**2).sum()) / df)\n"
         "p = adjust(2 * stats.t.sf(np.abs(totals[i] - totals[j]) / error, df), \"{adjustment}\")");
  checkPairs(s, "p");
}

void nemenyiBlocks(Script &s) {
  writeGroups(s);
  s.code(pairsR, pairsPython);
  s.code(blockRanksR, blockRanksPython);
  s.code(
      "q <- sqrt(2) * abs(totals[i] - totals[j]) / blocks / sqrt({k} * ({k} + 1) / (6 * blocks))\n"
      "p <- ptukey(q, {k}, Inf, lower.tail = FALSE)",
      "q = math.sqrt(2) * np.abs(totals[i] - totals[j]) / blocks / math.sqrt(k * (k + 1) / (6 * "
      "blocks))\n"
      "p = stats.studentized_range.sf(q, k, np.inf)");
  checkPairs(s, "p", 1e-4);
}

} // namespace

std::vector<NamedRecipe> recipesOfComparisons() {
  return {{"pairwise_t", pairwiseT},
          {"tukey_hsd", tukey},
          {"games_howell", gamesHowell},
          {"dunn", dunn},
          {"conover", conover},
          {"nemenyi", nemenyi},
          {"pairwise_paired_t", pairedT},
          {"conover_blocks", conoverBlocks},
          {"nemenyi_blocks", nemenyiBlocks}};
}

} // namespace imbrex::stats
