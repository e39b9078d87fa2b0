#include "stats/numeric/Distributions.h"
#include "stats/numeric/Moments.h"
#include "stats/numeric/NoncentralLimits.h"
#include "stats/procedures/Tails.h"
#include "stats/procedures/regression/Columns.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace imbrex::stats {
namespace {

constexpr int mostSteps = 60;

/// -2 ln P(y) for the logit eta, without overflow.
double devianceOf(double y, double eta) {
  double against = y > 0 ? -eta : eta;
  return 2 *
         (against > 0 ? against + std::log1p(std::exp(-against)) : std::log1p(std::exp(against)));
}

double totalDeviance(const std::vector<double> &y, const std::vector<double> &eta) {
  Sum sum;
  for (size_t i = 0; i < y.size(); ++i)
    sum.add(devianceOf(y[i], eta[i]));
  return sum.value();
}

std::vector<double> logits(const Matrix &x, std::span<const double> coefficients) {
  std::vector<double> eta(x.rows(), 0.0);
  for (size_t j = 0; j < x.columns(); ++j)
    for (size_t i = 0; i < eta.size(); ++i)
      eta[i] += x.at(i, j) * coefficients[j];
  return eta;
}

struct LogisticFit {
  std::vector<double> coefficients;
  std::vector<double> eta;
  Matrix inverse; // of the information
  double deviance = 0;
};

/// The weighted columns of one Newton step, and the residuals it fits.
struct Step {
  Matrix columns;
  std::vector<double> response;
};

Step newtonStep(const Matrix &x, const std::vector<double> &y, const std::vector<double> &eta) {
  Step step{x, std::vector<double>(y.size())};
  for (size_t i = 0; i < y.size(); ++i) {
    double e = std::exp(-std::fabs(eta[i])), root = std::sqrt(e) / (1 + e);
    double p = eta[i] >= 0 ? 1 / (1 + e) : e / (1 + e);
    root = std::fmax(root, 1e-150);
    step.response[i] = (y[i] > 0 ? 1 - p : -p) / root;
    for (size_t j = 0; j < x.columns(); ++j)
      step.columns.at(i, j) *= root;
  }
  return step;
}

/// Nothing when the logits keep growing: the likelihood has no maximum.
std::optional<LogisticFit> maximise(const Matrix &x, const std::vector<double> &y) {
  LogisticFit fit;
  fit.coefficients.assign(x.columns(), 0.0);
  fit.eta.assign(y.size(), 0.0);
  fit.deviance = totalDeviance(y, fit.eta);
  for (int count = 0; count < mostSteps; ++count) {
    Step step = newtonStep(x, y, fit.eta);
    Orthogonalisation factors(std::move(step.columns), 1e-13);
    if (factors.rank() < x.columns())
      return std::nullopt;
    std::vector<double> change = factors.coefficients(factors.effects(step.response));
    double largest = 0;
    for (int halvings = 0;; ++halvings) {
      std::vector<double> next = fit.coefficients;
      for (size_t j = 0; j < next.size(); ++j)
        next[j] += change[j];
      std::vector<double> eta = logits(x, next);
      double deviance = totalDeviance(y, eta);
      if (deviance <= fit.deviance * (1 + 1e-12) || halvings == 30) {
        for (size_t i = 0; i < eta.size(); ++i)
          largest = std::fmax(largest, std::fabs(eta[i] - fit.eta[i]));
        fit.coefficients = std::move(next);
        fit.eta = std::move(eta);
        fit.deviance = deviance;
        break;
      }
      for (double &c : change)
        c /= 2;
    }
    if (largest < 1e-9) {
      fit.inverse = Orthogonalisation(newtonStep(x, y, fit.eta).columns, 1e-13).inverseCross();
      return fit;
    }
  }
  return std::nullopt;
}

ResultRow coefficientRow(const std::string &name, double value, double error, double level) {
  ResultRow row{name, {{"standard error", error}, {"z", value / error}}, {}, {}, {}};
  double reach = Normal().quantileUpper((1 - level) / 2) * error;
  Interval interval{value - reach, value + reach, level, level, "Wald"};
  row.p = normalTails(value / error);
  row.estimate = Estimate{name, value, interval};
  interval.low = std::exp(interval.low);
  interval.high = std::exp(interval.high);
  row.effects = {{"odds ratio", std::exp(value), interval, EffectDirection::FirstMinusSecond}};
  return row;
}

bool acceptOutcome(TestResult &result, const std::vector<double> &outcome) {
  double ones = 0;
  for (double y : outcome) {
    if (y != 0 && y != 1) {
      result.refused("the outcome holds a value other than 0 and 1");
      return false;
    }
    ones += y;
  }
  result.n.push_back({"outcomes of 1", ones});
  if (ones == 0 || ones == double(outcome.size()))
    result.refused("all outcomes are the same");
  return result.defined();
}

/// The likelihood ratio is noncentral chi-squared, n times an effect that both shares grow with.
void reportShares(TestResult &result, double ratio, double null, double n, double predictors,
                  double level) {
  auto nagelkerke = [&](double r) { return std::expm1(-r / n) / std::expm1(-null / n); };
  auto limits = noncentralityOfChiSquared(ratio, predictors, level);
  auto between = [&](double low, double high) -> std::optional<Interval> {
    if (!limits)
      return std::nullopt;
    return Interval{low, std::fmin(1, high), level, level, "noncentral chi-square, approximate"};
  };
  double low = limits ? limits->first : 0, high = limits ? limits->second : 0;
  result.effects = {{"McFadden's R squared", ratio / null, between(low / null, high / null),
                     EffectDirection::Magnitude},
                    {"Nagelkerke's R squared", nagelkerke(ratio),
                     between(nagelkerke(low), nagelkerke(high)), EffectDirection::Magnitude}};
}

void reportModel(TestResult &result, const LogisticFit &fit, double n, double ones,
                 double predictors, double level) {
  double p = ones / n, null = -2 * (ones * std::log(p) + (n - ones) * std::log1p(-p));
  double ratio = std::fmax(0, null - fit.deviance);
  result.statistics = {{"chi-square", ratio}, {"deviance", fit.deviance}, {"null deviance", null}};
  result.df = {{"df", predictors}, {"df residual", n - predictors - 1}};
  result.p = chiSquaredTail(ratio, predictors);
  reportShares(result, ratio, null, n, predictors, level);
}

} // namespace

