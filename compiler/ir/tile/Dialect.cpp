// Registration of the tile dialect.
#include "compiler/ir/tile/Tile.h"

using namespace mlir;

#include "compiler/ir/tile/Dialect.cpp.inc"
#include "compiler/ir/tile/Enums.cpp.inc"
#define GET_OP_CLASSES
#include "compiler/ir/tile/Ops.cpp.inc"

namespace imbrex::tile {

void TileDialect::initialize() {
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "compiler/ir/tile/Ops.cpp.inc"
      >();
}

} // namespace imbrex::tile
