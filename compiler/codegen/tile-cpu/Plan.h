// Which tiles of a kernel are computed where they are used, and which get memory of their own.
//
//   %e = math.exp %x            used once: computed in the loops of its user
//   %m = tile.reduce sum %e     always memory: its elements need many of the operand's
//
// A tile in memory lies in the kernel's scratch; the others exist one vector at a time.
#pragma once

#include "compiler/ir/tile/Tile.h"

#include "llvm/ADT/DenseSet.h"

namespace imbrex::codegen {

/// An arith or math operation that maps elements to elements.
bool isElementwise(mlir::Operation *op);
/// One of them that takes many instructions: exp, erf, …
bool isFunction(mlir::Operation *op);
/// load, window or gather.
bool isViewRead(mlir::Operation *op);
/// What was joined in scratch, under another shape.
bool isSameMemory(mlir::Operation *op);
/// A matrix of f32 that is turned while it lies in scratch, square by square in registers.
bool isTurn(mlir::Operation *op);

class Plan {
public:
  explicit Plan(tile::KernelOp kernel);

  /// The tile is computed where it is used.
  bool isInline(mlir::Value tile) const;
  /// Calls `visit` for each operation of the tree that computing `tile` runs through: its own, and
  /// those of operands that are computed in place.
  void forEachInline(mlir::Value tile, llvm::function_ref<void(mlir::Operation *)> visit) const;
  /// Everything that reads `value` reads it, element by element at the same coordinates, to compute
  /// `use`'s operand and nothing else.
  bool flowsOnlyInto(mlir::Value value, mlir::OpOperand &use) const;
  /// The tile's elements beyond a view's edge are never looked at: all that is computed from it is
  /// stored at the coordinates that they were loaded from.
  /// The stores are added to `stores`.
  bool onlyStored(mlir::Value tile,
                  llvm::SmallVectorImpl<mlir::Operation *> *stores = nullptr) const;

private:
  int64_t cost(mlir::Value tile) const;
  int64_t uses(mlir::Value tile) const;

  llvm::DenseSet<mlir::Value> inMemory;
};

} // namespace imbrex::codegen
