// Repeated measures of each subject under several conditions, on ranks within subjects.
#pragma once

#include "stats/procedures/TestResult.h"

#include <vector>

namespace imbrex::stats {

/// conditions[j][i] is the value of subject i. Q corrected for ties with its chi-square
/// approximation. Table "Friedman": "chi-square" again, "Iman-Davenport" (F, 1980, better in small
/// samples) and, where counting is feasible, "exact", conditional on the midranks. Effect:
/// Kendall's W with an approximate interval. Two conditions: as the sign test, with a note. Every
/// subject all tied: Undefined.
TestResult friedman(const std::vector<std::vector<double>> &conditions, double level = 0.95);

} // namespace imbrex::stats
