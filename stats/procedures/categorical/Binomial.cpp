#include "stats/procedures/categorical/Binomial.h"

#include "stats/numeric/Distributions.h"

#include <algorithm>
#include <cmath>

namespace imbrex::stats {
namespace {

constexpr double equalProbability = 1e-7;

/// P(X <= k) and P(X >= k), defined beyond the ends.
double atMost(const Binomial &b, int64_t k) { return k < 0 ? 0 : k >= b.trials ? 1 : b.cdf(k); }
double atLeast(const Binomial &b, int64_t k) { return k <= 0 ? 1 : k > b.trials ? 0 : b.sf(k - 1); }

double asUnlikelyAs(const Binomial &b, int64_t k) {
  auto mode = static_cast<int64_t>(std::floor((static_cast<double>(b.trials) + 1) * b.chance));
  mode = std::clamp<int64_t>(mode, 0, b.trials);
  double bound = b.logPmf(k) + equalProbability;
  if (b.logPmf(mode) <= bound)
    return 1;
  bool above = k > mode;
  double here = above ? atLeast(b, k) : atMost(b, k);
  int64_t inner = mode, outer = above ? 0 : b.trials;
  if (b.logPmf(outer) > bound)
    return here;
  while (std::abs(outer - inner) > 1) {
    int64_t middle = inner + (outer - inner) / 2;
    (b.logPmf(middle) > bound ? inner : outer) = middle;
  }
  return std::min(1.0, here + (above ? atMost(b, outer) : atLeast(b, outer)));
}

} // namespace

PValues binomialTails(int64_t successes, int64_t trials, double proportion) {
  PValues p;
  if (proportion <= 0 || proportion >= 1) {
    bool certain = proportion <= 0 ? successes == 0 : successes == trials;
    p.undirected = PValue::of(certain ? 1 : 0);
    p.less = PValue::of(proportion <= 0 || certain ? 1 : 0);
    p.greater = PValue::of(proportion >= 1 || certain ? 1 : 0);
    return p;
  }
  Binomial b{trials, proportion};
  p.less = PValue::of(atMost(b, successes));
  p.greater = PValue::of(atLeast(b, successes));
  p.undirected = PValue::of(asUnlikelyAs(b, successes));
  return p;
}

Interval clopperPearson(int64_t successes, int64_t trials, double level) {
  auto x = static_cast<double>(successes), n = static_cast<double>(trials);
  double tail = (1 - level) / 2;
  return {successes == 0 ? 0 : Beta{x, n - x + 1}.quantile(tail),
          successes == trials ? 1 : Beta{x + 1, n - x}.quantileUpper(tail), level, level,
          "Clopper-Pearson"};
}

Interval wilson(int64_t successes, int64_t trials, double level) {
  auto n = static_cast<double>(trials);
  double share = static_cast<double>(successes) / n, z = Normal{}.quantileUpper((1 - level) / 2);
  double centre = (share + z * z / (2 * n)) / (1 + z * z / n);
  double half = z * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n);
  return {successes == 0 ? 0 : centre - half, successes == trials ? 1 : centre + half, level, level,
          "Wilson"};
}

TestResult binomialTest(int64_t successes, int64_t trials, double proportion, double level) {
  TestResult result{.id = "binomial", .name = "Exact binomial test"};
  result.method = "exact binomial";
  result.n = {{"trials", static_cast<double>(trials)}};
  if (trials < 1 || successes < 0 || successes > trials)
    return result.refused("the number of successes must lie between 0 and a positive number of "
                          "trials");
  if (!(proportion >= 0 && proportion <= 1))
    return result.refused("the hypothesised proportion is not between 0 and 1");
  double share = static_cast<double>(successes) / static_cast<double>(trials);
  result.statistics = {{"successes", static_cast<double>(successes)}, {"proportion", share}};
  result.p = binomialTails(successes, trials, proportion);
  Interval exact = clopperPearson(successes, trials, level);
  result.estimate = Estimate{"proportion", share, exact};
  auto h = [&](double p) {
    return 2 * std::asin(std::sqrt(p)) - 2 * std::asin(std::sqrt(proportion));
  };
  result.effects.push_back(
      {"proportion", share, wilson(successes, trials, level), EffectDirection::FirstMinusSecond});
  result.effects.push_back({"Cohen's h", h(share),
                            Interval{h(exact.low), h(exact.high), level, level, exact.method},
                            EffectDirection::FirstMinusSecond});
  return result;
}

} // namespace imbrex::stats
