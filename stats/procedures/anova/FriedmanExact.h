// The exact p-value of Friedman's statistic: over all rearrangements of each subject's (mid)ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace imbrex::stats {

/// `doubledRanks[i]` are twice the ranks of subject i. P of rank sums at least as far from each
/// other as observed. Dynamic programming over the sorted sums of conditions; nothing when that
/// takes more than some ten million steps (five conditions and ten subjects are about the limit) or
/// there are more than 6 conditions.
std::optional<double> friedmanExactP(const std::vector<std::vector<int64_t>> &doubledRanks);

} // namespace imbrex::stats
