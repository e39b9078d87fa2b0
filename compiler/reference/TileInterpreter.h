// Runs a tile kernel one element at a time: slow, obvious, and what compiled kernels and the
// verifier are compared with. It trusts nothing: an access outside a view is recorded and not done.
//
//   one run over the whole grid  ->  the outputs' contents, and for each element of each view how
//   often it was read, written and added to, and whether two blocks raced for it
//
// Meaning that the dialect leaves open is fixed here: sums of a reduction go through kReduceLanes
// running sums, then halves are added; a product of floats is one fused multiply-add per k.
#pragma once

#include "compiler/ir/tile/Tile.h"

#include <map>
#include <string>
#include <vector>

namespace imbrex::tile {

using SizeValues = std::map<std::string, int64_t, std::less<>>;

/// Memory of one view: as many storage elements as its extents and strides reach, bytes as a kernel
/// sees them (i1 is a byte).
using ViewBytes = std::vector<std::byte>;

/// Bytes that a view needs at these sizes. An error when an extent or stride is negative or too
/// large.
Result<int64_t> viewBytes(ViewType view, const SizeValues &sizes);

/// What happened to one element of a view. Elements are counted in row-major order of the view's
/// extents, whatever its strides.
struct ElementUse {
  uint32_t reads = 0, writes = 0, adds = 0;
  bool raced = false; // two blocks met here and at least one of them wrote
};

struct TileRun {
  std::vector<std::vector<ElementUse>> views; // by the kernel's argument
  uint64_t badAccesses = 0;                   // outside a view, or undefined arithmetic
  std::vector<std::string> firstBad;          // up to 8 of them as text
  int32_t failedCheck = 0;                    // 1 + the check that failed first, as the ABI has it
};

struct TileRunOptions {
  int64_t maxSteps = 400'000'000; // elements computed; E0545 above
  /// Runs the blocks in this order instead of ascending (a permutation of the grid's points).
  std::vector<int64_t> order = {};
};

/// Runs every block of the grid. `memory` holds one buffer a view and receives what is written. The
/// kernel must be well-formed; nothing else is assumed of it. E0545 for sizes or memory that do not
/// fit and E0546 for an operation without a meaning here.
Result<TileRun> interpret(KernelOp kernel, const SizeValues &sizes, std::vector<ViewBytes> &memory,
                          const TileRunOptions &options = {});

/// The in-kernel checks in the order of their numbers (tile.check and checked gathers).
llvm::SmallVector<mlir::Operation *> inKernelChecks(KernelOp kernel);

} // namespace imbrex::tile
