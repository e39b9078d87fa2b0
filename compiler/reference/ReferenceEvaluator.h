// Runs a relay module on host tensors with the reference meaning of each operator: slow, obvious,
// and what compiled code is compared with.
#pragma once

#include "support/opmeaning/Evaluator.h"

#include "mlir/IR/BuiltinOps.h"

#include <functional>
#include <vector>

namespace imbrex::reference {

/// Sees each operator's concrete operands and may change its results.
using AfterApply = std::function<void(const opmeaning::Operator &, const opmeaning::Attrs &,
                                      const std::vector<std::optional<HostTensor>> &operands,
                                      std::vector<HostTensor> &results)>;

struct Options {
  opmeaning::Precision precision = opmeaning::Precision::Stepwise;
  /// Element steps of the whole run; E0543 above.
  int64_t maxSteps = INT64_MAX;
  AfterApply afterApply = nullptr;
};

/// The results of `function` on `inputs`. Handles relay.apply, constant, if, loop, call, fused and
/// open. Errors are the evaluator's (E054x), with the node's name; E0545 for inputs that do not fit
/// the function and E0546 for an operation that has no reference meaning (closures, data types).
Result<std::vector<HostTensor>> evaluate(mlir::ModuleOp module, llvm::StringRef function,
                                         const std::vector<HostTensor> &inputs,
                                         const Options &options = {});

} // namespace imbrex::reference
