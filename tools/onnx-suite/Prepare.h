// How a case is offered to the importer: with the shapes of its inputs or with their ranks only,
// and with the values of those inputs that an operator takes as parameters (axes, pads, repeats)
// where it demands constants.
#pragma once

#include "compiler/frontend/onnx/Import.h"

namespace imbrex::suite {

/// What the compiler is told of the inputs' sizes.
enum class Sizes : uint8_t { Exact, Open };

struct Prepared {
  frontend::ImportOptions options;
  std::vector<HostTensor> inputs; // those that the imported function still takes, in order
  bool constantInputs = false;    // some became constants
};

/// With open sizes, a vector keeps its length where a node says that a rank depends on it. Only
/// inputs of rank 0 and 1 with at most 64 elements become constants, and only those that a node
/// names as what it lacks. The error is the first node's that cannot be imported.
Result<Prepared> prepare(const onnx::Model &model, const std::vector<HostTensor> &inputs,
                         Sizes sizes);

} // namespace imbrex::suite
