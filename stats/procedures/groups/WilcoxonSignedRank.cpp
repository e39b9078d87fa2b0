#include "stats/numeric/Distributions.h"
#include "stats/numeric/Moments.h"
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

struct Differences {
  std::vector<double> values;     // signed; equal ones are equal to the last bit
  std::vector<double> tolerances; // roundoff of each
};

/// Ranks of what can have either sign, and the parts of T+ that are fixed.
struct SignedRanks {
  std::vector<int64_t> doubled; // of the differences that are not zero
  int64_t doubledPositive = 0;
  int64_t doubledNegative = 0;
  double zeros = 0;
  double tieTerm = 0; // of the differences that are not zero
  bool ties = false;
  double squares = 0;  // of the ranks
  double zeroHalf = 0; // half the rank sum of zeros, for Zeros::Split

  double n() const { return double(doubled.size()); }
  double mean() const { return double(doubledPositive + doubledNegative) / 4; }
  double positive() const { return double(doubledPositive) / 2; }
  double negative() const { return double(doubledNegative) / 2; }
};

/// Differences that only roundoff tells apart become equal, or zero.
void equaliseRoundoff(Differences &d) {
  std::vector<double> sizes;
  for (double x : d.values)
    sizes.push_back(std::fabs(x));
  sizes = mergeRoundoff(sizes, d.tolerances);
  for (size_t i = 0; i < sizes.size(); ++i)
    d.values[i] = std::copysign(sizes[i], d.values[i]);
}

SignedRanks rankSigns(const Differences &d, Zeros zeros) {
  std::vector<double> sizes, kept;
  for (double x : d.values)
    sizes.push_back(std::fabs(x));
  SignedRanks result;
  std::vector<size_t> where;
  for (size_t i = 0; i < sizes.size(); ++i) {
    result.zeros += sizes[i] == 0;
    if (sizes[i] != 0 || zeros != Zeros::Drop) {
      kept.push_back(sizes[i]);
      where.push_back(i);
    }
  }
  Ranking ranking = midranks(kept);
  for (size_t i = 0; i < kept.size(); ++i) {
    int64_t rank = ranking.doubled[i];
    if (kept[i] == 0) {
      result.zeroHalf += zeros == Zeros::Split ? double(rank) / 4 : 0;
      continue;
    }
    result.doubled.push_back(rank);
    (d.values[where[i]] > 0 ? result.doubledPositive : result.doubledNegative) += rank;
    result.squares += double(rank) * double(rank) / 4;
  }
  result.ties = int64_t(ranking.ties.size()) > (result.zeros > 1 && zeros != Zeros::Drop);
  return result;
}

bool wantsExact(const SignedRanks &s, const RankOptions &options) {
  const Conventions &c = options.conventions;
  bool plain = !s.ties && s.zeros == 0;
  double limit = plain ? c.signedRankExactBelow : c.signedRankExactTiesBelow;
  switch (options.exact.value_or(c.signedRankExact)) {
  case ExactRule::Never:
    return false;
  case ExactRule::Always:
    return true;
  case ExactRule::NeverWithTies:
    return plain && s.n() < limit;
  case ExactRule::WithTies:
    return s.n() < limit;
  }
  return false;
}

std::string zerosText(Zeros zeros) {
  return zeros == Zeros::Drop    ? "zeros dropped"
         : zeros == Zeros::Pratt ? "zeros ranked, then dropped (Pratt)"
                                 : "ranks of zeros split";
}

bool exactP(TestResult &result, const SignedRanks &s) {
  auto exact = RankDistribution::ofSigns(s.doubled);
  if (!exact)
    return false;
  result.p = exactTails(exact->atMost(s.doubledPositive), exact->atLeast(s.doubledPositive));
  result.method = s.ties ? "exact, conditional on midranks" : "exact";
  return true;
}

void normalP(TestResult &result, const SignedRanks &s, const RankOptions &options) {
  double correction = options.conventions.signedRankContinuity == Continuity::Half ? 0.5 : 0;
  double variance = s.squares / 4;
  if (options.conventions.zeros == Zeros::Split) {
    // The usual formula counts zeros as one more group of ties that could have either sign.
    double rank = (s.zeros + 1) / 2;
    variance += s.zeros * rank * rank / 4;
  }
  double deviation = std::sqrt(variance), distance = s.positive() - s.mean();
  double z = std::copysign(std::fmax(std::fabs(distance) - correction, 0), distance) / deviation;
  result.statistics.push_back({"z", z});
  result.p.undirected = normalTails(z).undirected;
  result.p.greater = normalTails((distance - correction) / deviation).greater;
  result.p.less = normalTails((distance + correction) / deviation).less;
  result.method = "normal approximation";
  result.method += s.ties ? ", variance corrected for ties" : "";
  result.method += correction > 0 ? ", continuity correction" : ", no continuity correction";
}

int64_t exactOrder(double n, double level, double &achieved) {
  std::vector<int64_t> ranks(static_cast<size_t>(n));
  for (size_t i = 0; i < ranks.size(); ++i)
    ranks[i] = 2 * int64_t(i + 1);
  auto v = RankDistribution::ofSigns(ranks);
  if (!v)
    return 0;
  int64_t order = std::max<int64_t>(1, v->orderAtMost((1 - level) / 2));
  achieved = 1 - 2 * v->atMost(2 * (order - 1));
  return order;
}

