// What a model file says about itself, as JSON.
#pragma once

#include "support/json/Json.h"

namespace imbrex::tools {

/// {"kind": "onnx", "model", "producer", "ir", "opsets", "inputs", "outputs", "dims", "operators",
/// "nodes", "functions", "weights", "weight_bytes"}. Nodes of nested graphs and functions count
/// too.
Result<Json> onnxInfo(const std::string &path);

/// {"kind": "artifact", …}: what the runtime says of it. Inspecting a stranger's artifact is safe.
Result<Json> artifactInfo(const std::string &path);

} // namespace imbrex::tools
