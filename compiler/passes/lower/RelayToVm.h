// From operators to launches: every group of a relay.func becomes kernels over buffers.
//
//   %y = relay.fused (%a = %x) { … "softmax" … }
// becomes
//   %m = vm.buffer;  vm.launch @k0_m (%x) into (%m);  …  %y = vm.buffer;  vm.launch @k3_y (…) into
//   (%y)
//
// The kernels' code stands in a module of its own, as linalg over memref. Definitions of constants
// only are computed now (packed weights). A definition that only renames places becomes a vm.alias.
#pragma once

#include "compiler/ir/relay/Relay.h"
#include "compiler/ir/vm/Vm.h"

#include "mlir/IR/BuiltinOps.h"

namespace imbrex::lower {

/// Whether constants may take more memory for speed: a quarter of all, or 4 MiB.
enum class Weights : uint8_t { AsGiven, MayGrow };

/// Lowers every function of `module` in place; vm.kernel operations are appended to it and the code
/// to `kernels`. `remarks` takes what will be slow or checked while running, each with its node.
/// An operator without an index form becomes a vm.host.
Status relayToVm(mlir::ModuleOp module, mlir::ModuleOp kernels, Weights weights,
                 std::vector<std::string> &remarks);

} // namespace imbrex::lower
