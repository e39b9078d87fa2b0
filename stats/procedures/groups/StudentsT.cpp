#include "stats/numeric/Moments.h"
#include "stats/procedures/groups/TTests.h"

#include <cmath>

namespace imbrex::stats {

TestResult studentsT(std::span<const double> first, std::span<const double> second,
                     const LocationOptions &options) {
  TestResult result;
  result.id = "students_t";
  result.name = "Student's t-test";
  result.method = "pooled variance, n1 + n2 - 2 degrees of freedom";
  if (!acceptGroups(result, first, second, 1))
    return result;
  if (first.size() + second.size() < 3)
    return result.refused("both groups have a single value, so no variance can be estimated");
  Groups groups{{first.begin(), first.end()}, {second.begin(), second.end()}};
  CommonScale scale(groups);
  groups = scale.scaled(groups);
  Moments a = momentsOf(groups[0]), b = momentsOf(groups[1]);
  double na = double(a.n), nb = double(b.n), df = na + nb - 2;
  double spread = std::sqrt(1 / na + 1 / nb);
  double error = std::sqrt((a.squares + b.squares) / df) * spread;
  double difference = a.mean - b.mean;
  reportStudentized(result,
                    {"difference of means", scale.difference(difference),
                     difference - scale.scaledDifference(options.hypothesised), error,
                     scale.difference(error), df},
                    options.level);
  if (result.defined())
    reportDifference(result,
                     {"Cohen's d", "Hedges' g", result.statistic("t"), df, spread, "noncentral t"},
                     options.level);
  return result;
}

} // namespace imbrex::stats
