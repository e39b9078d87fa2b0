#include "stats/numeric/Distributions.h"
#include "stats/numeric/Ranks.h"
#include "stats/procedures/Tails.h"
#include "stats/procedures/groups/PairwiseOrder.h"
#include "stats/procedures/groups/RankDistribution.h"
#include "stats/procedures/groups/RankTests.h"
#include "stats/procedures/groups/Samples.h"

#include <algorithm>
#include <cmath>

namespace imbrex::stats {
namespace {

struct Setting {
  double n1, n2;
  Ranking ranking; // of both groups, the first one in front
  int64_t doubledSum = 0;
  double u = 0;
  double variance = 0; // of U under the null, corrected for ties

  double mean() const { return n1 * n2 / 2; }
  std::span<const int64_t> doubledRanks() const { return ranking.doubled; }
};

Setting rankBoth(std::span<const double> first, std::span<const double> second, double shift) {
  Setting s{double(first.size()), double(second.size()), {}};
  std::vector<double> all;
  all.reserve(first.size() + second.size());
  for (double x : first)
    all.push_back(x - shift);
  all.insert(all.end(), second.begin(), second.end());
  s.ranking = midranks(all);
  for (size_t i = 0; i < first.size(); ++i)
    s.doubledSum += s.ranking.doubled[i];
  s.u = double(s.doubledSum) / 2 - s.n1 * (s.n1 + 1) / 2;
  double n = s.n1 + s.n2;
  s.variance = s.n1 * s.n2 / 12 * ((n + 1) - s.ranking.tieTerm() / (n * (n - 1)));
  return s;
}

bool wantsExact(const Setting &s, const RankOptions &options) {
  const Conventions &c = options.conventions;
  double size = c.rankSumLimit == Conventions::SizeLimit::BothGroups ? std::max(s.n1, s.n2)
                                                                     : std::min(s.n1, s.n2);
  switch (options.exact.value_or(c.rankSumExact)) {
  case ExactRule::Never:
    return false;
  case ExactRule::Always:
    return true;
  case ExactRule::NeverWithTies:
    return size < c.rankSumExactBelow && !s.ranking.hasTies();
  case ExactRule::WithTies:
    return size < c.rankSumExactBelow;
  }
  return false;
}

bool exactP(TestResult &result, const Setting &s, TwoSidedExact twoSided) {
  // The distribution of the smaller group's sum is cheaper, and says the same.
  bool firstSmaller = s.n1 <= s.n2;
  int64_t all = 0;
  for (int64_t rank : s.doubledRanks())
    all += rank;
  auto exact = RankDistribution::ofSubset(s.doubledRanks(), int64_t(std::min(s.n1, s.n2)));
  if (!exact)
    return false;
  int64_t sum = firstSmaller ? s.doubledSum : all - s.doubledSum;
  double atMost = exact->atMost(sum), atLeast = exact->atLeast(sum);
  result.p = firstSmaller ? exactTails(atMost, atLeast) : exactTails(atLeast, atMost);
  if (twoSided == TwoSidedExact::Distance)
    result.p.undirected = PValue::of(exact->asFar(sum));
  result.method = s.ranking.hasTies() ? "exact, conditional on midranks" : "exact";
  return true;
}

void normalP(TestResult &result, const Setting &s, Continuity continuity) {
  double correction = continuity == Continuity::Half ? 0.5 : 0;
  double deviation = std::sqrt(s.variance), distance = s.u - s.mean();
  double z = std::copysign(std::fmax(std::fabs(distance) - correction, 0), distance) / deviation;
  result.statistics.push_back({"z", z});
  result.p.undirected = normalTails(z).undirected;
  result.p.greater = normalTails((distance - correction) / deviation).greater;
  result.p.less = normalTails((distance + correction) / deviation).less;
  result.method = "normal approximation";
  result.method += s.ranking.hasTies() ? ", variance corrected for ties" : "";
  result.method += correction > 0 ? ", continuity correction" : ", no continuity correction";
}

/// How many of the ordered differences lie outside the interval at each end, from 1; and what that
/// achieves.
struct Cut {
  int64_t order = 1;
  double achieved = 0;
  std::string method;
};

Cut exactCut(double n1, double n2, double level) {
  std::vector<int64_t> ranks(size_t(n1 + n2));
  for (size_t i = 0; i < ranks.size(); ++i)
    ranks[i] = 2 * int64_t(i + 1);
  auto u = RankDistribution::ofSubset(ranks, int64_t(std::min(n1, n2)));
  Cut cut;
  if (!u)
    return cut;
  double tail = (1 - level) / 2;
  cut.order = std::max<int64_t>(1, u->orderAtMost(tail));
  int64_t m = int64_t(std::min(n1, n2)), least = m * (m + 1);
  cut.achieved = 1 - 2 * u->atMost(least + 2 * (cut.order - 1));
  cut.method = "exact";
  return cut;
}

Cut normalCut(const Setting &s, std::span<const double> first, std::span<const double> second,
              const RankOptions &options) {
  // At a shift between two differences the groups do not tie with each other, only within
  // themselves.
  double ties = midranks(first).tieTerm() + midranks(second).tieTerm(), n = s.n1 + s.n2;
  double deviation = std::sqrt(s.n1 * s.n2 / 12 * ((n + 1) - ties / (n * (n - 1))));
  double z = Normal().quantileUpper((1 - options.level) / 2);
  double half = options.conventions.rankSumContinuity == Continuity::Half ? 0.5 : 0;
  double order = std::ceil(s.mean() - half - z * deviation);
  return {int64_t(std::max(1.0, order)), options.level, "normal approximation"};
}

void reportShift(TestResult &result, const Setting &s, std::vector<double> first,
                 std::vector<double> second, const RankOptions &options, const std::string &kind) {
  std::sort(first.begin(), first.end());
  std::sort(second.begin(), second.end());
  Cut cut;
  if (kind.starts_with("exact"))
    cut = exactCut(s.n1, s.n2, options.level);
  if (cut.method.empty())
    cut = normalCut(s, first, second, options);
  int64_t pairs = int64_t(s.n1) * int64_t(s.n2);
  Interval interval{differenceAt(first, second, cut.order),
                    differenceAt(first, second, pairs + 1 - cut.order), options.level, cut.achieved,
                    cut.method};
  if (cut.achieved < options.level)
    result.notes.push_back(
        "so few values give an interval of the difference no higher level than " +
        std::to_string(cut.achieved * 100).substr(0, 5) + " %");
  if (cut.method == "exact" && s.ranking.hasTies())
    result.notes.push_back("the interval of the difference counts as if there were no ties");
  result.estimate =
      Estimate{"median difference (Hodges-Lehmann)", medianDifference(first, second), interval};
}

void reportSuperiority(TestResult &result, const Setting &s, double level) {
  // Without the hypothesised shift this is U / (n1 n2) of the data.
  double a12 = s.u / (s.n1 * s.n2);
  Interval interval = superiorityInterval(a12, s.n1, s.n2, level);
  result.effects.push_back({"A12", a12, interval, EffectDirection::FirstMinusSecond});
  interval.low = 2 * interval.low - 1;
  interval.high = 2 * interval.high - 1;
  result.effects.push_back(
      {"rank-biserial correlation", 2 * a12 - 1, interval, EffectDirection::FirstMinusSecond});
}

} // namespace

TestResult mannWhitney(std::span<const double> first, std::span<const double> second,
                       const RankOptions &options) {
  TestResult result;
  result.id = "mannwhitney_u";
  result.name = "Mann-Whitney U test";
  if (!acceptGroups(result, first, second, 1))
    return result;
  Setting s = rankBoth(first, second, options.hypothesised);
  result.statistics = {{"U", s.u},
                       {"U of the second group", s.n1 * s.n2 - s.u},
                       {"rank sum of the first group", double(s.doubledSum) / 2}};
  reportSuperiority(result, options.hypothesised == 0 ? s : rankBoth(first, second, 0),
                    options.level);
  if (!(s.variance > 0))
    return result.undefined("all values are equal: ranks say nothing");
  bool exact = wantsExact(s, options) && exactP(result, s, options.conventions.twoSidedExact);
  if (!exact) {
    if (wantsExact(s, options))
      result.notes.push_back("too many arrangements to count: the normal approximation instead");
    normalP(result, s, options.conventions.rankSumContinuity);
  }
  reportShift(result, s, {first.begin(), first.end()}, {second.begin(), second.end()}, options,
              result.method);
  return result;
}

} // namespace imbrex::stats
