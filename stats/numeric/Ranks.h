// Midranks: tied values share the mean of the ranks they cover. O(n log n).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace imbrex::stats {

struct Ranking {
  /// Twice the rank of each value, in the order of the input: midranks are halves, so these are
  /// integers from 2 to 2n.
  std::vector<int64_t> doubled;
  /// Sizes of the groups of equal values with two or more members, in increasing order of the
  /// value.
  std::vector<int64_t> ties;

  double rank(size_t index) const { return static_cast<double>(doubled[index]) / 2; }
  std::vector<double> ranks() const;
  bool hasTies() const { return !ties.empty(); }
  /// Sum of t^3 - t over the groups of ties, in double: 32-bit and 64-bit products overflow on
  /// large data.
  double tieTerm() const;
};

/// Values must be finite; equal means ==.
Ranking midranks(std::span<const double> values);

/// Replaces values that differ by roundoff only by one of them, so that differences equal on paper
/// (0.3-0.2 and 0.2-0.1) tie: neighbours in order that are closer than the larger of their
/// `tolerances`. Values within their tolerance of zero become zero. Values must not be negative.
std::vector<double> mergeRoundoff(std::span<const double> values,
                                  std::span<const double> tolerances);

} // namespace imbrex::stats
