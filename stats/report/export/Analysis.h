// One analysis as it was run, for scripts that repeat it elsewhere: the values the procedure saw,
// its options, its result.
#pragma once

#include "stats/numeric/Moments.h"
#include "stats/procedures/Conventions.h"
#include "stats/procedures/TestResult.h"
#include "stats/procedures/counting/TableCounts.h"

#include <string>
#include <vector>

namespace imbrex::stats {

/// A column of a model's data: numbers, or codes of categories.
struct AnalysedColumn {
  std::string name;
  std::vector<double> numbers;
  std::vector<int> codes;
  std::vector<std::string> categories; // empty: numbers

  bool categorical() const { return !categories.empty(); }
};

/// Which member holds the data depends on the procedure; the others are empty.
struct Analysis {
  std::string procedure; // id in the knowledge base
  std::string title;     // "Prob by So": a comment in the script

  /// Two groups; pairs or repeated measures (one vector a condition, subjects in the same order);
  /// several groups; one sample; two columns of an association (further ones are covariates).
  Groups samples;
  /// Of the samples. Comparisons of marginal means: the factor, and perhaps its two levels.
  std::vector<std::string> names;
  /// Two categorical variables.
  CountTable counts;
  /// A model: the outcome first, then factors and covariates.
  /// Repeated measures: `samples` are the combinations of the factors within subjects, the last one
  /// fastest; these factors are `within`, without values, and `columns` those between subjects.
  std::vector<AnalysedColumn> columns, within;

  Conventions conventions = Conventions::R46();
  Alternative alternative = Alternative::TwoSided;
  double hypothesised = 0;
  double factor = 1; // that multiplies the second of two marginal means
  double level = 0.95;
  uint64_t seed = 1;
  TestResult result;
};

} // namespace imbrex::stats
