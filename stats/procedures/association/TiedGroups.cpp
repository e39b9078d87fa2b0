#include "stats/procedures/association/TiedGroups.h"

#include <algorithm>
#include <numeric>

namespace imbrex::stats {

TiedGroups::TiedGroups(std::span<const double> values) : groupOf(values.size()) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return values[a] < values[b]; });
  for (size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || values[order[i]] != values[order[i - 1]])
      sizes.push_back(0);
    ++sizes.back();
    groupOf[order[i]] = sizes.size() - 1;
  }
}

double TiedGroups::states() const {
  double product = 1;
  for (int32_t size : sizes)
    product *= size + 1;
  return product;
}

std::vector<int64_t> TiedGroups::reducedRanks() const {
  std::vector<int64_t> ranks;
  int64_t before = 0, divisor = 0;
  for (int32_t size : sizes) {
    ranks.push_back(2 * before + size + 1); // twice the midrank
    before += size;
    divisor = std::gcd(divisor, ranks.back() - ranks.front());
  }
  for (int64_t &rank : ranks)
    rank -= sizes.front() + 1;
  for (int64_t &rank : ranks)
    rank /= std::max<int64_t>(divisor, 1);
  return ranks;
}

} // namespace imbrex::stats
