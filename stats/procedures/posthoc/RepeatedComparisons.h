// Comparisons after an analysis of variance with factors within subjects, perhaps also between.
//
// Levels of a factor within subjects are compared by paired t-tests, those of one between them by
// Welch's, so that neither sphericity nor equal variances are assumed. Values over which is
// averaged are averaged in each subject first. p adjusted by Holm over all rows of the table
// "comparisons"; number "raw p"; effects Cohen's d_z or d with intervals.
#pragma once

#include "stats/procedures/anova/Repeated.h"

#include <string>

namespace imbrex::stats {

enum class ComparisonScope {
  Marginal, // over all levels of the other factors: rows "a - b"
  Simple,   // within each combination of them: rows "a - b at c, d"
};

/// Two levels and what is compared: subjects in the same order where `paired`.
struct ComparedLevels {
  std::string name;
  std::vector<double> first, second;
};
struct LevelPairs {
  bool paired = false;
  std::vector<ComparedLevels> pairs; // empty: the design has no such factor
};
/// The samples behind the rows of repeatedComparisons, in their order.
LevelPairs levelPairs(const RepeatedDesign &design, const std::string &factor,
                      ComparisonScope scope);

/// Refused where the design has no such factor; a pair without an answer has no p-value.
TestResult repeatedComparisons(const RepeatedDesign &design, const std::string &factor,
                               ComparisonScope scope);

} // namespace imbrex::stats
