// Regression. Arguments: y, predictors [{name, values}].
#include "stats/procedures/regression/Regression.h"
#include "test/oracles/Registry.h"

namespace imbrex::stats::oracles {
namespace {

std::vector<Predictor> predictorsOf(const Json &a) {
  std::vector<Predictor> predictors;
  for (const Json &item : a.at("predictors").items())
    predictors.push_back({item.at("name").toText(), numbersOf(item.at("values"))});
  return predictors;
}

} // namespace

void addRegression(Registry &r) {
  r["linear_regression"] = [](const Json &a) {
    RegressionOptions options;
    options.intercept = a.at("intercept").toBool(true) ? Intercept::Include : Intercept::Omit;
    return linearRegression(predictorsOf(a), numbersOf(a.at("y")), options).result;
  };
  r["logistic_regression"] = [](const Json &a) {
    return logisticRegression(predictorsOf(a), numbersOf(a.at("y"))).result;
  };
}

} // namespace imbrex::stats::oracles
