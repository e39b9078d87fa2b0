#include "stats/procedures/groups/RankDistribution.h"

#include "stats/numeric/Distributions.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace imbrex::stats {
namespace {

constexpr double mostWork = 2e9;    // additions: about a second
constexpr double mostWeight = 1000; // binary exponent of the number of arrangements

/// Ranks less their minimum, over their greatest common divisor.
struct Compact {
  std::vector<int64_t> values; // ascending
  int64_t lowest = 0;
  int64_t unit = 0;
};

Compact compact(std::span<const int64_t> doubled, int64_t lowest) {
  Compact result;
  result.lowest = lowest;
  for (int64_t rank : doubled)
    result.unit = std::gcd(result.unit, rank - lowest);
  result.unit = std::max<int64_t>(result.unit, 1);
  for (int64_t rank : doubled)
    result.values.push_back((rank - lowest) / result.unit);
  std::sort(result.values.begin(), result.values.end());
  return result;
}

} // namespace

std::optional<RankDistribution> RankDistribution::ofSubset(std::span<const int64_t> doubled,
                                                           int64_t chosen) {
  int64_t n = int64_t(doubled.size());
  if (chosen < 0 || chosen > n || logChoose(double(n), double(chosen)) > mostWeight * std::log(2))
    return std::nullopt;
  Compact ranks = compact(doubled, n ? *std::min_element(doubled.begin(), doubled.end()) : 0);
  int64_t most = std::accumulate(ranks.values.end() - chosen, ranks.values.end(), int64_t{0});
  if (double(n) * double(chosen) * double(most) > mostWork)
    return std::nullopt;
  std::vector<std::vector<double>> ways(chosen + 1, std::vector<double>(most + 1, 0.0));
  ways[0][0] = 1;
  for (int64_t i = 0, reach = 0; i < n; ++i) { // reach: the largest sum so far
    int64_t value = ranks.values[i];
    reach = std::min(most, reach + value);
    for (int64_t j = std::min(chosen, i + 1); j > 0; --j) {
      const double *from = ways[j - 1].data();
      double *to = ways[j].data() + value;
      for (int64_t s = 0; s <= reach - value; ++s)
        to[s] += from[s];
    }
  }
  // Sums below that of the smallest ranks do not occur.
  int64_t fewest = std::accumulate(ranks.values.begin(), ranks.values.begin() + chosen, int64_t{0});
  RankDistribution result;
  result.unit = ranks.unit;
  result.least = chosen * ranks.lowest + fewest * ranks.unit;
  result.weight.assign(ways[chosen].begin() + fewest, ways[chosen].end());
  result.total = std::accumulate(result.weight.begin(), result.weight.end(), 0.0);
  return result;
}

std::optional<RankDistribution> RankDistribution::ofSigns(std::span<const int64_t> doubled) {
  if (double(doubled.size()) > mostWeight)
    return std::nullopt;
  Compact ranks = compact(doubled, 0);
  int64_t most = std::accumulate(ranks.values.begin(), ranks.values.end(), int64_t{0});
  if (double(doubled.size()) * double(most) > mostWork)
    return std::nullopt;
  RankDistribution result;
  result.unit = ranks.unit;
  result.weight.assign(most + 1, 0.0);
  result.weight[0] = 1;
  int64_t reach = 0;
  for (int64_t value : ranks.values) {
    for (int64_t s = reach; s >= 0; --s)
      result.weight[s + value] += result.weight[s];
    reach += value;
  }
  result.total = std::ldexp(1.0, int(doubled.size()));
  return result;
}

double RankDistribution::atMost(int64_t doubledSum) const {
  double sum = 0;
  for (int64_t i = 0; i < int64_t(weight.size()) && least + i * unit <= doubledSum; ++i)
    sum += weight[i];
  return std::min(1.0, sum / total);
}

double RankDistribution::atLeast(int64_t doubledSum) const {
  double sum = 0;
  for (int64_t i = int64_t(weight.size()) - 1; i >= 0 && least + i * unit >= doubledSum; --i)
    sum += weight[i];
  return std::min(1.0, sum / total);
}

double RankDistribution::asFar(int64_t doubledSum) const {
  // The mean is a ratio of integers that doubles hold; half a step of tolerance decides equality.
  double mean = 0;
  for (size_t i = 0; i < weight.size(); ++i)
    mean += weight[i] / total * double(i);
  double at = double(doubledSum - least) / double(unit);
  double distance = std::fabs(at - mean) - 1e-9 * (1 + double(weight.size()));
  double sum = 0;
  for (size_t i = 0; i < weight.size(); ++i)
    if (std::fabs(double(i) - mean) >= distance)
      sum += weight[i];
  return std::min(1.0, sum / total);
}

int64_t RankDistribution::orderAtMost(double p) const {
  double sum = 0;
  int64_t k = 0;
  while (k < int64_t(weight.size()) && (sum += weight[k]) / total <= p)
    ++k;
  return k;
}

} // namespace imbrex::stats
