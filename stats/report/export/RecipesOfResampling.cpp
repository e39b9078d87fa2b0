// The bootstrap of medians; the permutation test of two groups: in full where it was exact, else
// with other random arrangements, which agree within the Monte-Carlo error of both.
#include "stats/report/export/Recipes.h"

#include <algorithm>
#include <cmath>

namespace imbrex::stats {
namespace {

/// p-values of other random arrangements agree within the Monte-Carlo error of both.
void checkSampled(Script &s) {
  if (auto p = s.analysis.result.p.undirected) {
    double error = std::sqrt(2 * std::max(p->value, 1e-4) / 20000) + 1e-4;
    s.checkP("p", 4 * error / p->value);
  }
}

void permutation(Script &s) {
  writeTwoSamples(s);
  s.code("difference <- mean(first) - mean(second)", "difference = first.mean() - second.mean()");
  s.checkEstimate("difference");
  s.code("pooled <- c(first, second) - mean(c(first, second)); n <- length(first)\n"
         "far <- abs(sum(pooled[1:n])) * (1 - 1e-10)",
         "pooled = np.concatenate([first, second])\n"
         "pooled = pooled - pooled.mean()\n"
         "n = len(first)\n"
         "far = abs(pooled[:n].sum()) * (1 - 1e-10)");
  if (s.analysis.result.method.starts_with("exact")) {
    s.code("p <- mean(abs(combn(pooled, n, sum)) >= far)",
           "import itertools\n"
           "chosen = np.array(list(itertools.combinations(range(len(pooled)), n)))\n"
           "p = (np.abs(pooled[chosen].sum(axis=1)) >= far).mean()");
    s.checkP("p");
    return;
  }
  s.code("set.seed(1); draws <- 20000\n"
         "p <- (sum(replicate(draws, abs(sum(sample(pooled, n)))) >= far) + 1) / (draws + 1)",
         "random, draws = np.random.default_rng(1), 20000\n"
         "sums = [abs(random.permutation(pooled)[:n].sum()) for _ in range(draws)]\n"
         "p = ((np.array(sums) >= far).sum() + 1) / (draws + 1)");
  checkSampled(s);
}

void permutationPaired(Script &s) {
  writeTwoSamples(s);
  s.code("d <- first - second; n <- length(d); far <- abs(sum(d)) - 1e-10 * sum(abs(d))",
         "d = first - second\nn = len(d)\nfar = abs(d.sum()) - 1e-10 * np.abs(d).sum()");
  s.checkEstimate(s.language() == Language::R ? "mean(d)" : "d.mean()");
  if (s.analysis.result.method.starts_with("exact")) {
    s.code("signs <- as.matrix(expand.grid(rep(list(c(-1, 1)), n)))\n"
           "p <- mean(abs(signs %*% d) >= far)",
           "import itertools\n"
           "signs = np.array(list(itertools.product([-1, 1], repeat=n)))\n"
           "p = (np.abs(signs @ d) >= far).mean()");
    s.checkP("p");
    return;
  }
  s.code("set.seed(1); draws <- 20000\n"
         "sums <- replicate(draws, abs(sum(sample(c(-1, 1), n, replace = TRUE) * d)))\n"
         "p <- (sum(sums >= far) + 1) / (draws + 1)",
         "random, draws = np.random.default_rng(1), 20000\n"
         "sums = np.array([abs((random.choice([-1, 1], n) * d).sum()) for _ in range(draws)])\n"
         "p = ((sums >= far).sum() + 1) / (draws + 1)");
  checkSampled(s);
}

void permutationF(Script &s) {
  writeGroups(s);
  s.code("f <- anova(lm(y ~ g))[1, \"F value\"]\n"
         "between <- function(y) sum(tapply(y, g, sum)^2 / tapply(y, g, length))\n"
         "y <- y - mean(y); observed <- between(y)\n"
         "set.seed(1); draws <- 20000\n"
         "p <- (sum(replicate(draws, between(sample(y))) >= observed * (1 - 1e-10)) + 1) / (draws "
         "+ 1)",
         "f = stats.f_oneway(*groups).statistic\n"
         "sizes = [len(v) for v in groups]\n"
         "edges = np.concatenate([[0], np.cumsum(sizes)[:-1]])\n"
         "y = np.concatenate(groups) - y.mean()\n"
         "between = lambda v: (np.add.reduceat(v, edges) ** 2 / sizes).sum()\n"
         "random, draws, observed = np.random.default_rng(1), 20000, between(y)\n"
         "sums = np.array([between(random.permutation(y)) for _ in range(draws)])\n"
         "p = ((sums >= observed * (1 - 1e-10)).sum() + 1) / (draws + 1)");
  s.checkStatistic("F", "f");
  checkSampled(s);
}

/// Other resamples than ours: the share of their medians below a limit is that of the interval,
/// within the Monte-Carlo error of both.
void medians(Script &s) {
  const ResultTable *table = s.analysis.result.table("medians");
  s.set("tail", (1 - s.analysis.level) / 2);
  s.code(R"code(
set.seed(1)
at_limit <- function(draws, limit, share) {
  error <- 4 * sqrt(share * (1 - share) * (1 / length(draws) + 1 / 9999))
  as.numeric(mean(draws < limit) <= share + error && mean(draws <= limit) >= share - error)
})code",
         R"code(
random = np.random.default_rng(1)


def at_limit(draws, limit, share):
    error = 4 * math.sqrt(share * (1 - share) * (1 / len(draws) + 1 / 9999))
    return (draws < limit).mean() <= share + error and (draws <= limit).mean() >= share - error


)code");
  for (size_t i = 0; table && i < table->rows.size() && i < s.analysis.samples.size(); ++i) {
    const std::optional<Estimate> &e = table->rows[i].estimate;
    if (!e)
      continue;
    s.values("y", s.analysis.samples[i]);
    s.check("median of " + table->rows[i].name,
            s.language() == Language::R ? "median(y)" : "np.median(y)", e->value);
    if (!e->interval)
      continue;
    if (e->interval->method == "order statistics") {
      s.code("at <- qbinom({tail}, length(y), 0.5); y <- sort(y)",
             "at = int(stats.binom.ppf({tail}, len(y), 0.5))\ny = np.sort(y)");
      bool r = s.language() == Language::R;
      s.check("lower limit", r ? "y[at]" : "y[at - 1]", e->interval->low);
      s.check("upper limit", r ? "y[length(y) + 1 - at]" : "y[len(y) - at]", e->interval->high);
      continue;
    }
    s.set("low", e->interval->low);
    s.set("high", e->interval->high);
    s.code("draws <- replicate(9999, median(y[sample.int(length(y), replace = TRUE)]))",
           "draws = np.median(random.choice(y, (9999, len(y))), axis=1)");
    s.check("lower limit holds its share", "at_limit(draws, {low}, {tail})", 1);
    s.check("upper limit holds its share", "at_limit(draws, {high}, 1 - {tail})", 1);
  }
}

} // namespace

std::vector<NamedRecipe> recipesOfResampling() {
  return {{"permutation_test", permutation},
          {"permutation_paired", permutationPaired},
          {"permutation_f", permutationF},
          {"bootstrap", medians}};
}

} // namespace imbrex::stats
