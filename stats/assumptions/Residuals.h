// Are the residuals of a regression as it assumes?
#pragma once

#include "stats/procedures/regression/Regression.h"

namespace imbrex::stats {

/// Breusch and Pagan's test in Koenker's form (1981): does the variance of the residuals change
/// with the predictors? n R squared of the squared residuals on the predictors, chi-square. A small
/// p speaks against equal variances.
TestResult breuschPagan(const std::vector<Predictor> &predictors,
                        const std::vector<double> &residuals);

/// Durbin and Watson's statistic of residuals in their order: near 2 without correlation of
/// neighbours. No p-value.
TestResult durbinWatson(const std::vector<double> &residuals);

} // namespace imbrex::stats
