#include "stats/procedures/resampling/Bootstrap.h"

#include "stats/numeric/Distributions.h"
#include "stats/procedures/resampling/Random.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace imbrex::stats {
namespace {

constexpr double studentisedWork = 2e9; // evaluations of the statistic times values

void draw(const Groups &data, Resampling resampling, Random &random, Groups &sample) {
  sample.resize(data.size());
  for (size_t g = 0; g < data.size(); ++g)
    sample[g].resize(data[g].size());
  if (resampling == Resampling::Rows) {
    for (size_t i = 0; i < data[0].size(); ++i) {
      size_t from = random.below(data[0].size());
      for (size_t g = 0; g < data.size(); ++g)
        sample[g][i] = data[g][from];
    }
    return;
  }
  for (size_t g = 0; g < data.size(); ++g)
    for (double &value : sample[g])
      value = data[g][random.below(data[g].size())];
}

/// Influence values by leaving out one value (or row) at a time: one list for each independent
/// sample.
std::vector<std::vector<double>> influences(const Groups &data, Resampling resampling,
                                            const Statistic &statistic) {
  bool rows = resampling == Resampling::Rows;
  size_t samples = rows ? 1 : data.size();
  std::vector<std::vector<double>> result(samples);
  for (size_t s = 0; s < samples; ++s) {
    size_t n = data[s].size();
    std::vector<double> without;
    for (size_t i = 0; i < n; ++i) {
      Groups left = data;
      for (size_t g = rows ? 0 : s; g < (rows ? data.size() : s + 1); ++g)
        left[g].erase(left[g].begin() + static_cast<std::ptrdiff_t>(i));
      without.push_back(statistic(left));
    }
    double mean = std::accumulate(without.begin(), without.end(), 0.0) / static_cast<double>(n);
    for (double value : without)
      result[s].push_back(static_cast<double>(n - 1) * (mean - value));
  }
  return result;
}

struct Shape {
  double acceleration, standardError;
};

Shape shapeOf(const std::vector<std::vector<double>> &influence) {
  double cubes = 0, squares = 0, variance = 0;
  for (const std::vector<double> &sample : influence) {
    auto n = static_cast<double>(sample.size());
    for (double l : sample) {
      squares += l * l / (n * n);
      cubes += l * l * l / (n * n * n);
      variance += l * l / (n * (n - 1));
    }
  }
  return {squares > 0 ? cubes / (6 * std::pow(squares, 1.5)) : 0, std::sqrt(variance)};
}

/// The quantile at p of sorted replicates, position (B + 1) p, interpolated.
double quantileOf(const std::vector<double> &sorted, double p) {
  double position = std::clamp((static_cast<double>(sorted.size()) + 1) * p - 1, 0.0,
                               static_cast<double>(sorted.size() - 1));
  auto index = static_cast<size_t>(position);
  double rest = position - static_cast<double>(index);
  double above = sorted[std::min(index + 1, sorted.size() - 1)];
  return rest == 0 ? sorted[index] : sorted[index] + rest * (above - sorted[index]);
}

class Bootstrapper {
public:
  Bootstrapper(const Groups &data, Resampling resampling, const Statistic &statistic,
               const BootstrapOptions &options)
      : data(data), resampling(resampling), statistic(statistic), options(options) {}

  BootstrapResult run() {
    result.value = statistic(data);
    if (!std::isfinite(result.value)) {
      result.reason = "the statistic has no value on the data";
      return std::move(result);
    }
    if (options.method == BootstrapMethod::Studentised && !affordable()) {
      result.reason = "a standard error for each resample would take too long: use BCa";
      return std::move(result);
    }
    resample();
    if (result.replicates.size() < 20) {
      result.reason = "the statistic has a value on fewer than 20 resamples";
      return std::move(result);
    }
    describe();
    double tail = (1 - options.level) / 2;
    if (chanceOfExtreme() >= tail)
      result.reason = "there are too few values for an interval of this level";
    else if (static_cast<double>(result.withoutValue) >=
             2 * tail * static_cast<double>(options.samples))
      result.reason = "the statistic has no value on too many resamples";
    else
      setInterval(tail);
    return std::move(result);
  }

private:
  bool affordable() const {
    if (options.standardError)
      return true;
    double n = 0;
    for (const std::vector<double> &group : data)
      n += static_cast<double>(group.size());
    return n * n * static_cast<double>(options.samples) <= studentisedWork;
  }

  /// How often a resample repeats one value (or row) of each sample only. When that is no rarer
  /// than a tail, quantiles are the ends of the data, whatever the level.
  double chanceOfExtreme() const {
    double log = 0;
    for (size_t g = 0; g < (resampling == Resampling::Rows ? 1 : data.size()); ++g)
      log -= static_cast<double>(data[g].size()) * std::log(static_cast<double>(data[g].size()));
    return std::exp(log);
  }

  double errorOf(const Groups &sample) const {
    return options.standardError ? options.standardError(sample)
                                 : shapeOf(influences(sample, resampling, statistic)).standardError;
  }

  void resample() {
    Random random(options.seed);
    Groups sample;
    for (int64_t i = 0; i < options.samples; ++i) {
      draw(data, resampling, random, sample);
      double value = statistic(sample);
      if (std::isfinite(value))
        result.replicates.push_back(value);
      else
        ++result.withoutValue;
      if (options.method != BootstrapMethod::Studentised || !std::isfinite(value))
        continue;
      if (double error = errorOf(sample); error > 0)
        pivots.push_back((value - result.value) / error);
    }
    std::sort(result.replicates.begin(), result.replicates.end());
    std::sort(pivots.begin(), pivots.end());
  }

  void describe() {
    Moments moments = momentsOf(result.replicates);
    result.bias = moments.mean - result.value;
    result.standardError = moments.deviation();
  }

