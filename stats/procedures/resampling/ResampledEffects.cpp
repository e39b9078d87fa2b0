#include "stats/procedures/resampling/ResampledEffects.h"

#include "stats/procedures/resampling/Bootstrap.h"

#include <algorithm>
#include <cmath>

namespace imbrex::stats {
namespace {

constexpr size_t mostForBCa = 2000;

double difference(const Groups &data) {
  double mean = momentsOf(data[0]).mean;
  return data.size() == 1 ? mean : mean - momentsOf(data[1]).mean;
}

double standardised(const Groups &data) {
  double squares = 0, df = 0;
  for (const std::vector<double> &group : data) {
    squares += momentsOf(group).squares;
    df += static_cast<double>(group.size()) - 1;
  }
  return difference(data) / std::sqrt(squares / df);
}

/// Nothing where resamples do not vary: groups of one value each say nothing about error.
std::optional<Interval> intervalOf(const Groups &data, const Statistic &statistic,
                                   const BootstrapOptions &how) {
  std::optional<Interval> interval =
      bootstrap(data, Resampling::WithinGroups, statistic, how).interval;
  return interval && interval->low < interval->high ? interval : std::nullopt;
}

} // namespace

void reportResampledDifference(TestResult &result, const Groups &data,
                               const PermutationOptions &options) {
  if (!options.level)
    return;
  size_t n = 0;
  for (const std::vector<double> &group : data)
    n += group.size();
  BootstrapOptions how{.method =
                           n > mostForBCa ? BootstrapMethod::Percentile : BootstrapMethod::BCa,
                       .samples = 1999,
                       .seed = options.seed,
                       .level = *options.level,
                       .standardError = {}};
  if (result.estimate)
    result.estimate->interval = intervalOf(data, difference, how);
  double d = standardised(data);
  if (!std::isfinite(d))
    return;
  result.effects.push_back({data.size() == 1 ? "Cohen's d_z" : "Cohen's d", d,
                            intervalOf(data, standardised, how),
                            EffectDirection::FirstMinusSecond});
}

} // namespace imbrex::stats
