#include "stats/numeric/Distributions.h"
#include "stats/numeric/Moments.h"
#include "stats/numeric/Ranks.h"
#include "stats/procedures/Tails.h"
#include "stats/procedures/groups/RankTests.h"
#include "stats/procedures/groups/Samples.h"

#include <cmath>

namespace imbrex::stats {
namespace {

/// Mean rank of a group among all, and the variance of its placements: rank among all less rank
/// among its own.
struct Placements {
  double meanRank = 0;
  double variance = 0;
};

Placements placementsOf(std::span<const int64_t> doubledAmongAll, std::span<const double> values) {
  Ranking own = midranks(values);
  std::vector<double> placements(values.size());
  Sum sum;
  for (size_t i = 0; i < values.size(); ++i) {
    placements[i] = double(doubledAmongAll[i] - own.doubled[i]) / 2;
    sum.add(double(doubledAmongAll[i]) / 2);
  }
  return {sum.value() / double(values.size()), momentsOf(placements).variance()};
}

} // namespace

TestResult brunnerMunzel(std::span<const double> first, std::span<const double> second,
                         double level) {
  TestResult result;
  result.id = "brunner_munzel";
  result.name = "Brunner-Munzel test";
  result.method = "Student's t with estimated degrees of freedom";
  if (!acceptGroups(result, first, second, 2))
    return result;
  std::vector<double> all(first.begin(), first.end());
  all.insert(all.end(), second.begin(), second.end());
  Ranking ranking = midranks(all);
  std::span<const int64_t> doubled = ranking.doubled;
  Placements a = placementsOf(doubled.first(first.size()), first);
  Placements b = placementsOf(doubled.subspan(first.size()), second);
  double n1 = double(first.size()), n2 = double(second.size());
  double a12 = (a.meanRank - (n1 + 1) / 2) / n2;
  // Variance of the estimate of A12, in its two parts.
  double va = a.variance / (n1 * n2 * n2), vb = b.variance / (n2 * n1 * n1), total = va + vb;
  EffectSize effect{"A12", a12, {}, EffectDirection::FirstMinusSecond};
  if (!(total > 0)) {
    result.effects.push_back(effect);
    return result.undefined("the groups do not overlap, or all values are equal: the estimated "
                            "variance is zero");
  }
  double df = total * total / (va * va / (n1 - 1) + vb * vb / (n2 - 1)), error = std::sqrt(total);
  result.df = {{"df", df}};
  result.statistics = {{"t", (a12 - 0.5) / error}};
  result.p = studentTails(result.statistics[0].value, df);
  double reach = StudentT{df}.quantileUpper((1 - level) / 2) * error;
  effect.interval = Interval{std::fmax(0, a12 - reach), std::fmin(1, a12 + reach), level, level,
                             "Student's t, cut off at 0 and 1"};
  result.effects.push_back(effect);
  result.estimate = Estimate{"P(first > second) + P(equal)/2", a12, effect.interval};
  return result;
}

} // namespace imbrex::stats
