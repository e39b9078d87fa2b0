// Hooks into a running context: for profilers, and for running under a memory budget.
#pragma once

#include <cstdint>

namespace imbrex::runtime {

/// Called on the running thread; each may be null.
struct Observer {
  void *user = nullptr;
  /// Storage of its own is about to be made (not planned storage), under a number that the context
  /// never used before. Another result than 0 refuses it: the run fails with E0250.
  int32_t (*beforeAllocate)(void *user, uint64_t storage, uint64_t bytes) = nullptr;
  /// The numbers of the operands' storage, then of the results'; 0: none of its own.
  void (*beforeLaunch)(void *user, const char *kernel, const uint64_t *storages, int32_t operands,
                       int32_t results) = nullptr;
  void (*afterLaunch)(void *user, const char *kernel, int64_t ns) = nullptr;
  /// Storage of its own is given back. Outputs leave with the caller and are not reported.
  void (*onRelease)(void *user, uint64_t storage, uint64_t bytes) = nullptr;
};

/// Since the context was made. The last three are slow paths: remarks.
struct Counters {
  uint64_t runs = 0;
  uint64_t launches = 0;
  uint64_t allocations = 0;
  uint64_t allocatedBytes = 0;
  uint64_t arenaBytes = 0;   // mapped now
  uint64_t stagedInputs = 0; // copied because of alignment, strides or overlap with an output
  uint64_t copiedOutputs =
      0; // computed elsewhere and copied into the caller's memory, or out of ours
  uint64_t copiedResults = 0; // planned storage returned by an inner function
};

} // namespace imbrex::runtime
