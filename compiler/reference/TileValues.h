// The tile dialect's operations on values in the interpreter.
#pragma once

#include "compiler/ir/tile/Tile.h"
#include "compiler/reference/TileElements.h"

namespace imbrex::tile {

/// reduce, scan, mma, broadcast, reshape, transpose, slice, concat, iota; nothing for others.
std::optional<Elements> computeTile(mlir::Operation *op, llvm::ArrayRef<const Elements *> operands);

/// The elements of a constant.
Elements constantTile(mlir::TypedAttr value);

} // namespace imbrex::tile
