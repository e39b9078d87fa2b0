// The passes over the relay dialect's graph: constructors and registration.
#pragma once

#include "compiler/ir/relay/Relay.h"

#include "mlir/Pass/Pass.h"

#include <memory>

namespace imbrex::relay {

#define GEN_PASS_DECL
#include "compiler/passes/graph/Passes.h.inc"

std::unique_ptr<mlir::Pass> createFoldConstantsPass();
std::unique_ptr<mlir::Pass> createFoldIfPass();
std::unique_ptr<mlir::Pass> createSimplifyOpsPass();
std::unique_ptr<mlir::Pass> createEliminateDeadCodePass();
std::unique_ptr<mlir::Pass> createSplitConcatsPass();
std::unique_ptr<mlir::Pass> createFuseOpsPass();

#define GEN_PASS_REGISTRATION
#include "compiler/passes/graph/Passes.h.inc"

} // namespace imbrex::relay
