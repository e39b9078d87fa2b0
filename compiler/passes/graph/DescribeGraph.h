// The graph as people see it: every operator with its operands, types and group, for the artifact.
//
//   %0 = relay.fused (…) { relay.apply "conv" loc("c1"), relay.apply "relu" loc("r1") }
// gives
//   {c1, conv, strides = [2, 2], group 0} → {r1, relu, group 0}
//
// Runs after fusion and before lowering. Each fused group, and each operator outside of one, gets a
// number, which lowering hands on to the kernels that it makes. Linear.
#pragma once

#include "compiler/ir/relay/Relay.h"
#include "runtime/module/format/ArtifactSpec.h"

namespace imbrex::relay {

/// The attribute of relay.fused and relay.apply with the group's number.
inline constexpr llvm::StringLiteral kGroup = "imbrex.group";

struct GraphDescription {
  std::vector<artifact::NodeSpec> nodes;
  std::vector<std::vector<artifact::EdgeSpec>> results; // of each function, in module order
  std::vector<artifact::RewriteSpec> rewrites;          // that ApplyRules made
};
GraphDescription describeGraph(mlir::ModuleOp module);

/// The model's node that `op` comes from; "" where it has none.
std::string nodeName(mlir::Operation *op);

} // namespace imbrex::relay
