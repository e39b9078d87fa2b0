#include "compiler/edsl/Tracer.h"

using namespace mlir;

namespace imbrex::edsl {

Tracer::Tracer(MLIRContext &context, ModuleOp module, StringRef name) : b(&context) {
  b.setInsertionPointToEnd(module.getBody());
  auto none = b.getArrayAttr({});
  kernel = tile::KernelOp::create(b, b.getUnknownLoc(), b.getStringAttr(name), none, none, none,
                                  none, UnitAttr());
  Block *body = b.createBlock(&kernel.getBody());
  b.setInsertionPointToEnd(body);
}

Location Tracer::loc(const At &at) {
  return FileLineColLoc::get(b.getContext(), at.file_name(), at.line(), at.column());
}

void Tracer::fail(const At &at, const std::string &what) {
  failed = true;
  faults.push_back(std::string(at.file_name()) + ":" + std::to_string(at.line()) + ":" +
                   std::to_string(at.column()) + ": kernel @" + kernel.getSymName().str() + " " +
                   what);
}

mlir::Value Tracer::index(const IndexOperand &operand) {
  if (operand.index)
    return value(*operand.index);
  if (auto constant = operand.size->expr.constant())
    return arith::ConstantIndexOp::create(b, loc(operand.at), *constant);
  return tile::SizeOp::create(b, loc(operand.at), b.getIndexType(),
                              b.getStringAttr(operand.size->expr.str()));
}

Type Tracer::element(DType type) {
  switch (type) {
  case DType::F16:
    return b.getF16Type();
  case DType::BF16:
    return b.getBF16Type();
  case DType::F32:
    return b.getF32Type();
  case DType::F64:
    return b.getF64Type();
  case DType::Bool:
    return b.getI1Type();
  default:
    return b.getIntegerType(static_cast<unsigned>(byteSize(type) * 8));
  }
}

RankedTensorType Tracer::tensor(DType type, const Shape &shape) {
  return RankedTensorType::get(shape, element(type));
}

Tile Tracer::toTile(mlir::Value v) {
  return toTile(v, tile::dtypeOf(cast<RankedTensorType>(v.getType()).getElementType()));
}

Tile Tracer::toTile(mlir::Value v, DType type) {
  auto shape = cast<RankedTensorType>(v.getType()).getShape();
  return {this, v.getAsOpaquePointer(), type, Shape(shape.begin(), shape.end())};
}

TypedAttr Tracer::padOf(DType type, double pad) {
  Type t = element(type);
  if (auto f = dyn_cast<FloatType>(t)) {
    APFloat value(pad);
    bool lossy;
    value.convert(f.getFloatSemantics(), APFloat::rmNearestTiesToEven, &lossy);
    return FloatAttr::get(f, value);
  }
  return IntegerAttr::get(t, static_cast<int64_t>(pad));
}

Tile Tracer::constant(DType type, const Shape &shape, double v, Location at) {
  auto t = tensor(type, shape);
  auto elements = DenseElementsAttr::get(t, Attribute(padOf(type, v)));
  return toTile(arith::ConstantOp::create(b, at, t, elements), type);
}

Tile Tracer::operand(const TileOperand &operand, const Tile &like) {
  if (operand.tile)
    return *operand.tile;
  return constant(like.type(), Shape(like.shape().size(), 1), operand.number, loc(operand.at));
}

} // namespace imbrex::edsl
