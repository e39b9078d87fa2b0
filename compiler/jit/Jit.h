// Kernels compiled while the program runs: an ordinary C++ function over an edsl::Kernel becomes
// machine code that runtime/launch launches.
//
//   void scale(edsl::Kernel &k) { … }
//   launch::Kernel kernel(jit::compile("scale", scale).take());
//
// The function runs once, to record what it does. What the proof refuses is an error here, with the
// lines of the source. Cost: 10 to 100 ms a kernel, most of it LLVM's.
#pragma once

#include "compiler/edsl/Kernel.h"
#include "runtime/abi/LoadedKernel.h"

namespace imbrex::jit {

/// E0566 for kernels that are not safe, each fault with its place; E0600 for a target that there is
/// not or that this machine cannot run; E0613 for what the back end cannot do.
Result<LoadedKernel> compile(const std::string &name, const edsl::KernelFunction &kernel,
                             std::string_view target = "cpu:native");
/// Several at once, in their order: cheaper than one by one.
Result<std::vector<LoadedKernel>> compile(const std::vector<edsl::NamedKernel> &kernels,
                                          std::string_view target = "cpu:native");

} // namespace imbrex::jit
