// Repeated measures of each subject under several conditions, on ranks within subjects.
#pragma once

#include "stats/procedures/TestResult.h"

#include <vector>

namespace imbrex::stats {

/// conditions[j][i] is the value of subject i. Q corrected for ties with its chi-square
/// approximation; Iman and Davenport's F (1980), better in small samples, as second line of the
/// table "Friedman"; Kendall's W with an approximate interval. Two conditions: as the sign test,
/// with a note. Every subject all tied: Undefined.
TestResult friedman(const std::vector<std::vector<double>> &conditions, double level = 0.95);

} // namespace imbrex::stats
