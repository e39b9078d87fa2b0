// relay.constant, and constants as host tensors.
#include "compiler/ir/relay/Syntax.h"

#include "support/tensor/ItemHeap.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include <cstring>

using namespace mlir;

namespace imbrex::relay {

/// Above this, an attribute shares the tensor's bytes instead of having the context hash and copy
/// them.
static constexpr int64_t kMaxDenseBytes = 4096;

static RankedTensorType builtinType(MLIRContext *context, const HostTensor &tensor) {
  return RankedTensorType::get(tensor.shape(), toMlirType(context, tensor.type()));
}

static ArrayRef<char> charsOf(const HostTensor &tensor) {
  return {reinterpret_cast<const char *>(tensor.bytes().data()), tensor.bytes().size()};
}

/// Texts stand in the attribute. There is no constant sequence but the empty one.
static ElementsAttr toTextAttr(RankedTensorType type, const HostTensor &tensor) {
  SmallVector<StringRef> texts;
  for (int64_t i = 0; i < tensor.elems(); ++i) {
    std::string_view text = textAt(ItemHeap::process(), tensor, i);
    texts.emplace_back(text.data(), text.size());
  }
  return DenseStringElementsAttr::get(type, texts);
}

static HostTensor fromTexts(DenseStringElementsAttr attr, DType type) {
  ArrayRef<int64_t> shape = attr.getType().getShape();
  HostTensor tensor(type, {shape.begin(), shape.end()});
  auto *out = tensor.mutableData<uint64_t>();
  auto texts = attr.getRawStringData();
  for (int64_t i = 0, e = tensor.elems(); i < e; ++i) {
    StringRef text = texts[attr.isSplat() ? 0 : static_cast<size_t>(i)];
    out[i] = ItemHeap::process().string({text.data(), text.size()});
  }
  return tensor;
}

ElementsAttr toAttr(MLIRContext *context, const HostTensor &tensor) {
  RankedTensorType type = builtinType(context, tensor);
  if (isReference(tensor.type()))
    return toTextAttr(type, tensor);
  ArrayRef<char> bytes = charsOf(tensor);
  if (static_cast<int64_t>(bytes.size()) <= kMaxDenseBytes) {
    if (tensor.type() != DType::Bool)
      return DenseElementsAttr::getFromRawBuffer(type, bytes);
    SmallVector<bool> values(bytes.begin(), bytes.end());
    return DenseElementsAttr::get(type, ArrayRef<bool>(values));
  }
  // The blob keeps a copy of the tensor, which shares its bytes, until the context goes.
  auto keeper = std::make_unique<HostTensor>(tensor);
  AsmResourceBlob blob = UnmanagedAsmResourceBlob::allocateWithAlign(
      bytes, std::max<size_t>(byteSize(tensor.type()), 1),
      [keeper = std::move(keeper)](void *, size_t, size_t) {});
  return DenseResourceElementsAttr::get(type, "constant", std::move(blob));
}

/// Bytes that live as long as the context, and so need no owner.
static HostTensor borrow(DType type, ArrayRef<int64_t> shape, ArrayRef<char> bytes) {
  std::shared_ptr<const void> none(bytes.data(), [](const void *) {});
  return HostTensor(type, {shape.begin(), shape.end()},
                    std::as_bytes(std::span(bytes.data(), bytes.size())), std::move(none));
}

static HostTensor fromDense(DenseElementsAttr dense, DType type) {
  ArrayRef<int64_t> shape = dense.getType().getShape();
  if (type != DType::Bool && !dense.isSplat())
    return borrow(type, shape, dense.getRawData());
  HostTensor tensor(type, {shape.begin(), shape.end()});
  std::byte *out = tensor.mutableBytes().data();
  if (type == DType::Bool) {
    for (bool value : dense.getValues<bool>())
      *out++ = std::byte(value);
    return tensor;
  }
  ArrayRef<char> element = dense.getRawData();
  for (int64_t i = 0, e = tensor.elems(); i < e; ++i, out += element.size())
    std::memcpy(out, element.data(), element.size());
  return tensor;
}

Result<HostTensor> toHostTensor(ElementsAttr attr) {
  ShapedType shaped = attr.getShapedType();
  DType type = toDType(shaped.getElementType());
  if (type == DType::Invalid || !shaped.hasStaticShape())
    return badInput(553, "no constant tensor",
                    "its type is not of a fixed shape and a known element type");
  if (auto texts = dyn_cast<DenseStringElementsAttr>(attr))
    return isReference(type) ? Result<HostTensor>(fromTexts(texts, type))
                             : badInput(553, "the constant holds texts", "its type is of numbers");
  if (isReference(type))
    return badInput(553, "the constant holds no texts", "its type asks for them");
  if (auto dense = dyn_cast<DenseElementsAttr>(attr))
    return fromDense(dense, type);
  auto resource = dyn_cast<DenseResourceElementsAttr>(attr);
  if (!resource)
    return badInput(553, "the constant's form is not known",
                    "only dense<…> and dense_resource<…> hold plain numbers");
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob)
    return badInput(553, "the constant has no data",
                    "its resource '" + resource.getRawHandle().getKey().str() + "' is missing");
  Result<int64_t> elems = elementCount(shaped.getShape());
  if (!elems || *elems > INT64_MAX / 8 ||
      blob->getData().size() != static_cast<size_t>(*elems * byteSize(type)))
    return badInput(553,
                    "the constant's data has " + std::to_string(blob->getData().size()) + " bytes",
                    "its type asks for another number");
  return borrow(type, shaped.getShape(), blob->getData());
}

Value constantOf(OpBuilder &builder, mlir::Location location, const HostTensor &tensor) {
  return ConstantOp::create(builder, location, toAttr(builder.getContext(), tensor));
}

ConstantOp definingConstant(Value value) {
  while (auto argument = dyn_cast<BlockArgument>(value)) {
    auto fused = dyn_cast<FusedOp>(argument.getOwner()->getParentOp());
    if (!fused || argument.getArgNumber() >= fused.getInputs().size())
      return {};
    value = fused.getInputs()[argument.getArgNumber()];
  }
  return value.getDefiningOp<ConstantOp>();
}

LogicalResult ConstantOp::inferReturnTypes(MLIRContext *context,
                                           std::optional<mlir::Location> location,
                                           ValueRange operands, DictionaryAttr attrs,
                                           OpaqueProperties properties, RegionRange regions,
                                           SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attrs, properties, regions);
  auto shaped = adaptor.getValue() ? adaptor.getValue().getShapedType() : ShapedType();
  if (!shaped || !shaped.hasStaticShape() || toDType(shaped.getElementType()) == DType::Invalid)
    return emitOptionalError(location,
                             "a constant has a fixed shape and elements of type i1 to i64, "
                             "ui2 to ui64, f16 to f64, bf16 or a narrow float");
  SmallVector<DimExpr> dims(shaped.getShape().begin(), shaped.getShape().end());
  types.push_back(TensorType::get(context, dims, shaped.getElementType()));
  return success();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValueAttr(); }

LogicalResult ConstantOp::verify() {
  // A dense attribute is sound by construction; a resource may be missing or of another size.
  auto dense = dyn_cast<DenseElementsAttr>(getValue());
  if (dense && !isa<DenseStringElementsAttr>(dense))
    return success();
  Result<HostTensor> tensor = toHostTensor(getValue());
  if (!tensor)
    return emitOpError() << message(tensor.error());
  return success();
}

} // namespace imbrex::relay
