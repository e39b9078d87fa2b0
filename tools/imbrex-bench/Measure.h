// Running times of compiled models, taken so that they can be compared.
#pragma once

#include "tools/common/Runtime.h"

#include <vector>

namespace imbrex::bench {

/// A model that is ready to run.
struct Subject {
  std::string name;
  tools::Module module;
  std::vector<HostTensor> inputs;
  int threads = 0;
};

struct Plan {
  int64_t pairs = 30;
  double leastSeconds = 0.02; // of a measurement: a model is run as often as that takes
  uint64_t seed = 1;
};

/// Seconds a run, one for each measurement.
struct Series {
  std::vector<double> seconds;
  int64_t runsEach = 0;
};

// Where a context's memory happens to lie can cost a tenth of its speed, for as long as it lives.
// So each measurement has a context of its own, warmed up before the clock starts.

/// The outputs of one run.
Result<std::vector<HostTensor>> runOnce(const Subject &subject);
/// `pairs` measurements of one model.
Result<Series> measure(const Subject &subject, const Plan &plan);
/// `pairs` pairs; the order within each, of making contexts and of measuring, is drawn at random.
Result<std::pair<Series, Series>> measurePairs(const Subject &first, const Subject &second,
                                               const Plan &plan);

/// The largest |a - b| / max(1, |b|) over all outputs; an error (E0745) when their number, types or
/// shapes differ.
Result<double> outputDifference(const std::vector<HostTensor> &a, const std::vector<HostTensor> &b);

} // namespace imbrex::bench
