#include "stats/procedures/timing/CompareTimes.h"

#include "stats/procedures/resampling/Permutation.h"

#include <cmath>
#include <cstdio>
#include <numeric>
#include <vector>

namespace imbrex::stats {
namespace {

constexpr size_t LeastPairs = 6;

double mean(std::span<const double> v) {
  return std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
}

/// The two-sided p-value of: the logarithms of the ratios are centred at `shift`.
TestResult testAt(std::span<const double> logs, double shift, const TimingOptions &options) {
  const std::vector<double> centre(logs.size(), shift);
  PermutationOptions permutation;
  permutation.exactLimit = static_cast<double>(options.samples);
  permutation.samples = options.samples;
  permutation.seed = options.seed;
  return permutationPaired(logs, centre, permutation);
}

double pOf(const TestResult &result) {
  return result.p.undirected ? result.p.undirected->value : 1;
}

/// The end of the set of shifts that the test admits, on the side of `outside`.
double edge(std::span<const double> logs, double inside, double outside,
            const TimingOptions &options) {
  for (int step = 0; step < 30; ++step) {
    const double middle = (inside + outside) / 2;
    (pOf(testAt(logs, middle, options)) > options.alpha ? inside : outside) = middle;
  }
  return outside;
}

Result<std::vector<double>> logRatios(std::span<const double> first,
                                      std::span<const double> second) {
  if (first.size() != second.size() || first.size() < LeastPairs)
    return badInput(1290,
                    "times of " + std::to_string(first.size()) + " and " +
                        std::to_string(second.size()) + " runs cannot be compared",
                    "pairs are needed, at least " + std::to_string(LeastPairs));
  std::vector<double> logs;
  for (size_t i = 0; i < first.size(); ++i) {
    if (!(first[i] > 0) || !(second[i] > 0) || std::isinf(first[i]) || std::isinf(second[i]))
      return badInput(1290, "a time is not a positive number", "pair " + std::to_string(i + 1));
    logs.push_back(std::log(second[i] / first[i]));
  }
  return logs;
}

} // namespace

Result<TestResult> testTimes(std::span<const double> first, std::span<const double> second,
                             const TimingOptions &options) {
  auto logs = logRatios(first, second);
  if (!logs)
    return logs.takeError();
  return testAt(*logs, 0, options);
}

Result<TimeComparison> compareTimes(std::span<const double> first, std::span<const double> second,
                                    const TimingOptions &options) {
  auto ratios = logRatios(first, second);
  if (!ratios)
    return ratios.takeError();
  const std::vector<double> &logs = *ratios;
  TimeComparison out;
  out.pairs = static_cast<int64_t>(logs.size());
  out.speed = std::exp(mean(logs));
  out.test = testAt(logs, 0, options);
  out.different = pOf(out.test) <= options.alpha;
  const double centre = mean(logs);
  double far = 1e-12;
  for (double v : logs)
    far = std::max(far, 2 * std::abs(v - centre));
  out.interval = {std::exp(edge(logs, centre, centre - far, options)),
                  std::exp(edge(logs, centre, centre + far, options)), 1 - options.alpha,
                  1 - options.alpha, "inverted sign-flip test"};
  return out;
}

std::string TimeComparison::sentence(const std::string &first, const std::string &second) const {
  char numbers[200];
  std::snprintf(numbers, sizeof numbers,
                "%.0f %% interval %.3f to %.3f, p = %.2g, %lld pairs, sign-flip test",
                100 * interval.level, interval.low, interval.high,
                test.p.undirected ? test.p.undirected->value : 1.0, static_cast<long long>(pairs));
  char speedText[40];
  std::snprintf(speedText, sizeof speedText, "%.3f", speed);
  if (different)
    return first + " is " + speedText + " times as fast as " + second + " (" + numbers + ")";
  return "no difference is shown: " + first + " measured " + speedText + " times as fast as " +
         second + " (" + numbers + ")";
}

} // namespace imbrex::stats
