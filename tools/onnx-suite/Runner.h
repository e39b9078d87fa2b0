// Runs cases in child processes, so that a crash or a hang is a failed case and not the end.
#pragma once

#include "tools/onnx-suite/Backend.h"
#include "tools/onnx-suite/Cases.h"

#include <functional>

namespace imbrex::suite {

enum class Verdict : uint8_t { Pass, Fail, Unsupported, Crash, Timeout };

struct Outcome {
  Verdict verdict = Verdict::Fail;
  bool usedEvaluator = false, usedHostOps = false, constantInputs = false;
  bool random = false; // an output was compared as a draw (unlikeDraw)
  std::string reason;  // why it did not pass, one line
};

struct RunOptions {
  int64_t jobs = 2;
  int64_t seconds = 60;             // a case
  int64_t bytes = int64_t(6) << 30; // address space of a case
};

/// One case in this process: every data set, every output.
Outcome runCase(const Case &c, Backend &backend);

/// Outcomes in the cases' order. `done` is told the number of finished cases.
std::vector<Outcome> runAll(const std::vector<Case> &cases, Backend &backend,
                            const RunOptions &options, const std::function<void(size_t)> &done);

} // namespace imbrex::suite
