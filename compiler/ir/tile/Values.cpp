// Verifiers of the operations on tiles.
#include "compiler/ir/tile/Tile.h"

using namespace mlir;

namespace imbrex::tile {

static LogicalResult verifyAxis(Operation *op, int64_t axis, int64_t rank) {
  if (axis < 0 || axis >= rank)
    return op->emitOpError("has no axis ") << axis << ": its tile has " << rank;
  return success();
}

/// The type that sums of `element` may be kept in.
static bool accumulates(Type element, Type accumulator) {
  if (element == accumulator)
    return true;
  if (isa<FloatType>(element) && isa<FloatType>(accumulator))
    return accumulator.getIntOrFloatBitWidth() > element.getIntOrFloatBitWidth();
  if (isa<IntegerType>(element) && isa<IntegerType>(accumulator))
    return accumulator.getIntOrFloatBitWidth() > element.getIntOrFloatBitWidth();
  return false;
}

LogicalResult ReduceOp::verify() {
  RankedTensorType source = getSource().getType(), result = getResult().getType();
  int64_t axis = getAxis();
  if (failed(verifyAxis(*this, axis, source.getRank())))
    return failure();
  SmallVector<int64_t> shape(source.getShape());
  shape.erase(shape.begin() + axis);
  if (result.getShape() != ArrayRef(shape))
    return emitOpError("leaves axis ")
           << axis << " of " << source << " out, which is not " << result;
  if (!accumulates(source.getElementType(), result.getElementType()))
    return emitOpError("cannot keep a sum of ")
           << source.getElementType() << " as " << result.getElementType();
  return success();
}

LogicalResult ScanOp::verify() {
  return verifyAxis(*this, getAxis(), getSource().getType().getRank());
}

LogicalResult MmaOp::verify() {
  RankedTensorType a = getLeft().getType(), b = getRight().getType(),
                   c = getAccumulator().getType();
  if (a.getRank() != 2 || b.getRank() != 2 || c.getRank() != 2)
    return emitOpError("multiplies matrices: three tiles of two axes");
  if (a.getDimSize(1) != b.getDimSize(0) || a.getDimSize(0) != c.getDimSize(0) ||
      b.getDimSize(1) != c.getDimSize(1))
    return emitOpError("has extents that do not meet: ") << a << " times " << b << " into " << c;
  Type x = a.getElementType(), y = b.getElementType(), z = c.getElementType();
  bool floats = isa<FloatType>(x) && x == y &&
                ((x.isF64() && z.isF64()) || (!x.isF64() && (z.isF32() || z.isF64())));
  bool bytes = x.isInteger(8) && y.isInteger(8) && z.isInteger(32);
  if (!floats && !bytes)
    return emitOpError("has no product of ") << x << " and " << y << " kept as " << z
                                             << "; f16, bf16 and f32 go into f32 or f64, f64 into "
                                                "f64, i8 into i32";
  if ((getUnsignedLeft() || getUnsignedRight()) && !bytes)
    return emitOpError("has an unsigned side only for bytes");
  return success();
}

LogicalResult BroadcastOp::verify() {
  RankedTensorType result = getResult().getType();
  auto source = dyn_cast<RankedTensorType>(getSource().getType());
  if (!source) {
    if (getSource().getType() != result.getElementType())
      return emitOpError("repeats a value of type ") << getSource().getType() << " into " << result;
    return success();
  }
  if (source.getElementType() != result.getElementType())
    return emitOpError("changes the element type from ")
           << source.getElementType() << " to " << result.getElementType();
  if (source.getRank() != result.getRank())
    return emitOpError("has ") << source.getRank() << " axes for a result of " << result.getRank()
                               << "; reshape first";
  for (auto [from, to] : llvm::zip_equal(source.getShape(), result.getShape()))
    if (from != to && from != 1)
      return emitOpError("repeats an axis of ") << from << " elements " << to << " times over";
  return success();
}

LogicalResult ReshapeOp::verify() {
  RankedTensorType source = getSource().getType(), result = getResult().getType();
  if (source.getElementType() != result.getElementType() ||
      source.getNumElements() != result.getNumElements())
    return emitOpError("cannot see ") << source << " as " << result;
  return success();
}

LogicalResult TransposeOp::verify() {
  RankedTensorType source = getSource().getType(), result = getResult().getType();
  ArrayRef<int64_t> order = getOrder();
  SmallVector<int64_t> sorted(order);
  llvm::sort(sorted);
  if (static_cast<int64_t>(order.size()) != source.getRank() ||
      !llvm::equal(sorted, llvm::seq<int64_t>(0, source.getRank())))
    return emitOpError("names each axis once: its order is no permutation");
  SmallVector<int64_t> shape;
  for (int64_t axis : order)
    shape.push_back(source.getDimSize(axis));
  if (result != RankedTensorType::get(shape, source.getElementType()))
    return emitOpError("makes ") << RankedTensorType::get(shape, source.getElementType())
                                 << ", not " << result;
  return success();
}

LogicalResult SliceOp::verify() {
  RankedTensorType source = getSource().getType(), result = getResult().getType();
  if (source.getRank() != result.getRank() ||
      static_cast<int64_t>(getOffsets().size()) != source.getRank() ||
      source.getElementType() != result.getElementType())
    return emitOpError("takes a part of ") << source << ", which is not " << result;
  for (int64_t d = 0; d < source.getRank(); ++d)
    if (getOffsets()[d] < 0 || getOffsets()[d] + result.getDimSize(d) > source.getDimSize(d))
      return emitOpError("reaches from ")
             << getOffsets()[d] << " over " << result.getDimSize(d) << " elements of axis " << d
             << ", which has " << source.getDimSize(d);
  return success();
}

LogicalResult ConcatOp::verify() {
  if (getSources().empty())
    return emitOpError("joins no tile");
  RankedTensorType result = getResult().getType();
  int64_t axis = getAxis(), sum = 0;
  if (failed(verifyAxis(*this, axis, result.getRank())))
    return failure();
  for (Value source : getSources()) {
    auto type = cast<RankedTensorType>(source.getType());
    SmallVector<int64_t> shape(type.getShape());
    if (type.getRank() != result.getRank() || type.getElementType() != result.getElementType())
      return emitOpError("joins ") << type << " into " << result;
    sum += shape[axis];
    shape[axis] = result.getDimSize(axis);
    if (result.getShape() != ArrayRef(shape))
      return emitOpError("joins ") << type << " into " << result << " along axis " << axis;
  }
  if (sum != result.getDimSize(axis))
    return emitOpError("joins ") << sum << " elements into " << result.getDimSize(axis);
  return success();
}

LogicalResult IotaOp::verify() {
  Type element = getResult().getType().getElementType();
  if (!isa<IntegerType>(element) && !element.isIndex())
    return emitOpError("counts in integers, not ") << element;
  return verifyAxis(*this, getAxis(), getResult().getType().getRank());
}

} // namespace imbrex::tile
