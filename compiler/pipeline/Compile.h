// From a model file to an artifact: what `imbrex compile` and the conformance suite call. No MLIR
// here.
//
//   CompileReport report;
//   auto s = compileOnnx("model.onnx", "model.imx", {.dims = {{"batch", 1}}}, report);
#pragma once

#include "support/Result.h"
#include "support/dim/DimExpr.h"
#include "support/tensor/HostTensor.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace imbrex {

struct CompileOptions {
  std::string target = "cpu"; // codegen/cpu/Target.h
  /// Values of named dimensions, and what is known of those that stay open.
  std::map<std::string, int64_t> dims;
  std::map<std::string, SymbolFacts> dimFacts;
  /// Whole shapes of inputs, by name.
  std::map<std::string, std::vector<int64_t>> inputShapes;
  /// Ranks of inputs whose sizes are all left open, whatever the model declares.
  std::map<std::string, int64_t> openRanks;
  /// Ranks of the tensors in inputs that are sequences or optionals, where the model declares none.
  std::map<std::string, int64_t> elementRanks;
  /// Values of inputs that become constants of the model: it no longer takes those inputs.
  std::map<std::string, HostTensor> constants;
  /// A folder in which machine code is kept for later compilations; "": none is kept. The artifact
  /// does not depend on it.
  std::string cache;
  unsigned threads = 1; // 0: as many as this process may use
  /// Licences of rewrites that are equal over the reals only (passes/graph/rules/README.md).
  std::vector<std::string> allow;
  /// What float contracts grant and this compilation does not use (compileGrants).
  std::vector<std::string> forbid;
  // The pipeline (Pipeline.h): names of phases.
  std::string from, to;
  std::set<std::string> printAfter, disable;
};

struct CompileReport {
  struct Phase {
    std::string name;
    double ms = 0;
  };
  std::vector<Phase> phases; // in order; "import" first, "write" last
  double totalMs = 0;
  int64_t kernels = 0, hostOps = 0;
  int64_t constantBytes = 0, codeBytes = 0;
  size_t units = 0, unitsCompiled = 0; // of machine code; the others were kept
  std::string arenaBytes;              // a number, or an expression over the symbols
  std::vector<std::string> targets;
  std::vector<std::string> remarks;        // about compiling, not about the model
  std::vector<std::string> modelRemarks;   // what will be slow, checked while running, or changed
  std::map<std::string, int64_t> rewrites; // how often each rule was applied
  /// Everything unsupported in the model, when the result is E0400: one Error a node.
  std::vector<Error> problems;
  /// The same, taken apart; "" and 0 where there is nothing to say.
  struct NodeProblem {
    uint16_t code = 0;
    std::string node, op, domain;
    int64_t opset = 0;
    std::string attribute, reason, remedy;
  };
  std::vector<NodeProblem> nodes;
};

/// Reads, compiles and writes. With `to` set nothing is written. Errors: E03xx of the reader, E04xx
/// of the importer, E05xx of type relations, E06xx of code generation, E0632 for a licence that no
/// rule asks for, E0002 when the artifact cannot be written.
Status compileOnnx(const std::string &model, const std::string &artifact,
                   const CompileOptions &options, CompileReport &report);

/// What can be forbidden, sorted.
std::vector<std::string> compileGrants();
/// The licences that can be allowed, sorted.
std::vector<std::string> compileLicences();

/// The names of the phases, in order.
std::vector<std::string> compilePhases();

} // namespace imbrex
