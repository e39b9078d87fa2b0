#include "stats/numeric/Distributions.h"
#include "stats/numeric/Moments.h"
#include "stats/procedures/Tails.h"
#include "stats/procedures/anova/VarianceShares.h"
#include "stats/procedures/regression/Columns.h"

#include <cmath>

namespace imbrex::stats {
namespace {

struct Sums {
  double residual = 0;
  double model = 0;
  double total = 0;
  double df = 0;      // of the residuals
  double modelDf = 0; // of the predictors
};

/// In units of the scaled outcome. The model's sum comes from its own effects, not from a
/// difference.
Sums sumsOf(const Orthogonalisation &factors, const LeastSquaresFit &fit,
            const std::vector<double> &y, Intercept intercept) {
  Sums sums;
  std::vector<double> rest = y;
  std::vector<double> effects = factors.effects(rest);
  size_t from = intercept == Intercept::Include;
  std::span<const double> own = std::span(effects).subspan(from);
  sums.model = dot(own, own);
  sums.residual = fit.residualSquares;
  // What roundoff leaves of an exact fit.
  double reach = 4 * 0x1p-53 * std::sqrt(dot(y, y));
  if (sums.residual <= reach * reach)
    sums.residual = 0;
  sums.total = sums.model + sums.residual;
  sums.df = double(y.size()) - double(factors.rank());
  sums.modelDf = double(factors.rank()) - double(from);
  return sums;
}

/// The coefficient is value * 2^power, which may underflow where t does not.
ResultRow coefficientRow(const std::string &name, double value, double error, int power, double df,
                         double level) {
  auto inData = [&](double x) { return std::ldexp(x, power); };
  ResultRow row{name, {{"standard error", inData(error)}}, {}, {}, {}};
  double reach = StudentT{df}.quantileUpper((1 - level) / 2) * error;
  Interval interval{inData(value - reach), inData(value + reach), level, level, "Student's t"};
  row.estimate = Estimate{name, inData(value), interval};
  if (error == 0 && value == 0)
    return row;
  row.numbers.push_back({"t", value / error});
  row.p = studentTails(value / error, df);
  return row;
}

void reportModel(TestResult &result, const Sums &sums, double unit, double level) {
  double r2 = sums.model / sums.total;
  double n = sums.df + sums.modelDf, f = sums.model / sums.modelDf / (sums.residual / sums.df);
  result.statistics = {{"F", f},
                       {"R squared", r2},
                       {"adjusted R squared", 1 - (1 - r2) * n / sums.df},
                       {"residual standard error", std::sqrt(sums.residual / sums.df) * unit}};
  result.p = fisherFTail(f, sums.modelDf, sums.df);
  auto interval = varianceShareInterval(f, sums.modelDf, sums.df, level);
  result.effects = {
      {"R squared", r2, interval, EffectDirection::Magnitude},
      {"Cohen's f squared", sums.model / sums.residual, {}, EffectDirection::Magnitude}};
  if (interval) {
    interval->low /= 1 - interval->low;
    interval->high /= 1 - interval->high;
    result.effects[1].interval = interval;
  }
}

} // namespace

RegressionFit linearRegression(const std::vector<Predictor> &predictors,
                               const std::vector<double> &outcome,
                               const RegressionOptions &options) {
  RegressionFit answer;
  TestResult &result = answer.result;
  result.id = "linear_regression";
  result.name = "linear regression";
  result.method = "least squares by orthogonalisation";
  if (!acceptPredictors(result, predictors, outcome, options.intercept))
    return answer;
  Columns columns = columnsOf(predictors, outcome.size(), options.intercept);
  int exponent = 0;
  std::vector<double> y = scaledByPower(outcome, exponent);
  // Polynomials of high degree are nearly dependent and yet well determined: only roundoff is
  // refused.
  Orthogonalisation factors(columns.matrix, 1e-13);
  for (size_t j = 0; j < columns.names.size(); ++j)
    if (factors.dependent(j)) {
      result.refused(columns.names[j] + " depends on the other predictors, or is constant");
      return answer;
    }
  LeastSquaresFit fit = leastSquares(columns.matrix, factors, y);
  Sums sums = sumsOf(factors, fit, y, options.intercept);
  double unit = std::ldexp(1.0, exponent), mean = sums.residual / sums.df;
  Matrix inverse = factors.inverseCross();
  ResultTable table{"coefficients", {}};
  double outcomeDeviation = momentsOf(y).deviation();
  for (size_t j = 0; j < columns.names.size(); ++j) {
    int power = exponent - columns.exponents[j];
    ResultRow row =
        coefficientRow(columns.names[j], fit.coefficients[j], std::sqrt(inverse.at(j, j) * mean),
                       power, sums.df, options.level);
    if (columns.names[j] != "(intercept)" && outcomeDeviation > 0)
      row.numbers.push_back(
          {"standardised", fit.coefficients[j] * momentsOf(columns.matrix.column(j)).deviation() /
                               outcomeDeviation});
    table.rows.push_back(std::move(row));
  }
  result.tables = {table};
  result.df = {{"df model", sums.modelDf}, {"df residual", sums.df}};
  answer.leverages = factors.leverages();
  for (size_t i = 0; i < y.size(); ++i) {
    answer.residuals.push_back(fit.residuals[i] * unit);
    answer.fitted.push_back((y[i] - fit.residuals[i]) * unit);
  }
  if (double condition = factors.condition(); condition > 1e6)
    result.notes.push_back(
        "the predictors nearly depend on each other: single coefficients are uncertain");
  if (sums.total == 0)
    result.undefined("the outcome does not vary: F would be 0/0");
  else
    reportModel(result, sums, unit, options.level);
  if (sums.residual == 0 && result.defined())
    result.notes.push_back("the fit is exact: F is infinite");
  return answer;
}

} // namespace imbrex::stats
