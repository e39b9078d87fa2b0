// What can be told from the entry function's code before it runs: which outputs can be computed in
// the caller's memory, and which inputs kernels need aligned.
#pragma once

#include "runtime/module/format/ArtifactSpec.h"

#include <unordered_map>

namespace imbrex::runtime {

struct EntryPlan {
  /// Word of an Allocate → the output that ends up in its storage. Only Allocates that run at most
  /// once.
  std::unordered_map<uint32_t, uint32_t> placedOutputs;
  /// By input: some use needs 64-byte alignment.
  std::vector<bool> needsAlignment;
};

/// Precondition: the bytecode is verified.
EntryPlan planEntry(const artifact::FunctionSpec &entry, const artifact::ArtifactSpec &spec);

} // namespace imbrex::runtime
