// Where statistics programs differ on the same data, as named options, bundled by program and
// version.
#pragma once

#include <string_view>

namespace imbrex::stats {

enum class Continuity { None, Half };

/// Differences of zero in signed-rank tests.
enum class Zeros {
  Drop,  // Wilcoxon 1945: leave them out, n shrinks
  Pratt, // Pratt 1959: rank with them, then leave their ranks out
  Split, // rank with them, half of their rank sum to each side
};

/// When a rank test counts permutations instead of approximating.
enum class ExactRule {
  NeverWithTies, // exact below the limit if there are no ties (and no zeros)
  WithTies,      // exact conditional on midranks below the limit
  Always, // exact at any size that fits the budget of work, else the approximation, with a note
  Never,
};

/// The two-sided p-value of a discrete distribution; the same without ties.
enum class TwoSidedExact {
  DoubledTail, // twice the smaller tail, at most 1
  Distance,    // everything at least as far from the expectation
};

enum class LeveneCentre { Mean, Median, TrimmedMean };

/// Sums of squares of unbalanced factorial designs.
enum class SumsOfSquares { TypeI, TypeII, TypeIII };

/// Yates' correction of 2x2 tables: at most |O-E| (Capped), or always half (Full).
enum class Yates { None, Capped, Full };

enum class OddsRatio { Conditional, Sample };

struct Conventions {
  std::string_view name;

  // Mann-Whitney: exact when both groups (R) or one group (SciPy) are below the limit.
  enum class SizeLimit { BothGroups, SmallerGroup };
  ExactRule rankSumExact = ExactRule::WithTies;
  int rankSumExactBelow = 50;
  SizeLimit rankSumLimit = SizeLimit::BothGroups;
  Continuity rankSumContinuity = Continuity::Half;

  // Signed rank: exact when n is below the limit; with ties or zeros below the other one.
  ExactRule signedRankExact = ExactRule::WithTies;
  int signedRankExactBelow = 50;
  int signedRankExactTiesBelow = 50;
  Zeros zeros = Zeros::Pratt;
  Continuity signedRankContinuity = Continuity::Half;

  TwoSidedExact twoSidedExact = TwoSidedExact::DoubledTail;

  // Kendall and Spearman: exact as the rule says; Spearman without ties by a series below its own
  // limit.
  ExactRule kendallExact = ExactRule::NeverWithTies;
  int kendallExactBelow = 50;
  bool kendallExactNearOrder = false; // up to 170 where at most one pair breaks the order
  Continuity kendallContinuity = Continuity::None;
  ExactRule spearmanExact = ExactRule::NeverWithTies;
  int spearmanExactBelow = 10;
  int spearmanSeriesBelow = 1290;

  LeveneCentre leveneCentre = LeveneCentre::Median;
  SumsOfSquares sumsOfSquares = SumsOfSquares::TypeII;
  Yates yates = Yates::Capped;
  OddsRatio oddsRatio = OddsRatio::Conditional;

  static constexpr Conventions R46() {
    Conventions c;
    c.name = "R-4.6";
    return c;
  }
  static constexpr Conventions R42() {
    Conventions c;
    c.name = "R-4.2";
    c.rankSumExact = ExactRule::NeverWithTies;
    c.signedRankExact = ExactRule::NeverWithTies;
    c.zeros = Zeros::Drop;
    return c;
  }
  static constexpr Conventions SciPy() {
    Conventions c;
    c.name = "SciPy";
    c.rankSumExact = ExactRule::NeverWithTies;
    c.rankSumExactBelow = 9;
    c.rankSumLimit = SizeLimit::SmallerGroup;
    c.signedRankExactBelow = 51;
    c.signedRankExactTiesBelow = 14;
    c.zeros = Zeros::Drop;
    c.signedRankContinuity = Continuity::None;
    c.kendallExactBelow = 34;
    c.kendallExactNearOrder = true;
    c.spearmanExact = ExactRule::Never;
    c.spearmanSeriesBelow = 0; // Student's t always
    c.oddsRatio = OddsRatio::Sample;
    return c;
  }
};

} // namespace imbrex::stats
