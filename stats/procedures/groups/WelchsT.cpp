#include "stats/numeric/Moments.h"
#include "stats/procedures/groups/TTests.h"

#include <cmath>

namespace imbrex::stats {

TestResult welchsT(std::span<const double> first, std::span<const double> second,
                   const LocationOptions &options) {
  TestResult result;
  result.id = "welchs_t";
  result.name = "Welch's t-test";
  result.method = "separate variances, Satterthwaite's degrees of freedom";
  if (!acceptGroups(result, first, second, 2))
    return result;
  Groups groups{{first.begin(), first.end()}, {second.begin(), second.end()}};
  CommonScale scale(groups);
  groups = scale.scaled(groups);
  Moments a = momentsOf(groups[0]), b = momentsOf(groups[1]);
  double na = double(a.n), nb = double(b.n);
  double va = a.variance() / na, vb = b.variance() / nb, total = va + vb;
  // In shares of the total, so that neither underflows; with both 0 any df says the same.
  double sa = total > 0 ? va / total : 0.5, sb = total > 0 ? vb / total : 0.5;
  double df = 1 / (sa * sa / (na - 1) + sb * sb / (nb - 1));
  double error = std::sqrt(total), difference = a.mean - b.mean;
  reportStudentized(result,
                    {"difference of means", scale.difference(difference),
                     difference - scale.scaledDifference(options.hypothesised), error,
                     scale.difference(error), df},
                    options.level);
  double average = std::sqrt((a.variance() + b.variance()) / 2);
  if (result.defined())
    reportDifference(result,
                     {"Cohen's d", "Hedges' g", result.statistic("t"), df,
                      average > 0 ? error / average : std::sqrt(1 / na + 1 / nb),
                      "noncentral t with Welch's df, approximate"},
                     options.level);
  return result;
}

} // namespace imbrex::stats
