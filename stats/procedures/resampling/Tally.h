// Counts how often a permuted statistic reaches the observed one. Statistics within a relative
// 1e-11 are equal, so that the order of summation decides nothing.
#pragma once

#include "stats/procedures/TestResult.h"
#include "stats/procedures/resampling/Permutation.h"

#include <cmath>
#include <cstdint>
#include <string>

namespace imbrex::stats {

class Tally {
public:
  /// `scale`: a magnitude that rounding errors of the statistic are relative to.
  Tally(double observed, double scale) : observed(observed), slack(1e-11 * scale) {}

  void add(double statistic) {
    ++total;
    low += statistic <= observed + slack;
    high += statistic >= observed - slack;
    far += std::abs(statistic) >= std::abs(observed) - slack;
  }

  /// All arrangements were added.
  void finishExact(TestResult &result) const {
    result.p.less = share(low);
    result.p.greater = share(high);
    result.p.undirected = share(far);
    result.method = "exact over " + std::to_string(total) + " arrangements";
  }

  /// A random part of them.
  void finishSampled(TestResult &result, const PermutationOptions &options) const {
    result.p.less = share(low, 1);
    result.p.greater = share(high, 1);
    result.p.undirected = share(far, 1);
    double p = result.p.undirected->value;
    result.statistics.push_back(
        {"standard error of p", std::sqrt(p * (1 - p) / static_cast<double>(total))});
    result.method =
        std::to_string(total) + " random arrangements, seed " + std::to_string(options.seed);
  }

private:
  PValue share(int64_t hits, int64_t more = 0) const {
    return PValue::of(static_cast<double>(hits + more) / static_cast<double>(total + more));
  }

  double observed, slack;
  int64_t total = 0, low = 0, high = 0, far = 0;
};

} // namespace imbrex::stats
