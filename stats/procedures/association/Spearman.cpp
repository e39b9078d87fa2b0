#include "stats/procedures/association/Spearman.h"

#include "stats/numeric/Distributions.h"
#include "stats/numeric/Ranks.h"
#include "stats/procedures/Tails.h"
#include "stats/procedures/association/Correlation.h"
#include "stats/procedures/association/TiedGroups.h"
#include "stats/procedures/counting/Arrangements.h"

#include <algorithm>
#include <cmath>

namespace imbrex::stats {
namespace {

struct Sample {
  std::span<const double> x, y;
  bool ties;
  double n, rho, s;
};

bool wantsExact(const Sample &sample, const Conventions &conventions) {
  switch (conventions.spearmanExact) {
  case ExactRule::Never:
    return false;
  case ExactRule::Always:
    return true;
  case ExactRule::NeverWithTies:
    return !sample.ties && sample.n < conventions.spearmanExactBelow;
  case ExactRule::WithTies:
    return sample.n < conventions.spearmanExactBelow;
  }
  return false;
}

/// Tails of sum(rank x * rank y) over all arrangements; doubled ranks keep it whole.
std::optional<PValues> exactP(const Sample &sample) {
  TiedGroups x(sample.x), y(sample.y);
  // The states are the kinds used so far: the variable with more ties makes fewer.
  const TiedGroups &dealt = x.states() < y.states() ? x : y,
                   &groups = x.states() < y.states() ? y : x;
  auto whole = [](const TiedGroups &g) { return g.reducedRanks(); };
  std::vector<int64_t> groupScore = whole(groups), kindScore = whole(dealt);
  ArrangementProblem problem{groups.sizes, dealt.sizes,
                             [&](size_t group, size_t kind, std::span<const int32_t>) {
                               return groupScore[group] * kindScore[kind];
                             }};
  auto distribution = countArrangements(problem);
  if (!distribution)
    return std::nullopt;
  int64_t observed = 0;
  for (size_t i = 0; i < sample.x.size(); ++i)
    observed += groupScore[groups.groupOf[i]] * kindScore[dealt.groupOf[i]];
  return exactTails(distribution->atMost(observed), distribution->atLeast(observed));
}

/// Pearson's r of whole numbers, twice the ranks from their mean: sums are exact, so that no
/// correlation is exactly 0.
double rankCorrelation(const Ranking &x, const Ranking &y) {
  auto middle = static_cast<int64_t>(x.doubled.size()) + 1;
  long double products = 0, squaresX = 0, squaresY = 0;
  for (size_t i = 0; i < x.doubled.size(); ++i) {
    auto a = static_cast<long double>(x.doubled[i] - middle);
    auto b = static_cast<long double>(y.doubled[i] - middle);
    products += a * b;
    squaresX += a * a;
    squaresY += b * b;
  }
  return std::clamp(static_cast<double>(products / (std::sqrt(squaresX) * std::sqrt(squaresY))),
                    -1.0, 1.0);
}

PValues seriesP(const Sample &sample) {
  double s = 2 * std::round(sample.s / 2); // even, but for rounding
  double atLeast = spearmanSeriesAtLeast(s, sample.n);
  double atMost = 1 - spearmanSeriesAtLeast(s + 2, sample.n);
  // The series is no distribution function: its lower tail is the mirror image of the upper one.
  double most = (sample.n * sample.n - 1) * sample.n / 3;
  atMost = s < most / 2 ? spearmanSeriesAtLeast(most - s, sample.n) : atMost;
  PValues tails = exactTails(atLeast, atMost); // large S is a negative association
  return tails;
}

void choosePValue(TestResult &result, const Sample &sample, const Conventions &conventions) {
  if (wantsExact(sample, conventions)) {
    if (auto p = exactP(sample)) {
      result.p = *p;
      result.method = sample.ties ? "exact over all arrangements of the tied ranks"
                                  : "exact over all arrangements of the ranks";
      return;
    }
    result.notes.push_back("an exact p-value would take too long: approximated");
  }
  if (!sample.ties && sample.n < conventions.spearmanSeriesBelow && sample.n > 2) {
    result.p = seriesP(sample);
    result.method = "Edgeworth series (AS 89)";
    return;
  }
  result.method = "t distribution with n - 2 degrees of freedom";
  double df = sample.n - 2, rho = sample.rho;
  if (df < 1) {
    result.p = exactTails(1, 1);
    return;
  }
  double t = std::sqrt(df) * rho / std::sqrt((1 - rho) * (1 + rho));
  result.statistics.push_back({"t", t});
  result.df = {{"df", df}};
  result.p = studentTails(t, df);
}

} // namespace

double spearmanSeriesAtLeast(double s, double n) {
  if (s <= 0)
    return 1;
  if (s > (n * n - 1) * n / 3)
    return 0;
  double b = 1 / n;
  double x = (6 * (s - 1) * b / (n * n - 1) - 1) * std::sqrt(1 / b - 1);
  double y = x * x;
  double u =
      x * b *
      (0.2274 + b * (0.2531 + 0.1745 * b) +
       y * (-0.0758 + b * (0.1033 + 0.3932 * b) -
            y * b *
                (0.0879 + 0.0151 * b - y * (0.0072 - 0.0831 * b + y * b * (0.0131 - 4.6e-4 * y)))));
  return std::clamp(u / std::exp(y / 2) + Normal{}.sf(x), 0.0, 1.0);
}

TestResult spearman(std::span<const double> x, std::span<const double> y,
                    const Conventions &conventions, double level) {
  TestResult result{.id = "spearman_corr", .name = "Spearman's rank correlation"};
  if (!acceptPairs(result, x, y, 2))
    return result;
  if (auto why = constantColumn(x, y))
    return result.undefined(*why);
  Ranking rankX = midranks(x), rankY = midranks(y);
  Sample sample{x, y, rankX.hasTies() || rankY.hasTies(), static_cast<double>(x.size()), 0, 0};
  sample.rho = rankCorrelation(rankX, rankY);
  sample.s = (sample.n * sample.n * sample.n - sample.n) * (1 - sample.rho) / 6;
  result.statistics = {{"S", sample.s}, {"rho", sample.rho}};
  choosePValue(result, sample, conventions);
  std::optional<Interval> interval;
  if (sample.n > 3)
    interval =
        fisherInterval(sample.rho, std::sqrt((1 + sample.rho * sample.rho / 2) / (sample.n - 3)),
                       level, "Fisher's z with Bonett and Wright's error");
  reportCorrelation(result, "Spearman's rho", sample.rho, interval);
  return result;
}

} // namespace imbrex::stats
