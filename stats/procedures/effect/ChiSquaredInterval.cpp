#include "stats/procedures/effect/ChiSquaredInterval.h"

#include "stats/numeric/NoncentralLimits.h"

#include <algorithm>
#include <cmath>

namespace imbrex::stats {
namespace {

constexpr const char *method = "noncentral chi-square";

} // namespace

std::optional<Interval> rootInterval(double statistic, double df, double scale, double level,
                                     double most) {
  auto limits = noncentralityOfChiSquared(statistic, df, level);
  if (!limits || !(scale > 0))
    return std::nullopt;
  return Interval{std::min(most, std::sqrt(limits->first / scale)),
                  std::min(most, std::sqrt(limits->second / scale)), level, level, method};
}

std::optional<Interval> shareInterval(double statistic, double df, double scale, double level) {
  auto limits = noncentralityOfChiSquared(statistic, df, level);
  if (!limits || !(scale > 0))
    return std::nullopt;
  return Interval{std::min(1.0, limits->first / scale), std::min(1.0, limits->second / scale),
                  level, level, method};
}

} // namespace imbrex::stats
