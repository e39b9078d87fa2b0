#include "stats/assumptions/Variances.h"
#include "stats/procedures/Tails.h"
#include "stats/procedures/anova/OneWay.h"

#include <cmath>

namespace imbrex::stats {

TestResult bartlett(const Groups &groups) {
  TestResult result;
  result.id = "bartlett";
  result.name = "Bartlett's test";
  result.method = "chi-square approximation";
  if (!acceptManyGroups(result, groups, 2))
    return result;
  OneWaySums sums = oneWaySums(CommonScale(groups).scaled(groups));
  double k = double(groups.size());
  result.df = {{"df", k - 1}};
  if (sums.within == 0)
    return result.undefined("no group varies");
  double pooled = sums.within / sums.dfWithin;
  Sum ratio, inverse;
  for (const Moments &m : sums.moments) {
    ratio.add(double(m.n - 1) *
              std::log(pooled / m.variance())); // infinite for one that does not vary
    inverse.add(1 / double(m.n - 1));
  }
  double correction = 1 + (inverse.value() - 1 / sums.dfWithin) / (3 * (k - 1));
  double statistic = ratio.value() / correction;
  if (std::isnan(statistic)) { // the compensation of an infinite sum
    statistic = INFINITY;
    result.notes.push_back("a group does not vary: the statistic is infinite");
  }
  result.statistics = {{"K squared", std::fmax(0, statistic)}};
  result.p = chiSquaredTail(statistic, k - 1);
  return result;
}

} // namespace imbrex::stats
