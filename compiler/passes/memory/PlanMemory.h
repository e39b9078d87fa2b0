// Gives every buffer of a function its place.
//
//   %a = vm.buffer : T       %b = vm.buffer : T          lifetimes do not overlap
// becomes
//   %a = vm.buffer at "0"    %b = vm.buffer at "0"       and the function gets {vm.arena = "4096"}
//
// What leaves the function or a loop's regions, or has a size that is known only while running,
// keeps storage of its own. Buffers of known size share one arena by first fit, largest first;
// buffers of symbolic size follow, sharing a place when their sizes are the same expression;
// there are at most twelve such places, the rest keeps storage of its own. No
// offset is computed from a size's lower bound. Quadratic in the number of buffers.
#pragma once

#include "compiler/ir/vm/Vm.h"

namespace imbrex::memory {

/// Bytes of a tensor's storage, rounded up to 64.
DimExpr storageBytes(relay::TensorType type);

/// A buffer and the operations between which its bytes matter: positions in program order,
/// inclusive.
struct Lifetime {
  vm::BufferOp buffer;
  int64_t first = 0, last = 0;
  bool escapes = false; // returned, or carried by a loop
};

/// Lifetimes of all buffers, through aliases, branches' results and loops.
llvm::SmallVector<Lifetime> lifetimes(relay::FuncOp func);

void planMemory(relay::FuncOp func);

/// The function's attribute with the arena's bytes.
inline constexpr llvm::StringLiteral kArena = "vm.arena";

} // namespace imbrex::memory
