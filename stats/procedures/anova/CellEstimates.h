// The means of a design's cells with their covariances: what comparisons after an analysis of
// variance or covariance are made of.
#pragma once

#include "stats/numeric/LeastSquares.h"
#include "stats/numeric/Moments.h"
#include "stats/procedures/anova/Factorial.h"
#include "stats/procedures/anova/Terms.h"

#include <optional>

namespace imbrex::stats {

/// All in units of `scale`.
struct CellEstimates {
  Cells cells;
  CommonScale scale;
  std::vector<double> means; // with covariates: where these are at their means
  Matrix covariance;         // of the means, in units of `variance`
  double variance = 0;       // of the residuals
  double df = 0;             // of the residuals, at least 1
};

/// Fills in n. Nothing, and the refusal in `result`, where factorialAnova or ancova refuse.
std::optional<CellEstimates> estimateCells(const FactorialDesign &design, TestResult &result);

/// The two cases of estimateCells: without covariates O(values), with them that of ancova.
std::optional<CellEstimates> plainCells(const FactorialDesign &design, TestResult &result);
std::optional<CellEstimates> adjustedCells(const FactorialDesign &design, TestResult &result);

} // namespace imbrex::stats