/// The interval counts as for values without ties; zeros are left out where the test drops them.
void reportMedian(TestResult &result, const Differences &d, const SignedRanks &s,
                  const RankOptions &options, const std::string &name) {
  std::vector<double> values;
  for (double x : d.values)
    if (x != 0 || options.conventions.zeros != Zeros::Drop)
      values.push_back(x);
  std::sort(values.begin(), values.end());
  double n = double(values.size()), pairs = n * (n + 1) / 2;
  Interval interval{0, 0, options.level, options.level, "exact"};
  int64_t order =
      result.method.starts_with("exact") ? exactOrder(n, options.level, interval.achieved) : 0;
  if (order == 0) {
    double z = Normal().quantileUpper((1 - options.level) / 2);
    double half = options.conventions.signedRankContinuity == Continuity::Half ? 0.5 : 0;
    double deviation = std::sqrt(n * (n + 1) * (2 * n + 1) / 24);
    order = int64_t(std::max(1.0, std::ceil(pairs / 2 - half - z * deviation)));
    interval.method = "normal approximation";
  }
  if (interval.achieved < options.level)
    result.notes.push_back("so few values give an interval of the median no higher level than " +
                           std::to_string(interval.achieved * 100).substr(0, 5) + " %");
  double shift = options.hypothesised;
  interval.low = walshAverageAt(values, order) + shift;
  interval.high = walshAverageAt(values, int64_t(pairs) + 1 - order) + shift;
  result.estimate = Estimate{name, medianWalshAverage(values) + shift, interval};
}

void reportBiserial(TestResult &result, const SignedRanks &s, double level) {
  double sum = s.positive() + s.negative(), r = (s.positive() - s.negative()) / sum;
  EffectSize effect{
      "matched-pairs rank-biserial correlation", r, {}, EffectDirection::FirstMinusSecond};
  // The deviation of r under the null hypothesis, on Fisher's scale; +-1 has no finite image there.
  double error = std::sqrt(s.squares) / sum;
  if (std::fabs(r) < 1) {
    double reach = Normal().quantileUpper((1 - level) / 2) * error, centre = std::atanh(r);
    effect.interval = Interval{std::tanh(centre - reach), std::tanh(centre + reach), level, level,
                               "Fisher's z with the null variance, approximate"};
  }
  result.effects.push_back(effect);
}

TestResult signedRank(TestResult result, Differences d, const RankOptions &options,
                      const std::string &estimateName) {
  equaliseRoundoff(d);
  SignedRanks s = rankSigns(d, options.conventions.zeros);
  result.n.push_back({"zero differences", s.zeros});
  double half = s.zeroHalf;
  result.statistics = {{"V", s.positive() + half},
                       {"T-", s.negative() + half},
                       {"T", std::min(s.positive(), s.negative()) + half}};
  if (s.doubled.empty())
    return result.undefined("all differences are zero: there is nothing to rank");
  bool exact = wantsExact(s, options) && exactP(result, s);
  if (!exact) {
    if (wantsExact(s, options))
      result.notes.push_back("too many patterns to count: the normal approximation instead");
    normalP(result, s, options);
  }
  if (s.zeros > 0)
    result.method += ", " + zerosText(options.conventions.zeros);
  reportBiserial(result, s, options.level);
  reportMedian(result, d, s, options, estimateName);
  return result;
}

} // namespace

TestResult wilcoxonSignedRank(std::span<const double> first, std::span<const double> second,
                              const RankOptions &options) {
  TestResult result;
  result.id = "wilcoxon_signed_rank";
  result.name = "Wilcoxon signed rank test";
  if (!acceptPairs(result, first, second, 1))
    return result;
  Differences d;
  for (size_t i = 0; i < first.size(); ++i) {
    d.values.push_back(first[i] - second[i] - options.hypothesised);
    double largest = std::fmax(std::fabs(first[i]), std::fabs(second[i]));
    d.tolerances.push_back(0x1p-50 * std::fmax(largest, std::fabs(options.hypothesised)));
  }
  if (!allFinite(d.values))
    return result.refused("a difference overflows");
  return signedRank(std::move(result), std::move(d), options,
                    "median of differences (Hodges-Lehmann)");
}

TestResult oneSampleWilcoxon(std::span<const double> values, const RankOptions &options) {
  TestResult result;
  result.id = "one_sample_wilcoxon";
  result.name = "one-sample Wilcoxon signed rank test";
  if (!acceptSample(result, values, 1))
    return result;
  Differences d;
  for (double x : values) {
    d.values.push_back(x - options.hypothesised);
    d.tolerances.push_back(options.hypothesised == 0
                               ? 0
                               : 0x1p-50 *
                                     std::fmax(std::fabs(x), std::fabs(options.hypothesised)));
  }
  if (!allFinite(d.values))
    return result.refused("a difference overflows");
  return signedRank(std::move(result), std::move(d), options, "median (Hodges-Lehmann)");
}

} // namespace imbrex::stats
