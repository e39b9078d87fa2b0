// How large the tiles of a product are: chosen from its sizes alone, so that the order of its sums
// does not depend on where it runs.
#pragma once

#include "compiler/passes/lower/TileContraction.h"

namespace imbrex::lower {

struct TileSizes {
  int64_t m = 84, n = 256, k = 512;
  /// Of windows: rows and columns of the result in a block; n covers them, and what lies between
  /// the rows in memory.
  int64_t windowRows = 1, windowColumns = 0;
};

TileSizes chooseTileSizes(const TileProduct &product, const opmeaning::Def &out);

} // namespace imbrex::lower
