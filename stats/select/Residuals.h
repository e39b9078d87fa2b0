// What is left of a variable when its model is taken out.
#pragma once

#include "stats/select/Measure.h"

namespace imbrex::stats {

/// Residuals of y by its explanatory variables, in no particular order. Between subjects: least
/// squares with all interactions of factors, and covariates. One factor within subjects: without
/// the participant and the condition; with another factor between subjects: without the participant
/// and the cell. E1255 for other designs, and when no residual is left.
Result<std::vector<double>> modelResiduals(const Situation &situation,
                                           const std::vector<std::string> &xs,
                                           const std::string &y);

} // namespace imbrex::stats
