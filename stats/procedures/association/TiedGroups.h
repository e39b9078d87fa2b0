// The distinct values of a column, in increasing order, and how often each occurs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace imbrex::stats {

struct TiedGroups {
  explicit TiedGroups(std::span<const double> values);

  std::vector<int32_t> sizes;
  std::vector<size_t> groupOf; // of each value, in the order of the input

  /// How many ways there are to have used some of each: the states of countArrangements.
  double states() const;
  /// Midranks of the groups, from 0 and divided by their common divisor: whole numbers as small as
  /// possible.
  std::vector<int64_t> reducedRanks() const;
};

} // namespace imbrex::stats
