// What the lowering says of a tile kernel beside its code.
#pragma once

#include "runtime/abi/LaunchContract.h"

namespace imbrex::codegen {

/// What a launch must know of a lowered kernel. The operands are the kernel's views, in order.
struct TileKernelRecord {
  std::string name;
  std::vector<std::string> sizes;  // dimension parameters, in order
  DimExpr grid = 1;                // points, the first axis slowest
  int64_t scratchBytes = 0;        // that each thread needs
  std::vector<std::string> checks; // why each in-kernel check fails, by its number
  LaunchContract contract;         // what a launch must keep to (checkLaunch)
};

} // namespace imbrex::codegen
