// The order of everything, as data: see Pipeline.cpp for the page itself.
#pragma once

#include "compiler/codegen/bytecode/EmitBytecode.h"
#include "compiler/codegen/cpu/EmitCode.h"
#include "compiler/passes/graph/DescribeGraph.h"
#include "support/Result.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <set>
#include <string>
#include <vector>

namespace imbrex::pipeline {

/// What moves through the phases.
struct State {
  mlir::OwningOpRef<mlir::ModuleOp> module;  // relay, then vm
  mlir::OwningOpRef<mlir::ModuleOp> kernels; // linalg over memref
  std::vector<codegen::CpuTarget> targets;
  std::vector<std::string> allow;   // licences of rewrites that are equal over the reals only
  std::vector<std::string> forbid;  // what float contracts grant and is not used
  std::vector<std::string> remarks; // what will be slow, checked while running, or changed
  relay::GraphDescription graph;    // before lowering
  codegen::BytecodeModule bytecode;
  std::vector<codegen::CodeVariant> variants;
  codegen::EmitOptions emit;
  codegen::EmitReport emitted;
};

struct Phase {
  llvm::StringLiteral name;
  bool optional; // may be left out with --disable
  Status (*run)(State &);
};
llvm::ArrayRef<Phase> phases();

struct PhaseTime {
  std::string name;
  double ms = 0;
};

/// Which phases run, and what is shown on the way.
struct Control {
  std::string from, to;             // names of the first and last phase; empty: all
  std::set<std::string> printAfter; // names, or "all"
  std::set<std::string> disable;
  llvm::raw_ostream *out = nullptr; // where printAfter goes; null: standard error
};

/// Runs the phases in order. Times are appended to `times`. E0604 names an unknown phase or one
/// that cannot be left out; other errors are the phases'. In checked builds the IR is verified
/// after each phase.
Status run(State &state, const Control &control, std::vector<PhaseTime> &times);

} // namespace imbrex::pipeline
