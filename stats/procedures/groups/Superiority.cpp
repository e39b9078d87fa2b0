// The interval of A12 (Newcombe 2006, Statistics in Medicine 25: 559-573, method 5): variance of
// Hanley and McNeil at theta, both group sizes replaced by their mean where they inflate it.
#include "stats/numeric/Distributions.h"
#include "stats/numeric/Roots.h"
#include "stats/procedures/groups/RankTests.h"

#include <cmath>

namespace imbrex::stats {

Interval superiorityInterval(double a12, double n1, double n2, double level) {
  double z = Normal().quantileUpper((1 - level) / 2), half = (n1 + n2) / 2 - 1;
  auto distance = [&](double theta, double sign) {
    double variance = theta * (1 - theta) *
                      (1 + half * ((1 - theta) / (2 - theta) + theta / (1 + theta))) / (n1 * n2);
    return theta - a12 + sign * z * std::sqrt(std::fmax(variance, 0));
  };
  // At 0 and 1 the variance vanishes: an estimate there must not count as its own limit.
  const double edge = 1e-12;
  auto low = findRoot([&](double t) { return distance(t, 1); }, 0, std::fmin(a12, 1 - edge));
  auto high = findRoot([&](double t) { return distance(t, -1); }, std::fmax(a12, edge), 1);
  return {low.value_or(0), high.value_or(1), level, level, "Newcombe's method 5"};
}

} // namespace imbrex::stats
