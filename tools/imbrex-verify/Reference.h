// What a model means: its outputs by the reference evaluator. Slow, and independent of code
// generation.
#pragma once

#include "support/tensor/HostTensor.h"

#include <string>
#include <vector>

namespace imbrex::tools {

struct Reference {
  std::vector<HostTensor> outputs;
  std::vector<std::vector<HostTensor>> disturbed; // the outputs of runs with errors, Disturb.h
};

/// The outputs of an .onnx model on `inputs`, which are in the order of its ports; `names` are the
/// ports' names. Errors are those of the reader, the importer and the evaluator.
Result<Reference> referenceOutputs(const std::string &path, const std::vector<std::string> &names,
                                   const std::vector<HostTensor> &inputs);

} // namespace imbrex::tools
