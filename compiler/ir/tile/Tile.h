// The tile dialect's C++ interface.
#pragma once

#include "compiler/ir/dims/Dims.h"
#include "runtime/abi/LaunchContract.h"

#include "compiler/ir/tile/Dialect.h.inc"
#include "compiler/ir/tile/Enums.h.inc"
#define GET_TYPEDEF_CLASSES
#include "compiler/ir/tile/Types.h.inc"
#define GET_ATTRDEF_CLASSES
#include "compiler/ir/tile/Attrs.h.inc"
#define GET_OP_CLASSES
#include "compiler/ir/tile/Ops.h.inc"

namespace imbrex::tile {

/// The largest size that a kernel may admit, the one it admits when it says nothing, and the most
/// elements that a launch lets a view or a grid have.
inline constexpr int64_t kMaxSize = int64_t(1) << 40;
inline constexpr int64_t kUsualMaxSize = (int64_t(1) << 31) - 1;
inline constexpr int64_t kMaxViewElems = int64_t(1) << 60;
/// The most elements that a tile may have.
inline constexpr int64_t kMaxTileElems = int64_t(1) << 20;
/// The tree of a reduction: element n joins running result n mod kReduceLanes, in ascending order;
/// then the upper half of these results joins the lower half, until one is left.
inline constexpr size_t kReduceLanes = 64;

/// A tile's type: a ranked tensor of static, positive extents, of at most kMaxTileElems elements of
/// a type that views have, or of indices.
bool isTile(mlir::Type type);
bool isElement(mlir::Type type);

/// The number of tiles of `tile` elements along an axis of `extent`.
DimExpr tileCount(const DimExpr &extent, int64_t tile);

/// `a == b` or `a >= b`, as assumptions and checks are written: the parsed sides.
struct Fact {
  DimExpr left = 0, right = 0;
  bool equal = false;
};
Result<Fact> parseFact(llvm::StringRef text);

/// The kernel's sizes with what is known of them, its assumptions included.
Result<DimFacts> kernelFacts(KernelOp kernel);

/// What each launch must keep to: sizes, views, assumptions and the checks that tile-verify added.
/// Precondition: tile-verify accepted the kernel.
LaunchContract launchContract(KernelOp kernel);

/// The type of elements; of integers, whose sign the IR does not have, the signed one.
DType dtypeOf(mlir::Type element);

} // namespace imbrex::tile
