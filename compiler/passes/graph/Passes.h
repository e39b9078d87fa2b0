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
/// `allowed`: licences of rules over the reals (rules/README.md).
std::unique_ptr<mlir::Pass> createApplyRulesPass(llvm::ArrayRef<std::string> allowed);
std::unique_ptr<mlir::Pass> createEliminateDeadCodePass();
std::unique_ptr<mlir::Pass> createSplitConcatsPass();
std::unique_ptr<mlir::Pass> createFuseOpsPass();

/// A function's attribute: the rewrites that were made, each [rule, contract, node].
inline constexpr llvm::StringLiteral kRewrites = "relay.rewrites";

#define GEN_PASS_REGISTRATION
#include "compiler/passes/graph/Passes.h.inc"

} // namespace imbrex::relay
