// What is left of a variable when its model is taken out.
#pragma once

#include "stats/select/Measure.h"

namespace imbrex::stats {

/// Residuals of y by its explanatory variables, in no particular order. Between subjects: least
/// squares with all interactions of factors, and covariates. Factors within subjects: without
/// the participant and the combination of conditions, in each group of participants that factors
/// between subjects form. E1255 for repeated measures with numeric explanatory variables, and when
/// no participant is complete; E1220 when participants cannot be matched.
Result<std::vector<double>> modelResiduals(const Situation &situation,
                                           const std::vector<std::string> &xs,
                                           const std::string &y);

} // namespace imbrex::stats
