#include "stats/assumptions/Residuals.h"
#include "stats/numeric/Moments.h"

namespace imbrex::stats {

TestResult durbinWatson(const std::vector<double> &residuals) {
  TestResult result;
  result.id = "durbin_watson";
  result.name = "Durbin-Watson statistic";
  result.n = {{"residuals", double(residuals.size())}};
  if (!allFinite(residuals))
    return result.refused("a residual is not finite");
  if (residuals.size() < 2)
    return result.refused("there are fewer than two residuals");
  // Scaled, not shifted: residuals have mean 0 already, and their level counts.
  CommonScale scale(residuals);
  Sum steps, squares;
  for (size_t i = 0; i < residuals.size(); ++i) {
    double e = scale.scaledDifference(residuals[i]);
    double step = i ? e - scale.scaledDifference(residuals[i - 1]) : 0;
    squares.add(e * e);
    steps.add(step * step);
  }
  if (!(squares.value() > 0))
    return result.undefined("all residuals are zero");
  result.statistics = {{"d", steps.value() / squares.value()}};
  return result;
}

} // namespace imbrex::stats
