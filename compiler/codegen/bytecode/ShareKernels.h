// Kernels of the same code share one function.
//
// clang-format off
//   vm.kernel @k1 … dims ["n"]                func @k1   x[i + 8]
//   vm.kernel @k2 … dims ["m"]                func @k2   x[i + 16]
// becomes, where there are many of them
//   vm.kernel @k1 … dims ["n", "8"]           func @k1   x[i + dims[1]]
//   vm.kernel @k2 … dims ["m", "16"] {vm.entry = "k1"}
// clang-format on
//
// A model of a thousand equal layers, or a Split into a thousand parts, is compiled once instead of
// a thousand times. Functions that differ in nothing always share. Where more than eight differ in
// numbers that are only added to indices, those become dims; other numbers (extents, strides,
// divisors) never do, since code is better for knowing them. Cost: linear in the kernels' size, and
// a comparison for each that has the same hash as one before.
#pragma once

#include "compiler/ir/vm/Vm.h"

namespace imbrex::codegen {

/// The attribute of a vm.kernel whose function has another name.
inline constexpr llvm::StringLiteral kEntry = "vm.entry";

/// Erases from `kernels` what is not needed any more, and says in `module` what replaces it.
/// Precondition: functions as lower::KernelFrame makes them.
void shareKernels(mlir::ModuleOp module, mlir::ModuleOp kernels);

} // namespace imbrex::codegen
