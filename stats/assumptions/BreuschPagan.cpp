#include "stats/assumptions/Residuals.h"
#include "stats/numeric/Moments.h"
#include "stats/procedures/Tails.h"

namespace imbrex::stats {

TestResult breuschPagan(const std::vector<Predictor> &predictors,
                        const std::vector<double> &residuals) {
  TestResult result;
  result.id = "breusch_pagan";
  result.name = "Breusch-Pagan test";
  result.method = "Koenker's studentised form, chi-square approximation";
  result.n = {{"residuals", double(residuals.size())}};
  if (!allFinite(residuals))
    return result.refused("a residual is not finite");
  std::vector<double> squares = CommonScale(residuals).scaled(residuals);
  double mean = momentsOf(squares).mean;
  for (double &e : squares)
    e = (e - mean) * (e - mean);
  TestResult fit = linearRegression(predictors, squares).result;
  if (fit.outcome == Outcome::Refused)
    return result.refused(fit.reason);
  result.df = {{"df", double(predictors.size())}};
  if (!fit.defined())
    return result.undefined("all residuals are equally large");
  double statistic = double(residuals.size()) * fit.statistic("R squared");
  result.statistics = {{"chi-square", statistic}};
  result.p = chiSquaredTail(statistic, double(predictors.size()));
  return result;
}

} // namespace imbrex::stats
