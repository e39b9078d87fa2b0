#include "stats/procedures/regression/Columns.h"

#include "stats/numeric/Moments.h"

#include <cmath>

namespace imbrex::stats {

bool acceptPredictors(TestResult &result, const std::vector<Predictor> &predictors,
                      const std::vector<double> &outcome, Intercept intercept) {
  size_t coefficients = predictors.size() + (intercept == Intercept::Include);
  result.n = {{"values", double(outcome.size())}};
  if (predictors.empty())
    result.refused("there is no predictor");
  else if (!allFinite(outcome))
    result.refused("a value of the outcome is not finite");
  else if (outcome.size() <= coefficients)
    result.refused("there are " + std::to_string(outcome.size()) + " values for " +
                   std::to_string(coefficients) + " coefficients");
  for (const Predictor &predictor : predictors) {
    if (predictor.values.size() != outcome.size())
      result.refused(predictor.name + " has another number of values than the outcome");
    else if (!allFinite(predictor.values))
      result.refused("a value of " + predictor.name + " is not finite");
  }
  return result.defined();
}

std::vector<double> scaledByPower(const std::vector<double> &values, int &exponent) {
  double largest = 0;
  for (double x : values)
    largest = std::fmax(largest, std::fabs(x));
  exponent = 0;
  if (largest > 0)
    std::frexp(largest, &exponent);
  std::vector<double> result(values.size());
  for (size_t i = 0; i < values.size(); ++i)
    result[i] = std::ldexp(values[i], -exponent);
  return result;
}

Columns columnsOf(const std::vector<Predictor> &predictors, size_t rows, Intercept intercept) {
  Columns columns;
  if (intercept == Intercept::Include) {
    columns.matrix.append(std::vector<double>(rows, 1.0));
    columns.names.push_back("(intercept)");
    columns.exponents.push_back(0);
  }
  for (const Predictor &predictor : predictors) {
    columns.exponents.push_back(0);
    columns.matrix.append(scaledByPower(predictor.values, columns.exponents.back()));
    columns.names.push_back(predictor.name);
  }
  return columns;
}

} // namespace imbrex::stats
