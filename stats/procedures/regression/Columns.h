// Predictors as the columns of a model, each scaled by a power of two, which is exact.
#pragma once

#include "stats/numeric/LeastSquares.h"
#include "stats/procedures/regression/Regression.h"

namespace imbrex::stats {

struct Columns {
  Matrix matrix;
  std::vector<std::string> names;
  std::vector<int> exponents; // a column is its predictor / 2^exponent
};

/// Refuses and returns false for lengths that differ, values that are not finite, too few values.
bool acceptPredictors(TestResult &result, const std::vector<Predictor> &predictors,
                      const std::vector<double> &outcome, Intercept intercept);
Columns columnsOf(const std::vector<Predictor> &predictors, size_t rows, Intercept intercept);
/// x / 2^exponent with the largest magnitude in [1/2, 1).
std::vector<double> scaledByPower(const std::vector<double> &values, int &exponent);

} // namespace imbrex::stats
