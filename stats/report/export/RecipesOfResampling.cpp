// The permutation test of two groups: in full where it was exact, else with other random
// arrangements, which agree within the Monte-Carlo error of both.
#include "stats/report/export/Recipes.h"

#include <algorithm>
#include <cmath>

namespace imbrex::stats {
namespace {

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
  if (auto p = s.analysis.result.p.undirected) {
    double error = std::sqrt(2 * std::max(p->value, 1e-4) / 20000) + 1e-4;
    s.checkP("p", 4 * error / p->value);
  }
}

} // namespace

std::vector<NamedRecipe> recipesOfResampling() { return {{"permutation_test", permutation}}; }

} // namespace imbrex::stats
