// Fisher's exact test for tables of any size (Freeman and Halton 1951): the probability, given the
// margins, of all tables that are at most as probable as the observed one.
//
// The network of Mehta and Patel (1983): a node is what remains of the row sums after some columns;
// equal nodes up to order are one. The longest and shortest way from each node to the end are
// computed once, and settle most pasts without walking further. Cost grows with nodes times
// fillings of a column; beyond `workLimit` the caller samples.
#pragma once

#include "stats/procedures/resampling/Random.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace imbrex::stats {

/// Row-major counts with positive margins.
struct CountTable {
  size_t rows = 0, columns = 0;
  std::vector<int64_t> counts;

  int64_t at(size_t row, size_t column) const { return counts[row * columns + column]; }
  std::vector<int64_t> rowSums() const;
  std::vector<int64_t> columnSums() const;
  int64_t total() const;
};

inline constexpr double defaultTableWork = 3e7;

/// Nothing when the work would exceed the limit.
std::optional<double> exactTableP(const CountTable &table, double workLimit = defaultTableWork);

struct SampledP {
  double p = 1;
  double standardError = 0;
  int64_t samples = 0;
};

/// (hits + 1) / (samples + 1) over tables drawn with the margins of `table` (as Patefield 1981
/// draws them).
SampledP sampledTableP(const CountTable &table, int64_t samples, Random &random);

} // namespace imbrex::stats
