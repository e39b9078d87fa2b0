// The vm dialect's C++ interface.
#pragma once

#include "compiler/ir/relay/Relay.h"
#include "compiler/ir/relay/Traits.h"

#include "compiler/ir/vm/Dialect.h.inc"
#define GET_OP_CLASSES
#include "compiler/ir/vm/Ops.h.inc"

namespace imbrex::vm {

/// The vm.buffer, function argument or constant whose bytes `value` is, seen through vm.alias.
mlir::Value storageOf(mlir::Value value);

/// Attributes of a vm.kernel for people: the group of nodes that it computes
/// (passes/graph/DescribeGraph.h), and what it computes and how.
/// kTile marks a kernel of the tile dialect, which tile-verify proved for all sizes: its code
/// brings a plan, NAME.plan.
inline constexpr llvm::StringLiteral kTile = "vm.tile", kGroup = "vm.group", kForm = "vm.form",
                                     kClamped = "vm.clamped_reads",
                                     kGathered = "vm.gathered", // operands, by place
    kWork = "vm.work"; // operations, where they depend on symbols

} // namespace imbrex::vm
