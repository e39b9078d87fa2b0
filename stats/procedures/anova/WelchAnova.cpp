#include "stats/procedures/Tails.h"
#include "stats/procedures/anova/OneWay.h"
#include "stats/procedures/anova/VarianceShares.h"

#include <cmath>

namespace imbrex::stats {

TestResult welchAnova(const Groups &groups, double level) {
  TestResult result;
  result.id = "welch_anova";
  result.name = "Welch's analysis of variance";
  result.method = "separate variances (Welch 1951)";
  if (!acceptManyGroups(result, groups, 2))
    return result;
  Groups scaled = CommonScale(groups).scaled(groups);
  std::vector<Moments> moments;
  Sum weights, weighted;
  for (const auto &group : scaled) {
    Moments m = momentsOf(group);
    if (!(m.variance() > 0))
      return result.undefined("a group does not vary: its weight would be infinite");
    weights.add(double(m.n) / m.variance());
    weighted.add(double(m.n) / m.variance() * m.mean);
    moments.push_back(m);
  }
  double k = double(groups.size()), mean = weighted.value() / weights.value();
  Sum between, imbalance;
  double n = 0;
  for (const Moments &m : moments) {
    double weight = double(m.n) / m.variance(), d = m.mean - mean;
    double share = 1 - weight / weights.value();
    between.add(weight * d * d);
    imbalance.add(share * share / double(m.n - 1));
    n += double(m.n);
  }
  double a = imbalance.value() / (k * k - 1);
  double f = between.value() / (k - 1) / (1 + 2 * (k - 2) * a);
  double df2 = 1 / (3 * a);
  result.df = {{"df between", k - 1}, {"df within", df2}};
  result.statistics = {{"F", f}};
  result.p = fisherFTail(f, k - 1, df2);
  EffectSize omega{"omega squared", (k - 1) * (f - 1) / ((k - 1) * (f - 1) + n),
                   varianceShareInterval(f, k - 1, df2, level), EffectDirection::Magnitude};
  if (omega.interval)
    omega.interval->method = "noncentral F with Welch's df, approximate";
  result.effects = {omega};
  return result;
}

} // namespace imbrex::stats
