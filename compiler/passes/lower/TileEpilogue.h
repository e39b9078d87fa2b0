// What is computed of a product's elements before they are stored.
#pragma once

#include "compiler/MlirPch.h"
#include "compiler/passes/lower/TileContraction.h"

namespace imbrex::lower {

/// An axis of a tile's operand: a leading axis of the result, its rows, or its columns.
struct TileAxis {
  enum class Kind : uint8_t { Outer, Rows, Columns } kind;
  size_t index = 0; // of outer axes, and of columns where they are several
  DimExpr extent = 1;
};

/// A read by an epilogue: of the product, or of a tensor with some of the result's axes.
struct EpilogueRead {
  const opmeaning::Node *read;
  bool isProduct = false;
  std::vector<TileAxis> axes;
};

/// What follows a product: its reader, over the product's axes.
struct Epilogue {
  opmeaning::Def reader;
  std::vector<EpilogueRead> reads;
};

/// Of `reader`, when it can follow the product in its kernel: it may see the result in another
/// shape, as long as each element has the same place in memory.
std::optional<Epilogue> epilogueOf(opmeaning::Program &p, const DimFacts &facts, uint32_t product,
                                   const TileProduct &form, const opmeaning::Def &reader);

/// Emits its body on tiles: operands broadcast where they meet. `values` are the reads, of one
/// rank. The result is of `type`.
mlir::Value emitEpilogue(mlir::OpBuilder &b, mlir::Location loc, opmeaning::Program &p,
                         const DimFacts &facts, const Epilogue &epilogue,
                         llvm::ArrayRef<mlir::Value> values, mlir::RankedTensorType type);

} // namespace imbrex::lower
