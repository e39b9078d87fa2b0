// Fisher's exact test of a 2 x 2 table. Two-sided: all tables at most as probable as the observed
// one, where probabilities within a relative 1e-7 count as equal. "greater" means an odds ratio
// above 1.
//
// The odds ratio is the conditional maximum-likelihood estimate, solved to the last bits (the
// convention may ask for the sample odds ratio ad/bc as the effect); its interval inverts both
// one-sided tests. An empty row or column leaves p = 1 and no odds ratio. Tables of any count up to
// 2^53: the cost grows with the standard deviation of a cell.
#pragma once

#include "stats/procedures/Conventions.h"
#include "stats/procedures/categorical/ContingencyTable.h"

namespace imbrex::stats {

TestResult fisherExact(const ContingencyTable &table, OddsRatio oddsRatio, double level = 0.95);

} // namespace imbrex::stats
