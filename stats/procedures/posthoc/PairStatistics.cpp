#include "stats/procedures/posthoc/PairStatistics.h"

#include "stats/procedures/groups/TTests.h"

#include <cmath>

namespace imbrex::stats {

GroupMoments::GroupMoments(const Groups &groups) : scale(groups) {
  double squares = 0;
  for (const std::vector<double> &group : groups) {
    moments.push_back(momentsOf(scale.scaled(group)));
    squares += moments.back().squares;
  }
  pooledVariance = squares / freedom();
}

double GroupMoments::freedom() const {
  double n = 0;
  for (const Moments &m : moments)
    n += static_cast<double>(m.n);
  return n - static_cast<double>(moments.size());
}

double GroupMoments::difference(size_t i, size_t j) const {
  return scale.difference(moments[i].mean - moments[j].mean);
}

double GroupMoments::pooledError(size_t i, size_t j) const {
  double parts = 1 / static_cast<double>(moments[i].n) + 1 / static_cast<double>(moments[j].n);
  return scale.difference(std::sqrt(pooledVariance * parts));
}

double GroupMoments::varianceOfMean(size_t i) const {
  return moments[i].variance() / static_cast<double>(moments[i].n);
}

double GroupMoments::ownError(size_t i, size_t j) const {
  return scale.difference(std::sqrt(varianceOfMean(i) + varianceOfMean(j)));
}

double GroupMoments::ownFreedom(size_t i, size_t j) const {
  double a = varianceOfMean(i), b = varianceOfMean(j), sum = a + b;
  double shareA = a / sum, shareB = b / sum;
  return 1 / (shareA * shareA / static_cast<double>(moments[i].n - 1) +
              shareB * shareB / static_cast<double>(moments[j].n - 1));
}

Estimate GroupMoments::estimate(size_t i, size_t j, double half, double level,
                                const char *method) const {
  double middle = difference(i, j);
  Estimate estimate{"difference of means", middle, {}};
  if (std::isfinite(half))
    estimate.interval = Interval{middle - half, middle + half, level, level, method};
  return estimate;
}

std::vector<EffectSize> pairEffects(std::span<const double> first, std::span<const double> second,
                                    double level) {
  return studentsT(first, second, {.level = level}).effects;
}

} // namespace imbrex::stats
