#include "stats/procedures/anova/Friedman.h"

#include "stats/numeric/Moments.h"
#include "stats/numeric/NoncentralLimits.h"
#include "stats/numeric/Ranks.h"
#include "stats/procedures/Tails.h"
#include "stats/procedures/anova/FriedmanExact.h"

#include <cmath>

namespace imbrex::stats {
namespace {

struct RankSums {
  std::vector<double> ofCondition;
  double ties = 0;                           // sum of t^3 - t over subjects
  std::vector<std::vector<int64_t>> doubled; // of each subject
};

RankSums rankWithinSubjects(const Groups &conditions) {
  RankSums sums{std::vector<double>(conditions.size(), 0.0), 0, {}};
  std::vector<double> subject(conditions.size());
  for (size_t i = 0; i < conditions[0].size(); ++i) {
    for (size_t j = 0; j < conditions.size(); ++j)
      subject[j] = conditions[j][i];
    Ranking ranking = midranks(subject);
    for (size_t j = 0; j < conditions.size(); ++j)
      sums.ofCondition[j] += ranking.rank(j);
    sums.ties += ranking.tieTerm();
    sums.doubled.push_back(std::move(ranking.doubled));
  }
  return sums;
}

bool accept(TestResult &result, const Groups &conditions) {
  if (conditions.size() < 2) {
    result.refused("there are fewer than two conditions");
    return false;
  }
  size_t n = conditions[0].size();
  result.n = {{"subjects", double(n)}, {"conditions", double(conditions.size())}};
  for (const auto &condition : conditions)
    if (condition.size() != n)
      result.refused("a subject lacks a condition: conditions have different numbers of values");
  if (!allFinite(conditions))
    result.refused("a value is not finite");
  else if (n < 2)
    result.refused("at least two subjects are needed");
  return result.defined();
}

} // namespace

TestResult friedman(const Groups &conditions, double level) {
  TestResult result;
  result.id = "friedman";
  result.name = "Friedman test";
  result.method = "chi-square approximation";
  if (!accept(result, conditions))
    return result;
  double k = double(conditions.size()), n = double(conditions[0].size());
  RankSums sums = rankWithinSubjects(conditions);
  Sum squares;
  for (double sum : sums.ofCondition) {
    double d = sum - n * (k + 1) / 2;
    squares.add(d * d);
  }
  result.df = {{"df", k - 1}};
  double scale = n * k * (k + 1) - sums.ties / (k - 1);
  if (!(scale > 0))
    return result.undefined("every subject has equal values in all conditions");
  double q = 12 * squares.value() / scale, most = n * (k - 1), w = std::fmin(1, q / most);
  result.statistics = {{"Q", q}, {"Kendall's W", w}};
  result.p = chiSquaredTail(q, k - 1);
  result.method += sums.ties > 0 ? ", Q corrected for ties" : "";
  if (k == 2)
    result.notes.push_back("with two conditions this is the sign test");
  // All subjects agree: F is infinite. The subtraction is exact up to roundoff, which must not make
  // it negative.
  double rest = most - q;
  double f = rest > 1e-12 * most ? (n - 1) * q / rest : INFINITY;
  ResultRow iman{"Iman-Davenport",
                 {{"F", f}, {"df1", k - 1}, {"df2", (k - 1) * (n - 1)}},
                 fisherFTail(f, k - 1, (k - 1) * (n - 1)),
                 {},
                 {}};
  ResultRow chi{"chi-square", {{"Q", q}, {"df", k - 1}}, result.p, {}, {}};
  result.tables = {{"Friedman", {chi, iman}}};
  if (auto p = friedmanExactP(sums.doubled))
    result.tables[0].rows.push_back(
        {"exact", {{"Q", q}}, {PValue::of(*p), std::nullopt, std::nullopt}, {}, {}});
  EffectSize effect{"Kendall's W", w, {}, EffectDirection::Magnitude};
  if (auto limits = noncentralityOfChiSquared(q, k - 1, level))
    effect.interval =
        Interval{std::fmin(1, limits->first / most), std::fmin(1, limits->second / most), level,
                 level, "noncentral chi-square, approximate"};
  result.effects = {effect};
  return result;
}

} // namespace imbrex::stats
