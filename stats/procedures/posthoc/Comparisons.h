// What comparisons of all pairs of groups have in common: their input, their order, and the table
// they fill.
//
// Pairs come in the order of the groups: "A - B", "A - C", "B - C"; a positive difference means
// that the first of the pair is larger. In the table "comparisons" the p-value of a row is the
// adjusted one and the number "raw p" the unadjusted one (NaN where the procedure has only one). A
// pair without an answer (0/0) has no p-value.
#pragma once

#include "stats/numeric/Moments.h"
#include "stats/procedures/TestResult.h"
#include "stats/procedures/posthoc/Adjust.h"

#include <functional>
#include <string>
#include <vector>

namespace imbrex::stats {

struct NamedGroups {
  Groups values;
  std::vector<std::string> names; // as many as groups, or none: 1, 2, …

  std::string name(size_t group) const;
  std::string pair(size_t first, size_t second) const { return name(first) + " - " + name(second); }
};

/// Fills in n; refuses fewer than two groups, values that are not finite, a group with fewer than
/// `least` values (named).
bool acceptComparisons(TestResult &result, const NamedGroups &groups, size_t least);

/// The table "comparisons" with one row a pair, filled by `compare`, then adjusted. Rows whose
/// number "raw p" is NaN stay without p-value.
using ComparePair = std::function<void(ResultRow &row, size_t first, size_t second)>;
void compareAll(TestResult &result, const NamedGroups &groups, Adjustment adjustment,
                const ComparePair &compare);

/// The same for procedures that are simultaneous already: the row's p-value stays.
void compareAll(TestResult &result, const NamedGroups &groups, const ComparePair &compare);

} // namespace imbrex::stats
