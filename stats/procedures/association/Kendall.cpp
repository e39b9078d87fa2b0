#include "stats/procedures/association/Kendall.h"

#include "stats/procedures/Tails.h"
#include "stats/procedures/association/Correlation.h"
#include "stats/procedures/association/TiedGroups.h"
#include "stats/procedures/counting/Arrangements.h"
#include "stats/procedures/counting/InversionCounts.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace imbrex::stats {
namespace {

// Items whose inversions are counted at once: of more, a probability may underflow.
constexpr int64_t inversionLimit = 170;

/// Sums over groups of equal values, as the variance of S needs them.
struct TieSums {
  double pairs = 0;   // t(t-1)/2
  double triples = 0; // t(t-1)(t-2)
  double third = 0;   // t(t-1)(2t+5)

  void add(double t) {
    pairs += t * (t - 1) / 2;
    triples += t * (t - 1) * (t - 2);
    third += t * (t - 1) * (2 * t + 5);
  }
};

struct Sample {
  TiedGroups x, y;
  TieSums tiesX, tiesY;
  double n = 0, allPairs = 0, score = 0, tau = 0;

  bool ties() const { return tiesX.pairs > 0 || tiesY.pairs > 0; }
  double discordant() const { return (allPairs - score) / 2; } // without ties
  /// Without ties at most one pair is out of order, or all but one are.
  bool nearOrder() const {
    return !ties() && n <= inversionLimit && std::min(discordant(), allPairs - discordant()) <= 1;
  }
};

/// Pairs out of order in values[begin, end), which is sorted on return.
int64_t countInversions(std::vector<size_t> &values, std::vector<size_t> &spare) {
  int64_t inversions = 0;
  size_t n = values.size();
  for (size_t width = 1; width < n; width *= 2) {
    for (size_t begin = 0; begin < n; begin += 2 * width) {
      size_t middle = std::min(begin + width, n), end = std::min(begin + 2 * width, n);
      size_t left = begin, right = middle;
      for (size_t out = begin; out < end; ++out) {
        if (left < middle && (right == end || values[left] <= values[right])) {
          spare[out] = values[left++];
        } else {
          inversions += static_cast<int64_t>(middle - left);
          spare[out] = values[right++];
        }
      }
    }
    values.swap(spare);
  }
  return inversions;
}

Sample takeSample(std::span<const double> x, std::span<const double> y) {
  Sample sample{TiedGroups(x), TiedGroups(y), {}, {}};
  sample.n = static_cast<double>(x.size());
  sample.allPairs = sample.n * (sample.n - 1) / 2;
  for (int32_t size : sample.x.sizes)
    sample.tiesX.add(size);
  for (int32_t size : sample.y.sizes)
    sample.tiesY.add(size);
  std::vector<size_t> order(x.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const std::vector<size_t> &gx = sample.x.groupOf, &gy = sample.y.groupOf;
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return gx[a] != gx[b] ? gx[a] < gx[b] : gy[a] < gy[b]; });
  TieSums both;
  size_t run = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    bool same = i > 0 && gx[order[i]] == gx[order[i - 1]] && gy[order[i]] == gy[order[i - 1]];
    if (!same) {
      both.add(static_cast<double>(run));
      run = 0;
    }
    ++run;
  }
  both.add(static_cast<double>(run));
  std::vector<size_t> values(x.size()), spare(x.size());
  for (size_t i = 0; i < order.size(); ++i)
    values[i] = gy[order[i]];
  auto discordant = static_cast<double>(countInversions(values, spare));
  sample.score =
      sample.allPairs - sample.tiesX.pairs - sample.tiesY.pairs + both.pairs - 2 * discordant;
  sample.tau = std::clamp(sample.score / (std::sqrt(sample.allPairs - sample.tiesX.pairs) *
                                          std::sqrt(sample.allPairs - sample.tiesY.pairs)),
                          -1.0, 1.0);
  return sample;
}

