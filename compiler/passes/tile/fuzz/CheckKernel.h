// Holds the verifier to its word: kernels that it accepts are run element by element at small
// sizes, and nothing may be written twice or not at all, read out of bounds, or raced for.
#pragma once

#include "compiler/passes/tile/Passes.h"
#include "compiler/passes/tile/fuzz/RandomKernel.h"

namespace imbrex::tile {

struct FuzzCounts {
  int64_t kernels = 0, accepted = 0, faulty = 0; // faulty: with a fault put in
  int64_t correct = 0, refusedCorrect = 0;
  int64_t runs = 0, bad = 0;
  std::string firstBad;             // the kernel, the sizes and what happened
  std::vector<std::string> refused; // right kernels that were refused, and why; the first few
};

/// Makes, verifies and runs the kernel of a seed.
void fuzzOne(mlir::MLIRContext &context, uint64_t seed, const VerifyOptions &options,
             FuzzCounts &counts);

} // namespace imbrex::tile
