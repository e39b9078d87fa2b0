// The passes over tile kernels, as a pipeline or a tool adds them.
#pragma once

#include "compiler/ir/tile/Tile.h"
#include "compiler/passes/tile/Rules.h"

namespace imbrex::tile {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/passes/tile/Passes.h.inc"

/// What tile-verify found of one kernel.
struct KernelReport {
  int64_t proven = 0;         // accesses and outputs decided for all sizes
  int64_t launchChecks = 0;   // facts added to `checks`
  int64_t inKernelChecks = 0; // tile.check operations added
  int64_t unsafeRegions = 0;
  std::vector<std::string> remarks;
};

/// Proves one kernel; adds the checks that its accesses need. Diagnostics say kernel, view, axis,
/// index, bound and, where one was found, a launch that breaks the promise.
mlir::FailureOr<KernelReport> verifyKernel(KernelOp kernel, const VerifyOptions &options = {});

} // namespace imbrex::tile
