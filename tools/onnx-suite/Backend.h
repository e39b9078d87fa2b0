// What runs a case: a new implementation derives from Backend and is added to backendNamed.
#pragma once

#include "formats/onnx/Model.h"

#include <memory>

namespace imbrex::suite {

/// How the outputs came about, for the counts in the summary.
struct Outputs {
  std::vector<HostTensor> tensors;
  bool usedEvaluator = false;  // any operator ran in the reference evaluator
  bool usedHostOps = false;    // any operator ran as a host operation of the runtime
  bool constantInputs = false; // some inputs were given to the compiler as constants (Prepare.h)
};

class Backend {
public:
  virtual ~Backend() = default;
  /// Compiles or prepares for inputs of these types and shapes, or ranks, and runs.
  virtual Result<Outputs> run(const std::string &modelPath,
                              const std::vector<HostTensor> &inputs) = 0;
};

std::unique_ptr<Backend> evaluatorBackend();
/// Keeps the machine code of kernels in a folder, for the cases after; "": keeps none. Null while
/// the compiler cannot make artifacts.
std::unique_ptr<Backend> compiledBackend(const std::string &kernels);
/// The same without the sizes of the inputs: compiled once, for inputs of any sizes of these ranks.
std::unique_ptr<Backend> dynamicBackend(const std::string &kernels);

} // namespace imbrex::suite
