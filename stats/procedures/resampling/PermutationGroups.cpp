// Permutation tests of two and of several independent groups.
#include "stats/procedures/anova/VarianceShares.h"
#include "stats/procedures/resampling/Permutation.h"
#include "stats/procedures/resampling/Random.h"
#include "stats/procedures/resampling/ResampledEffects.h"
#include "stats/procedures/resampling/Tally.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace imbrex::stats {
namespace {

/// log of the number of ways to form groups of these sizes.
double logArrangements(const std::vector<size_t> &sizes) {
  double n = 0, log = 0;
  for (size_t size : sizes) {
    n += static_cast<double>(size);
    log -= std::lgamma(static_cast<double>(size) + 1);
  }
  return log + std::lgamma(n + 1);
}

/// Calls visit for the observed order, then all arrangements of `labels`, or random ones; says
/// which.
template <class Visit>
void visitArrangements(std::vector<int> labels, const std::vector<size_t> &sizes,
                       const PermutationOptions &options, const Visit &visit, bool &exact) {
  exact = logArrangements(sizes) <= std::log(options.exactLimit);
  if (exact) {
    std::sort(labels.begin(), labels.end());
    do
      visit(labels);
    while (std::next_permutation(labels.begin(), labels.end()));
    return;
  }
  Random random(options.seed);
  for (int64_t i = 0; i < options.samples; ++i) {
    random.shuffle(std::span(labels));
    visit(labels);
  }
}

struct Pool {
  std::vector<double> values; // centred and scaled to 1
  std::vector<int> labels;
  std::vector<size_t> sizes;
  CommonScale scale;

  explicit Pool(const Groups &groups) : scale(groups) {
    for (size_t g = 0; g < groups.size(); ++g) {
      for (double value : groups[g]) {
        values.push_back(scale.scaled(value));
        labels.push_back(static_cast<int>(g));
      }
      sizes.push_back(groups[g].size());
    }
    double mean = momentsOf(values).mean;
    for (double &value : values)
      value -= mean;
  }
  bool constant() const {
    return std::all_of(values.begin(), values.end(), [&](double v) { return v == values[0]; });
  }
};

/// Sums and sums of squares of each group, then the statistic.
class GroupSums {
public:
  explicit GroupSums(const Pool &pool)
      : pool(pool), sum(pool.sizes.size()), square(pool.sizes.size()) {}

  void take(const std::vector<int> &labels) {
    std::fill(sum.begin(), sum.end(), 0.0);
    std::fill(square.begin(), square.end(), 0.0);
    for (size_t i = 0; i < labels.size(); ++i) {
      auto g = static_cast<size_t>(labels[i]);
      sum[g] += pool.values[i];
      square[g] += pool.values[i] * pool.values[i];
    }
  }
  double mean(size_t g) const { return sum[g] / size(g); }
  double difference() const { return mean(0) - mean(1); }
  double welchT() const {
    double error = std::sqrt(variance(0) / size(0) + variance(1) / size(1));
    double d = difference();
    return error > 0 ? d / error : d == 0 ? 0 : std::copysign(1e300, d);
  }
  /// The between-groups sum of squares: F increases with it, since the total is fixed.
  double between() const {
    double result = 0;
    for (size_t g = 0; g < sum.size(); ++g)
      result += sum[g] * sum[g] / size(g);
    return result;
  }
  double allSquares() const { return std::accumulate(square.begin(), square.end(), 0.0); }

private:
  double size(size_t g) const { return static_cast<double>(pool.sizes[g]); }
  double variance(size_t g) const {
    return std::max(0.0, square[g] - sum[g] * mean(g)) / (size(g) - 1);
  }

  const Pool &pool;
  std::vector<double> sum, square;
};

bool accept(TestResult &result, const Groups &groups, size_t least) {
  for (size_t g = 0; g < groups.size(); ++g)
    result.n.push_back({"group " + std::to_string(g + 1), static_cast<double>(groups[g].size())});
  if (groups.size() < 2)
    result.refused("at least 2 groups are needed");
  for (size_t g = 0; g < groups.size() && result.defined(); ++g)
    if (groups[g].size() < least)
      result.refused("group " + std::to_string(g + 1) + " has " + std::to_string(groups[g].size()) +
                     " values, but at least " + std::to_string(least) + " are needed");
  if (result.defined() && !allFinite(groups))
    result.refused("a value is not finite");
  return result.defined();
}

} // namespace

TestResult permutationTwoGroups(std::span<const double> first, std::span<const double> second,
                                GroupStatistic statistic, const PermutationOptions &options) {
  TestResult result{.id = "permutation", .name = "Permutation test of two groups"};
  bool welch = statistic == GroupStatistic::WelchT;
  Groups groups{{first.begin(), first.end()}, {second.begin(), second.end()}};
  if (!accept(result, groups, welch ? 2 : 1))
    return result;
  Pool pool(groups);
  if (pool.constant())
    return result.undefined("all values are equal");
  GroupSums sums(pool);
  auto value = [&](const std::vector<int> &labels) {
    sums.take(labels);
    return welch ? sums.welchT() : sums.difference();
  };
  double observed = value(pool.labels);
  Tally tally(observed, std::max(1.0, std::abs(observed)));
  bool exact = false;
  visitArrangements(
      pool.labels, pool.sizes, options,
      [&](const std::vector<int> &labels) { tally.add(value(labels)); }, exact);
  sums.take(pool.labels);
  double difference = pool.scale.difference(sums.difference());
  result.statistics = {{welch ? "t" : "difference of means", welch ? observed : difference}};
  result.estimate = Estimate{"difference of means", difference, {}};
  reportResampledDifference(result, groups, options);
  exact ? tally.finishExact(result) : tally.finishSampled(result, options);
  return result;
}

TestResult permutationGroups(const Groups &groups, const PermutationOptions &options) {
  TestResult result{.id = "permutation_f", .name = "Permutation test of several groups"};
  if (!accept(result, groups, 1))
    return result;
  Pool pool(groups);
  if (pool.constant())
    return result.undefined("all values are equal");
  if (pool.values.size() <= groups.size())
    return result.refused("there are no more values than groups");
  GroupSums sums(pool);
  auto value = [&](const std::vector<int> &labels) {
    sums.take(labels);
    return sums.between();
  };
  double observed = value(pool.labels), all = sums.allSquares();
  Tally tally(observed, all);
  bool exact = false;
  visitArrangements(
      pool.labels, pool.sizes, options,
      [&](const std::vector<int> &labels) { tally.add(value(labels)); }, exact);
  double k = static_cast<double>(groups.size()), n = static_cast<double>(pool.values.size());
  double f = observed / (k - 1) / (std::max(0.0, all - observed) / (n - k));
  result.statistics = {{"F", f}};
  if (options.level) {
    auto interval = varianceShareInterval(f, k - 1, n - k, *options.level);
    if (interval)
      interval->method += ", approximate";
    result.effects.push_back({"eta squared", observed / all, interval});
  }
  exact ? tally.finishExact(result) : tally.finishSampled(result, options);
  result.p.less.reset();
  result.p.greater.reset();
  return result;
}

} // namespace imbrex::stats
