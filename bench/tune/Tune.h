// Chooses among declared configurations of a kernel, or of anything that runs.
//
// The first configuration is the incumbent. Every other one challenges whoever leads: both run in
// pairs, the order within each pair drawn at random, and the challenger takes the lead only if the
// test of stats/ says that it is faster. So noise does not choose, and the first stays when nothing
// is better. Outputs are compared first: what computes something else is out.
//
// Each verdict is a line of JSON in the log. A run that was ended goes on where it was; verdicts of
// another machine or of other machine code are stale and not used.
#pragma once

#include "support/Result.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace imbrex::tune {

/// A value for each axis.
using Configuration = std::map<std::string, int64_t>;
std::string text(const Configuration &configuration); // "columns=128 rows=64"

struct Axis {
  std::string name;
  std::vector<int64_t> values;
};

struct Candidate {
  std::function<Status()> run;                        // once, to its end
  std::function<Result<std::vector<float>>()> output; // what it computed
  uint64_t code = 0;                                  // changes when its machine code does
};

struct Options {
  std::string name;       // of what is tuned, in the log
  std::vector<Axis> axes; // the first value of each is the first configuration
  std::function<Result<Candidate>(const Configuration &)> make;
  std::string log;               // a file; empty: none
  int64_t pairs = 20;            // of each comparison, at least 6
  double leastSeconds = 0.01;    // of a measurement
  double tolerance = 1e-4;       // of outputs, relative, absolute below 1
  std::function<double()> clock; // seconds; none: the monotonic clock
  double alpha = 0.01;           // of each verdict
};

struct Verdict {
  Configuration leader, challenger;
  double speed = 1, low = 1, high = 1, p = 1; // of the challenger, with its interval
  bool faster = false;
  bool remembered = false; // from the log
};

struct Tuning {
  Configuration best;
  std::vector<Verdict> verdicts;
  std::vector<std::string> remarks; // configurations that are out, stale lines of the log
};

/// E0850 without axes, values or candidates; E0851 for a log that cannot be read or written; other
/// errors are those of the first configuration.
Result<Tuning> tune(const Options &options);

} // namespace imbrex::tune
