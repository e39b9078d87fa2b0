// Adjusting p-values for the number of tests.
//
// A p-value that is NaN (a test without an answer) stays NaN and does not count as a test. Results
// lie in [0, 1], are in the order of the input, and keep its order of size.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace imbrex::stats {

enum class Adjustment {
  None,
  Bonferroni,
  Holm,     // step-down; never less powerful than Bonferroni; the default for families of tests
  Hochberg, // step-up; needs independence or positive dependence
  BenjaminiHochberg, // false discovery rate under the same
  BenjaminiYekutieli // false discovery rate under any dependence
};

std::string_view nameOf(Adjustment adjustment);
std::vector<double> adjustPValues(std::span<const double> p, Adjustment adjustment);

} // namespace imbrex::stats
