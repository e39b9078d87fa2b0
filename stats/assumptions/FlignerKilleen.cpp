#include "stats/assumptions/Variances.h"
#include "stats/numeric/Distributions.h"
#include "stats/numeric/Ranks.h"
#include "stats/procedures/Tails.h"
#include "stats/procedures/anova/OneWay.h"

#include <cmath>

namespace imbrex::stats {

TestResult flignerKilleen(const Groups &groups) {
  TestResult result;
  result.id = "fligner_killeen";
  result.name = "Fligner-Killeen test";
  result.method = "chi-square approximation, distances from the medians";
  if (!acceptManyGroups(result, groups, 1))
    return result;
  // Ranked as computed: distances that are equal on paper may differ by roundoff, as in R, whose
  // values these are.
  std::vector<double> distances;
  for (const auto &group : groups) {
    double middle = medianOf(group);
    for (double x : group)
      distances.push_back(std::fabs(x - middle));
  }
  if (!allFinite(distances))
    return result.refused("a distance from the median overflows");
  Ranking ranking = midranks(distances);
  double n = double(distances.size()), k = double(groups.size());
  Groups scores;
  size_t at = 0;
  for (const auto &group : groups) {
    scores.emplace_back();
    for (size_t i = 0; i < group.size(); ++i)
      scores.back().push_back(Normal().quantile((1 + ranking.rank(at++) / (n + 1)) / 2));
  }
  result.df = {{"df", k - 1}};
  OneWaySums sums = oneWaySums(scores);
  double total = sums.between + sums.within;
  if (!(total > 0))
    return result.undefined("all values lie equally far from the median of their group");
  double statistic = sums.between / (total / (n - 1));
  result.statistics = {{"chi-square", statistic}};
  result.p = chiSquaredTail(statistic, k - 1);
  return result;
}

} // namespace imbrex::stats
