// Views, tokens and sizes: text form and what their verifiers refuse.
#include "compiler/ir/tile/Tile.h"

using namespace mlir;

#define GET_TYPEDEF_CLASSES
#include "compiler/ir/tile/Types.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "compiler/ir/tile/Attrs.cpp.inc"

namespace imbrex::tile {

void TileDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "compiler/ir/tile/Types.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "compiler/ir/tile/Attrs.cpp.inc"
      >();
}

bool isElement(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignless() && llvm::is_contained({1u, 8u, 16u, 32u, 64u}, integer.getWidth());
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type);
}

bool isTile(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() ||
      !(isElement(tensor.getElementType()) || tensor.getElementType().isIndex()))
    return false;
  int64_t elems = 1;
  for (int64_t size : tensor.getShape()) {
    if (size < 1 || size > kMaxTileElems)
      return false;
    elems *= size;
    if (elems > kMaxTileElems)
      return false;
  }
  return true;
}

DimExpr tileCount(const DimExpr &extent, int64_t tile) { return ceilDiv(extent, tile); }

ViewType ViewType::get(MLIRContext *context, ArrayRef<DimExpr> dims, Type element, Access access) {
  return Base::get(context, toSizes(context, dims), element, access, ArrayRef<Attribute>{});
}

SmallVector<DimExpr> ViewType::getDims() const { return llvm::map_to_vector(getSizes(), toDim); }

SmallVector<DimExpr> ViewType::getStrideDims() const {
  if (!isContiguous())
    return llvm::map_to_vector(getStrides(), toDim);
  SmallVector<DimExpr> dims = getDims(), strides(dims.size(), 1);
  for (size_t i = dims.size(); i-- > 1;)
    strides[i - 1] = strides[i] * dims[i];
  return strides;
}

LogicalResult ViewType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<Attribute> sizes, Type elementType, Access,
                               ArrayRef<Attribute> strides) {
  if (!isElement(elementType))
    return emitError() << "a view has elements of type i1, i8, i16, i32, i64, f16, bf16, f32 or "
                          "f64, not "
                       << elementType;
  if (!strides.empty() && strides.size() != sizes.size())
    return emitError() << "a view of " << sizes.size() << " axes has " << strides.size()
                       << " strides";
  for (Attribute size : llvm::concat<const Attribute>(sizes, strides)) {
    if (auto constant = dyn_cast<IntegerAttr>(size)) {
      if (constant.getInt() < 0)
        return emitError() << "an extent or stride of a view cannot be negative: "
                           << constant.getInt();
    } else if (cast<StringAttr>(size).getValue().empty()) {
      return emitError() << "an extent or stride leaves the range of 64-bit integers";
    }
  }
  return success();
}

Type ViewType::parse(AsmParser &parser) {
  SmallVector<DimExpr> dims, strides;
  Type element;
  Access access = Access::read;
  llvm::SMLoc start = parser.getCurrentLocation();
  if (parser.parseLess() || parseDims(parser, dims) || parser.parseComma() ||
      parser.parseType(element))
    return {};
  while (succeeded(parser.parseOptionalComma())) {
    StringRef word;
    llvm::SMLoc at = parser.getCurrentLocation();
    if (parser.parseKeyword(&word))
      return {};
    if (word == "strides") {
      if (parseDims(parser, strides))
        return {};
    } else if (auto known = symbolizeAccess(word)) {
      access = *known;
    } else {
      parser.emitError(at) << "expected read, write, update, accumulate or strides, not '" << word
                           << "'";
      return {};
    }
  }
  if (parser.parseGreater())
    return {};
  return Base::getChecked([&] { return parser.emitError(start); }, parser.getContext(),
                          toSizes(parser.getContext(), dims), element, access,
                          toSizes(parser.getContext(), strides));
}

void ViewType::print(AsmPrinter &printer) const {
  printer << '<';
  printDims(printer.getStream(), getSizes());
  printer << ", " << getElementType();
  if (getAccess() != Access::read)
    printer << ", " << stringifyAccess(getAccess());
  if (!isContiguous()) {
    printer << ", strides ";
    printDims(printer.getStream(), getStrides());
  }
  printer << '>';
}

LogicalResult SizeParamAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                                    StringRef name, int64_t lo, int64_t hi, int64_t divisor) {
  Result<DimExpr> parsed = DimExpr::parse(std::string_view(name.data(), name.size()));
  if (!parsed || !parsed->asSymbol())
    return emitError() << "'" << name << "' is no size's name";
  if (name.contains('.') || name.starts_with("$"))
    return emitError() << "the size '" << name << "' has a name that is reserved for block indices";
  if (lo < 0 || lo > hi)
    return emitError() << "no size '" << name << "' is at least " << lo << " and at most " << hi;
  if (hi > kMaxSize)
    return emitError() << "the size '" << name << "' may not exceed 2^40";
  if (divisor < 1)
    return emitError() << "the divisor of '" << name << "' must be positive, not " << divisor;
  return success();
}

} // namespace imbrex::tile
