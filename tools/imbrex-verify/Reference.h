// What a model means: its outputs by the reference evaluator. Slow, and independent of code
// generation.
#pragma once

#include "support/tensor/HostTensor.h"

#include <string>
#include <vector>

namespace imbrex::tools {

/// The outputs of an .onnx model on `inputs`, which are in the order of its ports; `names` are the
/// ports' names. Errors are those of the reader, the importer and the evaluator.
Result<std::vector<HostTensor>> referenceOutputs(const std::string &path,
                                                 const std::vector<std::string> &names,
                                                 const std::vector<HostTensor> &inputs);

} // namespace imbrex::tools
