// ONNX models into functions of operators.
//
//   auto model = onnx::readModel("model.onnx");
//   ImportProblems problems;
//   auto recording = record(*model, {.dims = {{"batch", 8}}}, problems);   // all problems at once
//
// EmitRelay.h makes relay IR of the recording. Errors: E0400 the problems in sum, E0401 an option
// that does not fit the model, E0410 an unsupported operator, E0411 an unsupported form of one,
// E0412 a damaged graph, E0413 an operand or attribute that the operator does not allow, E0415 a
// branch that fails when it runs (a remark).
#pragma once

#include "compiler/frontend/onnx/Recording.h"
#include "formats/onnx/Model.h"

#include <map>
#include <string>
#include <vector>

namespace imbrex::frontend {

struct ImportOptions {
  /// Values of named dimensions: dim_param to size.
  std::map<std::string, int64_t> dims;
  /// What is known of named dimensions that stay open.
  std::map<std::string, SymbolFacts> facts;
  /// Whole shapes of inputs, by name.
  std::map<std::string, std::vector<int64_t>> inputShapes;
  /// Ranks of inputs whose sizes are all left open, whatever the model declares: each becomes a
  /// symbol of its own.
  std::map<std::string, int64_t> openRanks;
  /// Ranks of the tensors in inputs that are sequences or optionals, where the model declares none.
  std::map<std::string, int64_t> elementRanks;
  /// Values of inputs that become constants of the model: it no longer takes those inputs.
  std::map<std::string, HostTensor> constants;
  /// Shape computations whose result and work stay below this are carried out while importing.
  int64_t maxFoldSteps = 1 << 20;
};

/// One node that cannot be imported.
struct ImportProblem {
  ErrorKind kind = ErrorKind::Unsupported;
  uint16_t code = 410;
  std::string node; // its name, or what it computes
  std::string opType, domain;
  int64_t opset = 0;
  std::string attribute; // the one at fault, or empty
  std::string verdict;   // what is said of it; empty: that it is not supported, or not valid
  std::string reason;
  std::string remedy;
  /// The inputs that would have to be constants for the node to be supported.
  std::vector<std::string> constantInputs;
  /// The vector inputs whose lengths would have to be known: a rank depends on them.
  std::vector<std::string> sizedInputs;
  Error toError(const std::string &file = {}) const;
};
using ImportProblems = std::vector<ImportProblem>;

/// The model's graph, its functions inlined, its shape computations folded. `problems` takes every
/// node that cannot be imported; when there is one the result is E0400, which sums them up. With a
/// Recording, `problems` are remarks: branches of a condition whose operands do not fit, E0415, and
/// outputs of other sizes than declared, E0416.
Result<Recording> record(const onnx::Model &model, const ImportOptions &options,
                         ImportProblems &problems);

} // namespace imbrex::frontend
