#include "stats/numeric/NoncentralLimits.h"
#include "stats/numeric/Ranks.h"
#include "stats/procedures/Tails.h"
#include "stats/procedures/anova/OneWay.h"

#include <cmath>

namespace imbrex::stats {

TestResult kruskalWallis(const Groups &groups, double level) {
  TestResult result;
  result.id = "kruskall_wallis";
  result.name = "Kruskal-Wallis test";
  result.method = "chi-square approximation";
  if (!acceptManyGroups(result, groups, 1))
    return result;
  std::vector<double> all;
  for (const auto &group : groups)
    all.insert(all.end(), group.begin(), group.end());
  Ranking ranking = midranks(all);
  double n = double(all.size()), k = double(groups.size());
  Sum between;
  size_t at = 0;
  for (const auto &group : groups) {
    int64_t doubled = 0;
    for (size_t i = 0; i < group.size(); ++i)
      doubled += ranking.doubled[at++];
    double d = double(doubled) / 2 / double(group.size()) - (n + 1) / 2;
    between.add(double(group.size()) * d * d);
  }
  double plain = 12 / (n * (n + 1)) * between.value();
  double correction = 1 - ranking.tieTerm() / (n * (n - 1) * (n + 1));
  result.df = {{"df", k - 1}};
  if (!(correction > 0))
    return result.undefined("all values are equal: ranks say nothing");
  double h = plain / correction;
  result.statistics = {{"H", h}, {"H without correction for ties", plain}};
  result.method += ranking.hasTies() ? ", H corrected for ties" : "";
  result.p = chiSquaredTail(h, k - 1);
  std::optional<Interval> interval;
  if (auto limits = noncentralityOfChiSquared(h, k - 1, level))
    interval =
        Interval{std::fmin(1, limits->first / (n - 1)), std::fmin(1, limits->second / (n - 1)),
                 level, level, "noncentral chi-square, approximate"};
  result.effects = {{"epsilon squared", h / (n - 1), interval, EffectDirection::Magnitude}};
  if (n > k)
    result.effects.push_back(
        {"eta squared of ranks", (h - k + 1) / (n - k), interval, EffectDirection::Magnitude});
  return result;
}

} // namespace imbrex::stats
