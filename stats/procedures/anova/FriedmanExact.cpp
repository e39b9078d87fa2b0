#include "stats/procedures/anova/FriedmanExact.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace imbrex::stats {
namespace {

constexpr size_t mostConditions = 6;
constexpr double mostWork = 1e7;

using Sums = std::vector<int64_t>;

/// All distinct orders of a subject's ranks, and how likely each is.
struct Orders {
  std::vector<Sums> each;
  double chance = 1;
};

Orders ordersOf(Sums ranks) {
  std::sort(ranks.begin(), ranks.end());
  Orders orders;
  do
    orders.each.push_back(ranks);
  while (std::next_permutation(ranks.begin(), ranks.end()));
  orders.chance = 1 / double(orders.each.size());
  return orders;
}

/// Distance of sums with a known total from equality, up to a constant.
int64_t spread(const Sums &sums) {
  return std::inner_product(sums.begin(), sums.end(), sums.begin(), int64_t{0});
}

} // namespace

std::optional<double> friedmanExactP(const std::vector<Sums> &doubledRanks) {
  size_t k = doubledRanks.empty() ? 0 : doubledRanks[0].size();
  if (k < 2 || k > mostConditions || doubledRanks.size() > 1000)
    return std::nullopt;
  // Conditions are exchangeable under the null hypothesis, so sums count sorted.
  std::map<Sums, double> chances{{Sums(k, 0), 1.0}};
  Sums observed(k, 0);
  double work = 0;
  for (const Sums &subject : doubledRanks) {
    for (size_t j = 0; j < k; ++j)
      observed[j] += subject[j];
    Orders orders = ordersOf(subject);
    work += double(chances.size()) * double(orders.each.size());
    if (work > mostWork / double(k))
      return std::nullopt;
    std::map<Sums, double> next;
    for (const auto &[sums, chance] : chances)
      for (const Sums &order : orders.each) {
        Sums total = sums;
        for (size_t j = 0; j < k; ++j)
          total[j] += order[j];
        std::sort(total.begin(), total.end());
        next[total] += chance * orders.chance;
      }
    chances = std::move(next);
  }
  double p = 0;
  for (const auto &[sums, chance] : chances)
    if (spread(sums) >= spread(observed))
      p += chance;
  return std::min(1.0, p);
}

} // namespace imbrex::stats
