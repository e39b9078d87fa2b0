#include "stats/numeric/Distributions.h"
#include "stats/numeric/Ranks.h"
#include "stats/procedures/Tails.h"
#include "stats/procedures/anova/OneWay.h"

#include <algorithm>
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

/// Share of `sorted` below x, and half of those equal to it.
double shareBelow(const std::vector<double> &sorted, double x) {
  auto low = std::lower_bound(sorted.begin(), sorted.end(), x);
  auto high = std::upper_bound(low, sorted.end(), x);
  return (static_cast<double>(low - sorted.begin()) + static_cast<double>(high - low) / 2) /
         static_cast<double>(sorted.size());
}

double varianceOf(const std::vector<double> &values) {
  return momentsOf(values).variance() / static_cast<double>(values.size());
}

/// Variances of the relative effects where groups differ: each effect is a mean of the other
/// groups' distribution functions at the group's own values, less the means of its own distribution
/// function at theirs (the projection of Brunner, Konietschke, Pauly and Puri 2017).
std::vector<double> effectVariances(Groups groups) {
  double total = 0;
  for (std::vector<double> &group : groups) {
    std::sort(group.begin(), group.end());
    total += static_cast<double>(group.size());
  }
  std::vector<double> result;
  for (size_t i = 0; i < groups.size(); ++i) {
    std::vector<double> own(groups[i].size());
    double sum = 0;
    for (size_t j = 0; j < groups.size(); ++j) {
      if (j == i)
        continue;
      double weight = static_cast<double>(groups[j].size()) / total;
      for (size_t k = 0; k < own.size(); ++k)
        own[k] += weight * shareBelow(groups[j], groups[i][k]);
      std::vector<double> theirs;
      for (double x : groups[j])
        theirs.push_back(weight * shareBelow(groups[i], x));
      sum += varianceOf(theirs);
    }
    result.push_back(sum + varianceOf(own));
  }
  return result;
}

/// Symmetric on the logit scale, so that it stays inside (0, 1).
std::optional<Interval> logitInterval(double p, double variance, double level) {
  if (!(p > 0 && p < 1 && variance > 0))
    return std::nullopt;
  double reach = Normal().quantileUpper((1 - level) / 2) * std::sqrt(variance) / (p * (1 - p));
  double odds = std::log(p / (1 - p));
  return Interval{1 / (1 + std::exp(reach - odds)), 1 / (1 + std::exp(-reach - odds)), level, level,
                  "normal on the logit scale, approximate"};
}

void reportEffects(TestResult &result, const Groups &groups, const RelativeEffects &e,
                   double level) {
  std::vector<double> variances = effectVariances(groups);
  ResultTable table{.title = "relative effects"};
  for (size_t i = 0; i < groups.size(); ++i) {
    auto interval = logitInterval(e.effect[i], variances[i], level);
    std::string group = "group " + std::to_string(i + 1);
    ResultRow row{.name = group};
    row.estimate = Estimate{"probability of larger values", e.effect[i], interval};
    table.rows.push_back(std::move(row));
    result.effects.push_back({"relative effect of " + group, e.effect[i], interval});
  }
  result.tables.push_back(std::move(table));
}

} // namespace

TestResult brunnerDetteMunk(const Groups &groups, double level) {
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
  reportEffects(result, groups, e, level);
  return result;
}

} // namespace imbrex::stats
