// Where a model's time goes: each kernel with its nodes, time, operations and bytes, beside what
// the machine can do.
#pragma once

#include "support/json/Json.h"
#include "tools/imbrex-bench/Measure.h"
#include "tools/imbrex-bench/Probe.h"

namespace imbrex::bench {

/// One kernel, over all its launches of all measured runs.
struct KernelTime {
  std::string name;
  std::vector<std::string> sources; // the model's nodes that it computes
  int64_t launches = 0, ns = 0;
  int64_t flops = 0; // of a launch; 0: not known
  int64_t bytes = 0; // of a launch's operands and results; -1: known only while running
};

/// One launch of the last run, for the trace. Times since the run began.
struct Launch {
  size_t kernel = 0;
  int64_t beginNs = 0, ns = 0;
};

struct Profile {
  std::vector<KernelTime> kernels; // slowest first
  std::vector<Launch> launches;
  int64_t runs = 0, ns = 0; // of whole runs
  int threads = 0;
  Ceilings ceilings;
};

/// Runs the model as often as `plan.leastSeconds * plan.pairs` takes, after two runs to warm up.
Result<Profile> profile(const Subject &subject, const Plan &plan);

/// The table for people; `most` rows.
std::string toText(const Profile &profile, size_t most);
Json toJson(const Profile &profile);
/// The last run for chrome://tracing and Perfetto.
std::string toChromeTrace(const Profile &profile);

} // namespace imbrex::bench
