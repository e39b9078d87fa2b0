// Follows a tile back through reshapes, transposes and slices to what it rearranges.
#pragma once

#include "compiler/ir/tile/Tile.h"

namespace imbrex::codegen {

/// The tile behind `tile`, itself where it rearranges none; `at`, an element's coordinates here,
/// becomes its coordinates there.
mlir::Value tileBehind(mlir::Value tile, llvm::SmallVectorImpl<int64_t> &at);

/// The same where a load is behind it; else null.
tile::LoadOp loadBehind(mlir::Value tile, llvm::SmallVectorImpl<int64_t> &at);

/// The load or window behind it; else null.
mlir::Operation *readBehind(mlir::Value tile, llvm::SmallVectorImpl<int64_t> &at);

} // namespace imbrex::codegen
