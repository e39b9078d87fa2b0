// Effect sizes of F tests: shares of variance with intervals by the noncentral F distribution.
#pragma once

#include "stats/procedures/TestResult.h"

#include <optional>
#include <string>

namespace imbrex::stats {

/// A term's F and the values `n` of the whole design. Without further terms n = df1 + df2 + 1.
struct TermShare {
  double f, df1, df2, n;
};

/// lambda / (lambda + n) at both limits of lambda (Steiger 2004); nothing when F is not finite.
std::optional<Interval> varianceShareInterval(const TermShare &term, double level);
inline std::optional<Interval> varianceShareInterval(double f, double df1, double df2,
                                                     double level) {
  return varianceShareInterval({f, df1, df2, df1 + df2 + 1}, level);
}

/// The same for the term's share of itself and `rest`, sums of squares of other sources that are
/// held as they are, in units of the error's mean square: of the total, or all errors of a mixed
/// design.
std::optional<Interval> heldShareInterval(double f, double df1, double df2, double rest,
                                          double level);

/// Adds eta squared = SS / (SS + SSE), omega squared = df1 (F - 1) / (df1 (F - 1) + n) (Keren and
/// Lewis 1979; Olejnik and Algina 2000) and epsilon squared, named with `prefix` ("", "partial ").
void reportVarianceShares(std::vector<EffectSize> &effects, const std::string &prefix,
                          const TermShare &term, double level);

} // namespace imbrex::stats
