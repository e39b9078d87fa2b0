// Regression of one outcome on several numeric predictors (0/1 columns for groups).
#pragma once

#include "stats/procedures/TestResult.h"

#include <string>
#include <vector>

namespace imbrex::stats {

struct Predictor {
  std::string name;
  std::vector<double> values;
};

enum class Intercept { Include, Omit };

struct RegressionOptions {
  Intercept intercept = Intercept::Include;
  double level = 0.95;
};

struct RegressionFit {
  TestResult result;
  std::vector<double> fitted;
  std::vector<double> residuals;
  std::vector<double> leverages;
};

/// Least squares. Table "coefficients": "(intercept)" and each predictor with estimate, interval,
/// standard error, t, p and standardised coefficient. Statistic: F of all predictors; R squared,
/// its adjusted value and residual standard error are further statistics; effects: R squared with
/// interval by noncentral F, Cohen's f squared. Refused: a predictor that depends on earlier ones,
/// no more values than coefficients. A fit without residuals has an infinite F. Cost: 4 values *
/// predictors^2; offsets and scales of columns do not matter.
RegressionFit linearRegression(const std::vector<Predictor> &predictors,
                               const std::vector<double> &outcome,
                               const RegressionOptions &options = {});

/// Maximum likelihood for an outcome of 0 and 1, by Newton's method with least squares steps. Table
/// "coefficients": logits with Wald's z, p and interval; effect of each: odds ratio. Statistic:
/// likelihood ratio chi-square of all predictors; "deviance" and "null deviance" are further
/// statistics; effects: McFadden's and Nagelkerke's R squared. Refused: outcomes other than 0 and
/// 1, only one of them, dependent predictors; Undefined: predictors separate the outcomes, so that
/// no finite estimate exists. `fitted` are probabilities, `residuals` deviance residuals.
RegressionFit logisticRegression(const std::vector<Predictor> &predictors,
                                 const std::vector<double> &outcome, double level = 0.95);

} // namespace imbrex::stats