RegressionFit logisticRegression(const std::vector<Predictor> &predictors,
                                 const std::vector<double> &outcome, double level) {
  RegressionFit answer;
  TestResult &result = answer.result;
  result.id = "logistic_regression";
  result.name = "logistic regression";
  result.method = "maximum likelihood, Wald's intervals";
  if (!acceptPredictors(result, predictors, outcome, Intercept::Include) ||
      !acceptOutcome(result, outcome))
    return answer;
  Columns columns = columnsOf(predictors, outcome.size(), Intercept::Include);
  Orthogonalisation factors(columns.matrix, 1e-13);
  for (size_t j = 0; j < columns.names.size(); ++j)
    if (factors.dependent(j)) {
      result.refused(columns.names[j] + " depends on the other predictors, or is constant");
      return answer;
    }
  auto fit = maximise(columns.matrix, outcome);
  if (!fit) {
    result.undefined("the predictors separate the outcomes, completely or nearly: the likelihood "
                     "has no maximum, so no finite coefficient exists");
    return answer;
  }
  ResultTable table{"coefficients", {}};
  for (size_t j = 0; j < columns.names.size(); ++j)
    table.rows.push_back(
        coefficientRow(columns.names[j], std::ldexp(fit->coefficients[j], -columns.exponents[j]),
                       std::ldexp(std::sqrt(fit->inverse.at(j, j)), -columns.exponents[j]), level));
  result.tables = {table};
  reportModel(result, *fit, double(outcome.size()), result.n[1].value, double(predictors.size()),
              level);
  for (size_t i = 0; i < outcome.size(); ++i) {
    answer.fitted.push_back(1 / (1 + std::exp(-fit->eta[i])));
    double size = std::sqrt(devianceOf(outcome[i], fit->eta[i]));
    answer.residuals.push_back(outcome[i] > 0 ? size : -size);
  }
  return answer;
}

} // namespace imbrex::stats
