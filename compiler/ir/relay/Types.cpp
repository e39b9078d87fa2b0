// The tensor type and its conversions.
#include "compiler/ir/relay/Syntax.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include <set>

using namespace mlir;

#define GET_TYPEDEF_CLASSES
#include "compiler/ir/relay/Types.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "compiler/ir/relay/Attrs.cpp.inc"

namespace imbrex::relay {

void RelayDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "compiler/ir/relay/Types.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "compiler/ir/relay/Attrs.cpp.inc"
      >();
}

TensorType TensorType::get(MLIRContext *context, ArrayRef<DimExpr> dims, Type elementType) {
  return Base::get(context, toSizes(context, dims), elementType);
}

SmallVector<DimExpr> TensorType::getDims() const { return llvm::map_to_vector(getSizes(), toDim); }

DimExpr TensorType::getDim(int64_t i) const { return toDim(getSizes()[i]); }

DType TensorType::getDType() const { return toDType(getElementType()); }

bool TensorType::isStatic() const {
  return llvm::all_of(getSizes(), [](Attribute size) { return isa<IntegerAttr>(size); });
}

SmallVector<int64_t> TensorType::staticShape() const {
  return llvm::map_to_vector(getSizes(),
                             [](Attribute size) { return cast<IntegerAttr>(size).getInt(); });
}

std::optional<int64_t> TensorType::staticElems() const {
  if (!isStatic())
    return std::nullopt;
  Result<int64_t> count = elementCount(staticShape());
  return count ? std::optional<int64_t>(*count) : std::nullopt;
}

std::vector<std::string> TensorType::symbols() const {
  std::set<std::string> all;
  for (Attribute size : getSizes())
    if (!isa<IntegerAttr>(size))
      for (std::string &name : toDim(size).symbols())
        all.insert(std::move(name));
  return {all.begin(), all.end()};
}

LogicalResult TensorType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<Attribute> sizes, Type elementType) {
  if (toDType(elementType) == DType::Invalid)
    return emitError()
           << "a tensor has elements of type i1 to i64, ui2 to ui64, f16 to f64, bf16 or a "
              "narrow float, not "
           << elementType;
  for (Attribute size : sizes) {
    if (auto constant = dyn_cast<IntegerAttr>(size)) {
      if (constant.getInt() < 0)
        return emitError() << "a dimension cannot be negative: " << constant.getInt();
    } else if (cast<StringAttr>(size).getValue().empty()) {
      return emitError() << "a dimension leaves the range of 64-bit integers";
    }
  }
  return success();
}

Type TensorType::parse(AsmParser &parser) {
  SmallVector<DimExpr> dims;
  Type element;
  llvm::SMLoc start = parser.getCurrentLocation();
  if (parser.parseLess() || parseDims(parser, dims) || parser.parseComma() || parser.parseType(element) || parser.parseGreater())
    return {};
  return Base::getChecked([&] { return parser.emitError(start); }, parser.getContext(),
                          toSizes(parser.getContext(), dims), element);
}

void TensorType::print(AsmPrinter &printer) const {
  printer << '<';
  printDims(printer.getStream(), getSizes());
  printer << ", " << getElementType() << '>';
}

LogicalResult SymbolAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError, StringRef name,
                                 int64_t lo, int64_t hi, int64_t divisor) {
  Result<DimExpr> parsed = DimExpr::parse(std::string_view(name.data(), name.size()));
  if (!parsed || !parsed->asSymbol())
    return emitError() << "'" << name << "' is no symbol's name";
  if (lo < 0)
    return emitError() << "the size '" << name << "' cannot be negative: its lower limit is " << lo;
  if (lo > hi)
    return emitError() << "no size '" << name << "' is at least " << lo << " and at most " << hi;
  if (divisor < 1)
    return emitError() << "the divisor of '" << name << "' must be positive, not " << divisor;
  return success();
}

DType toDType(Type element) {
  if (auto integer = dyn_cast<IntegerType>(element)) {
    bool isUnsigned = integer.isUnsigned();
    if (integer.isSigned())
      return DType::Invalid;
    switch (integer.getWidth()) {
    case 1:
      return isUnsigned ? DType::Invalid : DType::Bool;
    case 2:
      return isUnsigned ? DType::U2 : DType::I2;
    case 4:
      return isUnsigned ? DType::U4 : DType::I4;
    case 8:
      return isUnsigned ? DType::U8 : DType::I8;
    case 16:
      return isUnsigned ? DType::U16 : DType::I16;
    case 32:
      return isUnsigned ? DType::U32 : DType::I32;
    case 64:
      return isUnsigned ? DType::U64 : DType::I64;
    default:
      return DType::Invalid;
    }
  }
  return llvm::TypeSwitch<Type, DType>(element)
      .Case([](Float16Type) { return DType::F16; })
      .Case([](BFloat16Type) { return DType::BF16; })
      .Case([](Float32Type) { return DType::F32; })
      .Case([](Float64Type) { return DType::F64; })
      .Case([](Float8E4M3FNType) { return DType::F8E4M3FN; })
      .Case([](Float8E5M2Type) { return DType::F8E5M2; })
      .Case([](Float8E4M3FNUZType) { return DType::F8E4M3FNUZ; })
      .Case([](Float8E5M2FNUZType) { return DType::F8E5M2FNUZ; })
      .Case([](Float8E8M0FNUType) { return DType::F8E8M0; })
      .Case([](Float4E2M1FNType) { return DType::F4E2M1; })
      .Case([](StringType) { return DType::String; })
      .Case([](ItemType) { return DType::Item; })
      .Default(DType::Invalid);
}

Type toMlirType(MLIRContext *context, DType type) {
  mlir::Builder b(context);
  switch (type) {
  case DType::F16:
    return b.getF16Type();
  case DType::BF16:
    return b.getBF16Type();
  case DType::F32:
    return b.getF32Type();
  case DType::F64:
    return b.getF64Type();
  case DType::F8E4M3FN:
    return Float8E4M3FNType::get(context);
  case DType::F8E5M2:
    return Float8E5M2Type::get(context);
  case DType::F8E4M3FNUZ:
    return Float8E4M3FNUZType::get(context);
  case DType::F8E5M2FNUZ:
    return Float8E5M2FNUZType::get(context);
  case DType::F8E8M0:
    return Float8E8M0FNUType::get(context);
  case DType::F4E2M1:
    return Float4E2M1FNType::get(context);
  case DType::Bool:
    return b.getI1Type();
  case DType::String:
    return StringType::get(context);
  case DType::Item:
    return ItemType::get(context);
  case DType::Invalid:
    llvm_unreachable("no element type");
  default:
    return IntegerType::get(context, packedBits(type),
                            isUnsignedInt(type) || type == DType::U4 || type == DType::U2
                                ? IntegerType::Unsigned
                                : IntegerType::Signless);
  }
}

opmeaning::TensorType toMeaningType(TensorType type) {
  auto dims = type.getDims();
  return {type.getDType(), {dims.begin(), dims.end()}};
}

TensorType fromMeaningType(MLIRContext *context, const opmeaning::TensorType &type) {
  return TensorType::get(context, type.dims, toMlirType(context, type.type));
}

} // namespace imbrex::relay
