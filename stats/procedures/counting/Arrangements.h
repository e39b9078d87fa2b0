// Exact null distribution of a score over all arrangements of tied values: the groups of one
// variable are dealt the values of the other, every deal equally likely. Spearman's and Kendall's
// exact p-values with ties are tails of it.
//
// Dynamic programming over how many of each value are used so far (Streitberg and Röhmel 1986 do
// this for two groups). Cost: states times deals times distinct scores; `workLimit` bounds it,
// because without ties the states are 2^n.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace imbrex::stats {

/// weight[i] arrangements have score least + i. Weights are exact while they fit in 53 bits and
/// never negative, so that small tails keep their relative accuracy.
struct ScoreDistribution {
  int64_t least = 0;
  std::vector<double> weight;

  double total() const;
  double atMost(int64_t score) const;  // probability
  double atLeast(int64_t score) const; // probability
  /// P(|score - centre| >= distance), both in halves of a score so that a centre between scores is
  /// exact.
  double asFar(int64_t twiceCentre, int64_t twiceDistance) const;
};

/// `groups`: sizes of the groups of one variable, in order. `values`: multiplicity of each distinct
/// value of the other; both sum to n. The score gained by dealing a value of kind k to group g when
/// `used` of each kind were dealt to earlier groups is gain(g, k, used).
struct ArrangementProblem {
  std::vector<int32_t> groups;
  std::vector<int32_t> values;
  std::function<int64_t(size_t group, size_t kind, std::span<const int32_t> used)> gain;
};

inline constexpr double defaultArrangementWork = 2e8;

/// Nothing when the work would exceed the limit, or a state does not fit in 64 bits.
std::optional<ScoreDistribution> countArrangements(const ArrangementProblem &problem,
                                                   double workLimit = defaultArrangementWork);

} // namespace imbrex::stats
