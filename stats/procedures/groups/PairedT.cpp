#include "stats/numeric/Moments.h"
#include "stats/procedures/Tails.h"
#include "stats/procedures/groups/TTests.h"

#include <cmath>

namespace imbrex::stats {
namespace {

/// Differences in the common scale, so that values near the largest double do not overflow.
std::vector<double> scaledDifferences(const CommonScale &scale, std::span<const double> first,
                                      std::span<const double> second) {
  std::vector<double> result(first.size());
  for (size_t i = 0; i < first.size(); ++i) {
    double d = first[i] - second[i];
    result[i] = std::isfinite(d) ? scale.scaledDifference(d)
                                 : scale.scaled(first[i]) - scale.scaled(second[i]);
  }
  return result;
}

/// Differences of pairs carry the roundoff of both values: a spread within it is none.
bool isRoundoff(const Moments &d, const CommonScale &scale, std::span<const double> first,
                std::span<const double> second) {
  double largest = 0;
  for (std::span<const double> values : {first, second})
    for (double x : values)
      largest = std::fmax(largest, std::fabs(scale.scaledDifference(x)));
  return std::sqrt(d.squares / double(d.n)) <= 0x1p-51 * largest;
}

} // namespace

TestResult pairedT(std::span<const double> first, std::span<const double> second,
                   const LocationOptions &options) {
  TestResult result;
  result.id = "paired_students_t";
  result.name = "paired t-test";
  result.method = "Student's t on the differences, pairs - 1 degrees of freedom";
  if (!acceptPairs(result, first, second, 2))
    return result;
  CommonScale scale(Groups{{first.begin(), first.end()}, {second.begin(), second.end()}});
  Moments d = momentsOf(scaledDifferences(scale, first, second));
  if (isRoundoff(d, scale, first, second))
    d.squares = 0;
  double n = double(d.n), error = d.deviation() / std::sqrt(n);
  reportStudentized(result,
                    {"mean difference", scale.difference(d.mean),
                     d.mean - scale.scaledDifference(options.hypothesised), error,
                     scale.difference(error), n - 1},
                    options.level);
  if (result.defined())
    reportDifference(result,
                     {"Cohen's d_z", "Hedges' g_z", result.statistic("t"), n - 1, 1 / std::sqrt(n),
                      "noncentral t"},
                     options.level);
  else if (error == 0 && d.mean == 0)
    result.undefined("all differences are zero: t would be 0/0");
  return result;
}

} // namespace imbrex::stats
