#include "stats/numeric/Moments.h"
#include "stats/procedures/groups/TTests.h"

#include <cmath>

namespace imbrex::stats {

TestResult oneSampleT(std::span<const double> values, const LocationOptions &options) {
  TestResult result;
  result.id = "one_sample_t";
  result.name = "one-sample t-test";
  result.method = "Student's t on n - 1 degrees of freedom";
  if (!acceptSample(result, values, 2))
    return result;
  CommonScale scale(values);
  Moments moments = momentsOf(scale.scaled(values));
  double n = double(moments.n), error = moments.deviation() / std::sqrt(n);
  double difference = moments.mean - scale.scaled(options.hypothesised);
  reportStudentized(
      result,
      {"mean", scale.location(moments.mean), difference, error, scale.difference(error), n - 1},
      options.level);
  if (result.defined())
    reportDifference(
        result,
        {"Cohen's d", "Hedges' g", result.statistic("t"), n - 1, 1 / std::sqrt(n), "noncentral t"},
        options.level);
  return result;
}

} // namespace imbrex::stats
