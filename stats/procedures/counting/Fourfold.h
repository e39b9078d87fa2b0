// Tables with fixed margins: the hypergeometric distribution and its noncentral form (Fisher 1935),
// accurate in relative terms for counts up to 2^53.
#pragma once

#include <cstdint>

namespace imbrex::stats {

/// Of `marked` + `unmarked` items `drawn` are taken; the variable counts the marked ones among
/// them.
struct Fourfold {
  double marked, unmarked, drawn;

  double least() const;
  double most() const;
  /// The most probable value.
  double mode() const;
  /// By deviances (Loader 2000), so that the error does not grow with the counts.
  double logProbability(double value) const;
  /// P(X = value + 1) / P(X = value).
  double ratioUp(double value) const;
  double atMost(double value) const;
  double atLeast(double value) const;
  /// Sum of the probabilities that do not exceed that of `value` by more than a relative 1e-7.
  double asUnlikelyAs(double value) const;
};

/// The same with each probability weighted by odds^value.
struct NoncentralFourfold {
  Fourfold central;
  double logOdds;

  double mode() const;
  double mean() const;
  double atMost(double value) const;
  double atLeast(double value) const;
};

} // namespace imbrex::stats