  void setInterval(double tail) {
    const std::vector<double> &r = result.replicates;
    switch (options.method) {
    case BootstrapMethod::Percentile:
      return set(quantileOf(r, tail), quantileOf(r, 1 - tail), "percentile bootstrap");
    case BootstrapMethod::Basic:
      return set(2 * result.value - quantileOf(r, 1 - tail), 2 * result.value - quantileOf(r, tail),
                 "basic bootstrap");
    case BootstrapMethod::BCa:
      return setBCa(tail);
    case BootstrapMethod::Studentised:
      return setStudentised(tail);
    }
  }

  void setBCa(double tail) {
    auto first = std::lower_bound(result.replicates.begin(), result.replicates.end(), result.value);
    auto last = std::upper_bound(first, result.replicates.end(), result.value);
    // Replicates equal to the value count half, as for discrete statistics such as medians.
    double below = static_cast<double>(first - result.replicates.begin()) +
                   static_cast<double>(last - first) / 2;
    double share = below / static_cast<double>(result.replicates.size());
    if (share <= 0 || share >= 1) {
      result.reason = "all resamples lie on one side of the value: BCa has no interval";
      return;
    }
    double bias = Normal{}.quantile(share);
    double acceleration = shapeOf(influences(data, resampling, statistic)).acceleration;
    if (!std::isfinite(acceleration)) {
      result.reason = "the statistic has no value when one observation is left out: BCa has no "
                      "interval";
      return;
    }
    auto level = [&](double z) {
      return Normal{}.cdf(bias + (bias + z) / (1 - acceleration * (bias + z)));
    };
    double z = Normal{}.quantileUpper(tail);
    set(quantileOf(result.replicates, level(-z)), quantileOf(result.replicates, level(z)),
        "BCa bootstrap");
  }

  void setStudentised(double tail) {
    double error = errorOf(data);
    if (pivots.size() < 20 || !(error > 0)) {
      result.reason = "the standard error is 0: a studentised interval does not exist";
      return;
    }
    set(result.value - quantileOf(pivots, 1 - tail) * error,
        result.value - quantileOf(pivots, tail) * error, "studentised bootstrap");
  }

  void set(double low, double high, const char *method) {
    result.interval = Interval{low, high, options.level, options.level, method};
  }

  const Groups &data;
  Resampling resampling;
  const Statistic &statistic;
  const BootstrapOptions &options;
  std::vector<double> pivots;
  BootstrapResult result;
};

/// Twice the smaller share of replicates beyond 0, the data themselves counting as one.
PValue bootstrapP(const std::vector<double> &sorted) {
  auto below = std::upper_bound(sorted.begin(), sorted.end(), 0.0) - sorted.begin();
  auto above = sorted.end() - std::lower_bound(sorted.begin(), sorted.end(), 0.0);
  double smaller = static_cast<double>(std::min<std::ptrdiff_t>(below, above)) + 1;
  return PValue::of(std::min(1.0, 2 * smaller / (static_cast<double>(sorted.size()) + 1)));
}

} // namespace

BootstrapResult bootstrap(const Groups &data, Resampling resampling, const Statistic &statistic,
                          const BootstrapOptions &options) {
  for (const std::vector<double> &group : data)
    if (group.size() < 2 || (resampling == Resampling::Rows && group.size() != data[0].size())) {
      BootstrapResult result;
      result.value = std::nan("");
      result.reason =
          group.size() < 2 ? "each group needs at least 2 values" : "each row needs all its values";
      return result;
    }
  return Bootstrapper(data, resampling, statistic, options).run();
}

double centreOf(std::span<const double> values, Centre centre) {
  std::vector<double> copy(values.begin(), values.end());
  if (centre == Centre::Median)
    return medianOf(std::move(copy));
  size_t cut = 0;
  if (centre == Centre::TrimmedMean) {
    std::sort(copy.begin(), copy.end());
    cut = copy.size() / 5; // a fifth at each end
  }
  Sum sum;
  for (size_t i = cut; i + cut < copy.size(); ++i)
    sum.add(copy[i]);
  return sum.value() / static_cast<double>(copy.size() - 2 * cut);
}

TestResult bootstrapDifference(std::span<const double> first, std::span<const double> second,
                               Centre centre, const BootstrapOptions &options) {
  TestResult result{.id = "bootstrap", .name = "Bootstrap of the difference"};
  result.n = {{"first group", static_cast<double>(first.size())},
              {"second group", static_cast<double>(second.size())}};
  if (first.size() < 2 || second.size() < 2)
    return result.refused("each group needs at least 2 values");
  if (!allFinite(first) || !allFinite(second))
    return result.refused("a value is not finite");
  const char *name = centre == Centre::Mean     ? "difference of means"
                     : centre == Centre::Median ? "difference of medians"
                                                : "difference of trimmed means";
  Groups data{{first.begin(), first.end()}, {second.begin(), second.end()}};
  Statistic statistic = [centre](const Groups &g) {
    return centreOf(g[0], centre) - centreOf(g[1], centre);
  };
  BootstrapResult drawn = bootstrap(data, Resampling::WithinGroups, statistic, options);
  result.method =
      std::to_string(options.samples) + " resamples, seed " + std::to_string(options.seed);
  result.estimate = Estimate{name, drawn.value, drawn.interval};
  if (!drawn.reason.empty())
    return result.undefined(drawn.reason);
  if (drawn.standardError == 0)
    return result.undefined("no resample differs from the data: the groups do not vary");
  result.statistics = {{name, drawn.value}, {"standard error", drawn.standardError}};
  result.p.undirected = bootstrapP(drawn.replicates);
  return result;
}

} // namespace imbrex::stats
