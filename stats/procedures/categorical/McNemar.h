// McNemar's test: does the share of a category differ between two measurements of the same
// subjects? Row: first measurement, column: second; only the cells off the diagonal count.
// "greater": the first category is more frequent in the first measurement. Effect sizes: the odds
// ratio b/c and Cohen's g, with Clopper-Pearson intervals.
#pragma once

#include "stats/procedures/categorical/ContingencyTable.h"

namespace imbrex::stats {

enum class McNemarMethod {
  Exact,       // binomial
  Corrected,   // chi-square with Edwards' correction (none when b = c)
  Uncorrected, // chi-square
};

TestResult mcnemar(const ContingencyTable &table, McNemarMethod method, double level = 0.95);

} // namespace imbrex::stats