double varianceOfScore(const Sample &s) {
  double n = s.n;
  double variance = (n * (n - 1) * (2 * n + 5) - s.tiesX.third - s.tiesY.third) / 18 +
                    2 * s.tiesX.pairs * s.tiesY.pairs / (n * (n - 1));
  if (n > 2)
    variance += s.tiesX.triples * s.tiesY.triples / (9 * n * (n - 1) * (n - 2));
  return variance;
}

std::optional<PValues> exactP(const Sample &sample) {
  if (!sample.ties() && sample.n <= inversionLimit) {
    auto n = static_cast<int64_t>(sample.n);
    auto discordant = static_cast<int64_t>(std::llround(sample.discordant()));
    auto most = static_cast<int64_t>(sample.allPairs);
    // As many inversions at least as here: as few non-inversions at most, by symmetry.
    return exactTails(inversionsAtMost(most - discordant, n), inversionsAtMost(discordant, n));
  }
  bool dealX = sample.x.states() < sample.y.states();
  const TiedGroups &dealt = dealX ? sample.x : sample.y, &groups = dealX ? sample.y : sample.x;
  ArrangementProblem problem{groups.sizes, dealt.sizes,
                             [](size_t, size_t kind, std::span<const int32_t> used) {
                               int64_t gain = 0;
                               for (size_t k = 0; k < used.size(); ++k)
                                 gain += k < kind ? used[k] : k > kind ? -used[k] : 0;
                               return gain;
                             }};
  auto distribution = countArrangements(problem);
  if (!distribution)
    return std::nullopt;
  auto score = static_cast<int64_t>(std::llround(sample.score));
  return exactTails(distribution->atMost(score), distribution->atLeast(score));
}

bool wantsExact(const Sample &sample, const Conventions &conventions) {
  switch (conventions.kendallExact) {
  case ExactRule::Never:
    return false;
  case ExactRule::Always:
    return true;
  case ExactRule::NeverWithTies:
    return !sample.ties() && (sample.n < conventions.kendallExactBelow ||
                              (conventions.kendallExactNearOrder && sample.nearOrder()));
  case ExactRule::WithTies:
    return sample.n < conventions.kendallExactBelow;
  }
  return false;
}

void choosePValue(TestResult &result, const Sample &sample, const Conventions &conventions) {
  if (wantsExact(sample, conventions)) {
    if (auto p = exactP(sample)) {
      result.p = *p;
      result.method = sample.ties() ? "exact over all arrangements of the tied values"
                                    : "exact by counting inversions";
      result.statistics = {{"concordant pairs", (sample.allPairs + sample.score) / 2},
                           {"S", sample.score},
                           {"tau", sample.tau}};
      if (sample.ties())
        result.statistics.erase(result.statistics.begin());
      return;
    }
    result.notes.push_back("an exact p-value would take too long: approximated");
  }
  double score = sample.score;
  if (conventions.kendallContinuity == Continuity::Half && score != 0)
    score -= std::copysign(1.0, score);
  double z = score / std::sqrt(varianceOfScore(sample));
  result.statistics = {{"z", z}, {"S", sample.score}, {"tau", sample.tau}};
  result.p = normalTails(z);
  result.method = "normal approximation with correction for ties";
}

} // namespace

TestResult kendall(std::span<const double> x, std::span<const double> y,
                   const Conventions &conventions, double level) {
  TestResult result{.id = "kendalltau_corr", .name = "Kendall's tau-b"};
  if (!acceptPairs(result, x, y, 2))
    return result;
  if (auto why = constantColumn(x, y))
    return result.undefined(*why);
  Sample sample = takeSample(x, y);
  choosePValue(result, sample, conventions);
  std::optional<Interval> interval;
  if (sample.n > 4)
    interval = fisherInterval(sample.tau, std::sqrt(0.437 / (sample.n - 4)), level,
                              "Fisher's z with Fieller's error");
  reportCorrelation(result, "Kendall's tau-b", sample.tau, interval);
  return result;
}

} // namespace imbrex::stats
