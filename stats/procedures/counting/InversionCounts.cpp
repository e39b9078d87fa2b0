#include "stats/procedures/counting/InversionCounts.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace imbrex::stats {

double inversionsAtMost(int64_t count, int64_t n) {
  int64_t most = n * (n - 1) / 2;
  if (count < 0)
    return 0;
  if (count >= most)
    return 1;
  // The distribution is symmetric, so only its lower half is ever built; there it increases, hence
  // the difference of the sliding window loses no accuracy.
  if (count > (most - 1) / 2)
    return 1 - inversionsAtMost(most - count - 1, n);
  std::vector<double> probability(static_cast<size_t>(count) + 1, 0.0), next(probability.size());
  probability[0] = 1;
  for (int64_t items = 2; items <= n; ++items) {
    double window = 0;
    for (int64_t i = 0; i <= count; ++i) {
      window += probability[static_cast<size_t>(i)];
      if (i >= items)
        window -= probability[static_cast<size_t>(i - items)];
      next[static_cast<size_t>(i)] = std::max(window, 0.0) / static_cast<double>(items);
    }
    probability.swap(next);
  }
  return std::accumulate(probability.begin(), probability.end(), 0.0);
}

} // namespace imbrex::stats
