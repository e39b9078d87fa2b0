// Which products take what becomes of their result, element by element, into their kernel.
#pragma once

#include "compiler/passes/lower/TileContraction.h"

namespace imbrex::lower {

/// Which definitions are products, and which definition computes each of them together with itself.
struct ProductFusion {
  std::vector<std::optional<TileProduct>> products; // by definition
  std::vector<std::optional<uint32_t>> readerOf;    // of a product: it is computed there
  std::vector<std::optional<uint32_t>> productOf;   // of a reader
};

/// A reader is fused when it alone reads the product, each element at its own place, and whatever
/// else it reads is a scalar, an element of the row, the column or the same place.
ProductFusion fuseProducts(opmeaning::Program &program, const DimFacts &facts);

} // namespace imbrex::lower
