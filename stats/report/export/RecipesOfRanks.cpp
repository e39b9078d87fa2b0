// Rank tests of two groups, of pairs and of one sample.
#include "stats/report/export/Recipes.h"

#include <string>

namespace imbrex::stats {
namespace {

bool exact(const Script &s) { return s.analysis.result.method.find("exact") == 0; }
/// The p-value of the predicted direction. `exactly` from `probabilities` of `observed`.
void checkTail(Script &s, std::string_view exactly, std::string_view r, std::string_view python) {
  Alternative alternative = s.analysis.alternative;
  auto p = s.analysis.result.pFor(alternative);
  if (alternative == Alternative::TwoSided || !p)
    return;
  bool greater = alternative == Alternative::Greater;
  if (exact(s)) {
    s.set("sums", std::string(exactly));
    s.code(greater ? "tail <- {sums}; tail <- sum(tail[(observed + 1):length(tail)])"
                   : "tail <- sum({sums}[seq_len(observed + 1)])",
           greater ? "tail = {sums}[int(observed) :].sum()"
                   : "tail = {sums}[: int(observed) + 1].sum()");
  } else {
    s.code(r, python);
  }
  s.check("p", "tail", p->value, 1e-7);
}

bool byDistance(const Script &s) {
  return s.analysis.conventions.twoSidedExact == TwoSidedExact::Distance;
}

void mannWhitney(Script &s) {
  writeTwoSamples(s);
  bool cc = s.analysis.conventions.rankSumContinuity == Continuity::Half;
  s.set("correct", s.language() == Language::R ? (cc ? "TRUE" : "FALSE") : (cc ? "True" : "False"));
  s.code("n <- c(length(first), length(second))\n"
         "ranks <- 2 * rank(c(first, second) - c(rep({mu}, n[1]), rep(0, n[2])))\n"
         "observed <- sum(ranks[seq_len(n[1])])\n"
         "U <- observed / 2 - n[1] * (n[1] + 1) / 2",
         "n = len(first), len(second)\n"
         "ranks = 2 * stats.rankdata(np.concatenate([first - {mu}, second]))\n"
         "observed = ranks[:n[0]].sum()\n"
         "U = observed / 2 - n[0] * (n[0] + 1) / 2");
  s.checkStatistic("U", "U");
  if (exact(s) && byDistance(s))
    s.code("probabilities <- sums_of_subsets(ranks, n[1])\n"
           "mean_sum <- n[1] * (sum(n) + 1)\n"
           "p <- sum(probabilities[abs(seq_along(probabilities) - 1 - mean_sum) >=\n"
           "                       abs(observed - mean_sum)])",
           "probabilities = sums_of_subsets(ranks, n[0])\n"
           "mean_sum = n[0] * (sum(n) + 1)\n"
           "far = np.abs(np.arange(len(probabilities)) - mean_sum) >= abs(observed - mean_sum)\n"
           "p = probabilities[far].sum()");
  else if (exact(s))
    s.code("p <- two_sided(sums_of_subsets(ranks, n[1]), observed)",
           "p = two_sided(sums_of_subsets(ranks, n[0]), observed)");
  else
    s.code("p <- wilcox.test(first, second, mu = {mu}, exact = FALSE, correct = {correct})$p.value",
           "p = stats.mannwhitneyu(first - {mu}, second, method=\"asymptotic\",\n"
           "                       use_continuity={correct}).pvalue");
  s.checkP("p");
  checkTail(
      s,
      s.language() == Language::R ? "sums_of_subsets(ranks, n[1])" : "sums_of_subsets(ranks, n[0])",
      "tail <- wilcox.test(first, second, mu = {mu}, exact = FALSE, correct = {correct},\n"
      "                    alternative = \"{alternative}\")$p.value",
      "tail = stats.mannwhitneyu(first - {mu}, second, method=\"asymptotic\",\n"
      "                          use_continuity={correct}, alternative=\"{alternative}\").pvalue");
  s.code("shift <- median(outer(first, second, \"-\"))",
         "shift = np.median(np.subtract.outer(first, second))");
  s.checkEstimate("shift");
  s.code("a12 <- U / prod(n)", "a12 = U / (n[0] * n[1])");
  if (s.analysis.hypothesised == 0) {
    s.checkEffect("A12", "a12");
    s.checkEffect("rank-biserial correlation", "2 * a12 - 1");
  }
}

/// From differences `d` in both languages.
void signedRank(Script &s) {
  const Conventions &c = s.analysis.conventions;
  // Differences that are equal on paper shall tie.
  s.code("d <- round(d, 13 - ceiling(log10(max(abs(d)))))",
         "d = np.round(d, 13 - math.ceil(math.log10(np.abs(d).max())))");
  if (c.zeros == Zeros::Drop)
    s.code("d <- d[d != 0]\nranks <- 2 * rank(abs(d))",
           "d = d[d != 0]\nranks = 2 * stats.rankdata(np.abs(d))");
  else
    s.code("ranks <- 2 * rank(abs(d))\nranks <- ranks[d != 0]\nd <- d[d != 0]",
           "ranks = 2 * stats.rankdata(np.abs(d))\nranks = ranks[d != 0]\nd = d[d != 0]");
  s.code("observed <- sum(ranks[d > 0])", "observed = ranks[d > 0].sum()");
  if (c.zeros == Zeros::Split)
    return; // half ranks of zeros: no such option in either language
  s.checkStatistic("V", "observed / 2");
  if (exact(s))
    s.code("p <- two_sided(sums_of_signs(ranks), observed)",
           "p = two_sided(sums_of_signs(ranks), observed)");
  else {
    s.set("correction", c.signedRankContinuity == Continuity::Half ? 0.5 : 0.0);
    s.code("z <- observed / 2 - sum(ranks) / 4\n"
           "z <- (z - sign(z) * {correction}) / sqrt(sum(ranks^2) / 16)\n"
           "p <- min(1, 2 * pnorm(-abs(z)))",
           "z = observed / 2 - ranks.sum() / 4\n"
           "z = (z - np.sign(z) * {correction}) / math.sqrt((ranks**2).sum() / 16)\n"
           "p = min(1, 2 * stats.norm.sf(abs(z)))");
  }
  if (!(exact(s) && byDistance(s)))
    s.checkP("p");
  bool greater = s.analysis.alternative == Alternative::Greater;
  s.set("side", greater ? -0.5 : 0.5);
  if (c.signedRankContinuity == Continuity::None)
    s.set("side", 0.0);
  checkTail(s, "sums_of_signs(ranks)",
            greater ? "tail <- pnorm((observed / 2 - sum(ranks) / 4 + {side}) /\n"
                      "                sqrt(sum(ranks^2) / 16), lower.tail = FALSE)"
                    : "tail <- pnorm((observed / 2 - sum(ranks) / 4 + {side}) /\n"
                      "                sqrt(sum(ranks^2) / 16))",
            greater ? "tail = stats.norm.sf((observed / 2 - ranks.sum() / 4 + {side})\n"
                      "                     / math.sqrt((ranks**2).sum() / 16))"
                    : "tail = stats.norm.cdf((observed / 2 - ranks.sum() / 4 + {side})\n"
                      "                      / math.sqrt((ranks**2).sum() / 16))");
  s.code("r <- (sum(ranks[d > 0]) - sum(ranks[d < 0])) / sum(ranks)",
         "r = (ranks[d > 0].sum() - ranks[d < 0].sum()) / ranks.sum()");
  s.checkEffect("matched-pairs rank-biserial correlation", "r");
}

void wilcoxonPairs(Script &s) {
  writeTwoSamples(s);
  s.code("d <- first - second - {mu}", "d = first - second - {mu}");
  signedRank(s);
}

void wilcoxonOneSample(Script &s) {
  s.values("x", s.analysis.samples[0]);
  s.code("d <- x - {mu}", "d = x - {mu}");
  signedRank(s);
}

void brunnerMunzel(Script &s) {
  writeTwoSamples(s);
  s.code(R"code(
n1 <- length(first); n2 <- length(second)
joint <- rank(c(first, second))
own <- c(rank(first), rank(second))
m1 <- mean(joint[1:n1]); m2 <- mean(joint[n1 + 1:n2])
placement <- joint - own
v1 <- var(placement[1:n1]) / (n2^2 * n1); v2 <- var(placement[n1 + 1:n2]) / (n1^2 * n2)
a12 <- (m1 - (n1 + 1) / 2) / n2
t <- (a12 - 0.5) / sqrt(v1 + v2)
df <- (v1 + v2)^2 / (v1^2 / (n1 - 1) + v2^2 / (n2 - 1))
p <- 2 * pt(-abs(t), df))code",
         R"code(
test = stats.brunnermunzel(second, first)
t, p = test.statistic, test.pvalue)code");
  s.checkStatistic("t", "t");
  s.checkP("p");
  if (auto p = s.analysis.result.pFor(s.analysis.alternative);
      p && s.analysis.alternative != Alternative::TwoSided) {
    bool greater = s.analysis.alternative == Alternative::Greater;
    s.set("other",
          greater ? "less" : "greater"); // the larger sample has the smaller distribution function
    s.set("lower", greater ? "FALSE" : "TRUE");
    s.code("tail <- pt(t, df, lower.tail = {lower})",
           "tail = stats.brunnermunzel(second, first, alternative=\"{other}\").pvalue");
    s.check("p", "tail", p->value, 1e-7);
  }
}

void sign(Script &s) {
  bool one = s.analysis.samples.size() == 1;
  if (one)
    s.values("d", s.analysis.samples[0]);
  else
    writeTwoSamples(s);
  if (!one)
    s.code("d <- first - second", "d = first - second");
  s.code("positive <- sum(d - {mu} > 0); negative <- sum(d - {mu} < 0)\n"
         "p <- binom.test(positive, positive + negative)$p.value",
         "positive, negative = (d - {mu} > 0).sum(), (d - {mu} < 0).sum()\n"
         "p = stats.binomtest(int(positive), int(positive + negative)).pvalue");
  s.checkStatistic("positive differences", "positive");
  s.checkP("p");
  if (auto p = s.analysis.result.pFor(s.analysis.alternative);
      p && s.analysis.alternative != Alternative::TwoSided) {
    s.code("tail <- binom.test(positive, positive + negative,\n"
           "                   alternative = \"{alternative}\")$p.value",
           "tail = stats.binomtest(int(positive), int(positive + negative),\n"
           "                       alternative=\"{alternative}\").pvalue");
    s.check("p", "tail", p->value, 1e-7);
  }
}

} // namespace

std::vector<NamedRecipe> recipesOfRanks() {
  return {{"mannwhitney_u", mannWhitney},
          {"wilcoxon_signed_rank", wilcoxonPairs},
          {"one_sample_wilcoxon", wilcoxonOneSample},
          {"brunner_munzel", brunnerMunzel},
          {"sign_test", sign},
          {"one_sample_sign", sign}};
}

} // namespace imbrex::stats
