#include "stats/numeric/Ranks.h"
#include "stats/procedures/Tails.h"
#include "stats/procedures/anova/OneWay.h"

#include <cmath>

namespace imbrex::stats {
namespace {

/// Mean ranks of the groups and the variances of these means, both over N.
struct RelativeEffects {
  std::vector<double> effect, variance, size;
};

RelativeEffects effectsOf(const Groups &groups, const Ranking &ranking) {
  RelativeEffects result;
  auto total = static_cast<double>(ranking.doubled.size());
  size_t at = 0;
  for (const std::vector<double> &group : groups) {
    std::vector<double> ranks;
    for (size_t i = 0; i < group.size(); ++i)
      ranks.push_back(ranking.rank(at++));
    Moments moments = momentsOf(ranks);
    auto n = static_cast<double>(group.size());
    result.effect.push_back((moments.mean - 0.5) / total);
    result.variance.push_back(moments.variance() / (total * n));
    result.size.push_back(n);
  }
  return result;
}

} // namespace

TestResult brunnerDetteMunk(const Groups &groups) {
  TestResult result;
  result.id = "brunner_dette_munk";
  result.name = "Brunner-Dette-Munk test";
  result.method = "F approximation of the ANOVA-type rank statistic";
  if (!acceptManyGroups(result, groups, 2))
    return result;
  std::vector<double> all;
  for (const std::vector<double> &group : groups)
    all.insert(all.end(), group.begin(), group.end());
  RelativeEffects e = effectsOf(groups, midranks(all));
  auto k = static_cast<double>(groups.size()), n = static_cast<double>(all.size());
  // With T = I - J/k and V the diagonal of variances: traces of TV, (TV)^2 and, for the second df,
  // of T V on its own.
  double mean = 0, sum = 0, squares = 0, bySize = 0;
  for (size_t i = 0; i < groups.size(); ++i) {
    mean += e.effect[i] / k;
    sum += e.variance[i];
    squares += e.variance[i] * e.variance[i];
    bySize += e.variance[i] * e.variance[i] / (e.size[i] - 1);
  }
  if (!(sum > 0))
    return result.undefined("ranks do not vary within groups: the statistic would be divided by 0");
  double spread = 0;
  for (double effect : e.effect)
    spread += (effect - mean) * (effect - mean);
  double trace = (1 - 1 / k) * sum, f = n * spread / trace;
  double traceOfSquare = (1 - 2 / k) * squares + sum * sum / (k * k);
  double df1 = trace * trace / traceOfSquare, df2 = sum * sum / bySize;
  result.df = {{"df between", df1}, {"df within", df2}};
  result.statistics = {{"F", f}};
  result.p = fisherFTail(f, df1, df2);
  ResultTable table{.title = "relative effects"};
  for (size_t i = 0; i < groups.size(); ++i)
    table.rows.push_back({.name = "group " + std::to_string(i + 1),
                          .numbers = {{"probability of larger values", e.effect[i]}}});
  result.tables.push_back(std::move(table));
  return result;
}

} // namespace imbrex::stats
