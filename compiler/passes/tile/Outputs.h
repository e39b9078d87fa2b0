// Proves that the stores into one view meet each of its pieces exactly once.
#pragma once

#include "compiler/passes/tile/Bijection.h"

namespace imbrex::tile {

/// What is wrong with the stores into `view`, and where; nothing when all is proven. `checks` gets
/// what a launch has to check of its sizes: each >= 0.
struct OutputFault {
  mlir::Operation *where;
  std::string what;
};
std::optional<OutputFault> proveOutput(IndexSpace &space, mlir::BlockArgument view,
                                       std::vector<DimExpr> &checks);

} // namespace imbrex::tile
