// Fisher's exact test of a table of any size (Freeman and Halton 1951). Exact while the work stays
// within a budget; then estimated from seeded random tables with the same margins, and the method
// says so with the Monte-Carlo error. Empty rows and columns change nothing and are left out.
#pragma once

#include "stats/procedures/categorical/ContingencyTable.h"

namespace imbrex::stats {

struct TableSampling {
  double workLimit = defaultTableWork;
  int64_t samples = 100000;
  uint64_t seed = 1;
};

TestResult fisherExactTable(const ContingencyTable &table, const TableSampling &sampling = {},
                            double level = 0.95);

} // namespace imbrex::stats
