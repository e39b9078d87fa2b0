// Is one program faster than another? From times taken in pairs, each pair's order drawn at random.
//
// The logarithms of the ratios within pairs are tested by flipping their signs. Under the null
// hypothesis the order decides each sign, so the level is exact whatever the noise: drift and
// autocorrelation of a shared machine hit both sides of a pair. (Maritz 1981, section 2; Kalibera
// and Jones 2013 on why the usual t-test is not.)
#pragma once

#include "stats/procedures/TestResult.h"
#include "support/Result.h"

#include <cstdint>
#include <span>
#include <string>

namespace imbrex::stats {

struct TimingOptions {
  double alpha = 0.05;
  int64_t samples = 20000; // random flips where all arrangements are too many
  uint64_t seed = 1;
};

struct TimeComparison {
  /// Geometric mean of second / first: how many times as fast the first is.
  double speed = 1;
  Interval interval; // of `speed`, by inversion of the test; level 1 - alpha
  TestResult test;   // of the logarithms
  bool different = false;
  int64_t pairs = 0;

  /// "A is 1.25 times as fast as B (95 % interval 1.22 to 1.29, p = 0.0001, 30 pairs, …)".
  std::string sentence(const std::string &first, const std::string &second) const;
};

/// The test alone, of the logarithms of second / first. Same conditions.
Result<TestResult> testTimes(std::span<const double> first, std::span<const double> second,
                             const TimingOptions &options = {});

/// Times in any one unit, positive; first[i] and second[i] are a pair. At least 6 pairs: with fewer
/// no arrangement of signs is rarer than 0.05. E1290 for anything else. Cost: about 60 tests.
Result<TimeComparison> compareTimes(std::span<const double> first, std::span<const double> second,
                                    const TimingOptions &options = {});

} // namespace imbrex::stats
