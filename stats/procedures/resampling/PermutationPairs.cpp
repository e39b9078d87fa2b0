// Permutation tests of pairs: signs of differences, and partners of a correlation.
#include "stats/procedures/Tails.h"
#include "stats/procedures/association/Correlation.h"
#include "stats/procedures/resampling/Permutation.h"
#include "stats/procedures/resampling/Random.h"
#include "stats/procedures/resampling/ResampledEffects.h"
#include "stats/procedures/resampling/Tally.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace imbrex::stats {
namespace {

double signedSum(const std::vector<double> &values, uint64_t signs) {
  double sum = 0;
  for (size_t i = 0; i < values.size(); ++i)
    sum += (signs >> i & 1) != 0 ? -values[i] : values[i];
  return sum;
}

double randomlySignedSum(const std::vector<double> &values, Random &random) {
  double sum = 0;
  uint64_t bits = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    if (i % 64 == 0)
      bits = random.next();
    sum += (bits >> (i % 64) & 1) != 0 ? -values[i] : values[i];
  }
  return sum;
}

double dot(const std::vector<double> &x, const std::vector<double> &y) {
  return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

/// Centred, of length 1.
std::vector<double> standardised(std::span<const double> values) {
  CommonScale scale(values);
  std::vector<double> result = scale.scaled(values);
  Moments moments = momentsOf(result);
  for (double &value : result)
    value = (value - moments.mean) / std::sqrt(moments.squares);
  return result;
}

} // namespace

TestResult permutationPaired(std::span<const double> first, std::span<const double> second,
                             const PermutationOptions &options) {
  TestResult result{.id = "permutation_paired", .name = "Permutation test of pairs"};
  if (!acceptPairs(result, first, second, 1))
    return result;
  std::vector<double> differences;
  double scale = 0;
  for (size_t i = 0; i < first.size(); ++i) {
    differences.push_back(first[i] - second[i]);
    scale += std::abs(differences.back());
  }
  if (scale == 0)
    return result.undefined("all differences are 0");
  double observed = std::accumulate(differences.begin(), differences.end(), 0.0);
  double n = static_cast<double>(first.size());
  Tally tally(observed, scale);
  result.statistics = {{"mean difference", observed / n}};
  result.estimate = Estimate{"mean difference", observed / n, {}};
  reportResampledDifference(result, {differences}, options);
  if (n < 60 && std::ldexp(1.0, static_cast<int>(first.size())) <= options.exactLimit) {
    for (uint64_t signs = 0; signs < uint64_t{1} << first.size(); ++signs)
      tally.add(signedSum(differences, signs));
    tally.finishExact(result);
    return result;
  }
  Random random(options.seed);
  for (int64_t i = 0; i < options.samples; ++i)
    tally.add(randomlySignedSum(differences, random));
  tally.finishSampled(result, options);
  return result;
}

TestResult permutationCorrelation(std::span<const double> x, std::span<const double> y,
                                  const PermutationOptions &options) {
  TestResult result{.id = "permutation_corr", .name = "Permutation test of a correlation"};
  if (!acceptPairs(result, x, y, 3))
    return result;
  if (auto why = constantColumn(x, y))
    return result.undefined(*why);
  double n = static_cast<double>(x.size());
  std::vector<double> a = standardised(x), b = standardised(y);
  double observed = dot(a, b);
  Tally tally(observed, 1);
  result.statistics = {{"r", correlationOf(x, y)}};
  reportCorrelation(result, "Pearson's r", correlationOf(x, y),
                    n > 3 ? fisherInterval(correlationOf(x, y), 1 / std::sqrt(n - 3),
                                           options.level.value_or(0.95), "Fisher's z")
                          : std::nullopt);
  if (std::lgamma(n + 1) <= std::log(options.exactLimit)) {
    std::vector<size_t> order(b.size());
    std::iota(order.begin(), order.end(), size_t{0});
    do {
      double sum = 0;
      for (size_t i = 0; i < order.size(); ++i)
        sum += a[i] * b[order[i]];
      tally.add(sum);
    } while (std::next_permutation(order.begin(), order.end()));
    tally.finishExact(result);
    return result;
  }
  Random random(options.seed);
  for (int64_t i = 0; i < options.samples; ++i) {
    random.shuffle(std::span(b));
    tally.add(dot(a, b));
  }
  tally.finishSampled(result, options);
  return result;
}

} // namespace imbrex::stats
