// Means, variances and errors of pairs of groups, free of cancellation at any offset and scale.
#pragma once

#include "stats/procedures/posthoc/ComparisonsOfMeans.h"

namespace imbrex::stats {

class GroupMoments {
public:
  explicit GroupMoments(const Groups &groups);

  double freedom() const; // N - k
  double difference(size_t i, size_t j) const;
  /// Standard error of the difference with the deviation pooled over all groups, and with each
  /// group's own.
  double pooledError(size_t i, size_t j) const;
  double ownError(size_t i, size_t j) const;
  /// Welch's degrees of freedom.
  double ownFreedom(size_t i, size_t j) const;
  Estimate estimate(size_t i, size_t j, double half, double level, const char *method) const;

private:
  double varianceOfMean(size_t i) const;

  CommonScale scale;
  std::vector<Moments> moments; // scaled
  double pooledVariance = 0;    // scaled
};

/// Cohen's d and Hedges' g of two groups, or nothing when they have no spread.
std::vector<EffectSize> pairEffects(std::span<const double> first, std::span<const double> second,
                                    double level);

} // namespace imbrex::stats
