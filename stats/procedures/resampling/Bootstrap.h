// Bootstrap intervals of any statistic (Efron and Tibshirani 1993), seeded.
//
// Percentile and Basic are first-order accurate; BCa and Studentised second-order. BCa corrects
// bias and skewness with a jackknife over all values (several samples: chapter 14.6's influence
// values by sample). Studentised takes a standard error for each resample: the caller's, else a
// jackknife, n evaluations each.
#pragma once

#include "stats/numeric/Moments.h"
#include "stats/procedures/TestResult.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace imbrex::stats {

enum class BootstrapMethod { Percentile, Basic, BCa, Studentised };

/// How values are drawn: each group on its own, or rows of all columns together (pairs stay pairs).
enum class Resampling { WithinGroups, Rows };

using Statistic = std::function<double(const Groups &)>;

struct BootstrapOptions {
  BootstrapMethod method = BootstrapMethod::BCa;
  int64_t samples = 9999;
  uint64_t seed = 1;
  double level = 0.95;
  Statistic standardError; // for Studentised
};

struct BootstrapResult {
  double value = 0;               // of the data
  std::vector<double> replicates; // sorted; those without a value (NaN) are left out
  int64_t withoutValue = 0;       // how many
  double bias = 0;
  double standardError = 0;
  std::optional<Interval> interval; // none when the method has none on these data: see reason
  std::string reason;
};

/// E.g. bootstrap({first, second}, Resampling::WithinGroups, differenceOfMedians, options).
BootstrapResult bootstrap(const Groups &data, Resampling resampling, const Statistic &statistic,
                          const BootstrapOptions &options = {});

enum class Centre { Mean, Median, TrimmedMean };
double centreOf(std::span<const double> values, Centre centre);

/// The difference of two groups' centres with its bootstrap interval. The two-sided p-value is
/// twice the smaller share of replicates on one side of 0, and (B + 1) counts: it is 1 - level of
/// the widest percentile interval without 0.
TestResult bootstrapDifference(std::span<const double> first, std::span<const double> second,
                               Centre centre, const BootstrapOptions &options = {});

} // namespace imbrex::stats
