// Operator attributes in MLIR's form and in that of support/opmeaning.
#include "compiler/ir/relay/Relay.h"

using namespace mlir;

namespace imbrex::relay {

Attribute toMlirAttr(MLIRContext *context, const opmeaning::AttrValue &value) {
  mlir::Builder b(context);
  struct Visitor {
    mlir::Builder &b;
    Attribute operator()(int64_t v) { return b.getI64IntegerAttr(v); }
    Attribute operator()(double v) { return b.getF64FloatAttr(v); }
    Attribute operator()(const std::string &v) { return b.getStringAttr(v); }
    Attribute operator()(const std::vector<int64_t> &v) { return b.getDenseI64ArrayAttr(v); }
    Attribute operator()(const std::vector<double> &v) { return b.getDenseF64ArrayAttr(v); }
    Attribute operator()(DType v) {
      return v == DType::Invalid ? Attribute(b.getUnitAttr())
                                 : Attribute(TypeAttr::get(toMlirType(b.getContext(), v)));
    }
  };
  return std::visit(Visitor{b}, value);
}

DictionaryAttr toDictionary(MLIRContext *context, const opmeaning::Attrs &attrs) {
  SmallVector<NamedAttribute> entries;
  for (const auto &[name, value] : attrs.values)
    entries.emplace_back(StringAttr::get(context, name), toMlirAttr(context, value));
  return DictionaryAttr::get(context, entries);
}

static std::optional<opmeaning::AttrValue> toValue(Attribute attr) {
  if (auto a = dyn_cast<IntegerAttr>(attr); a && a.getType().isSignlessInteger(64))
    return a.getInt();
  if (auto a = dyn_cast<FloatAttr>(attr); a && a.getType().isF64())
    return a.getValueAsDouble();
  if (auto a = dyn_cast<StringAttr>(attr))
    return a.getValue().str();
  if (auto a = dyn_cast<DenseI64ArrayAttr>(attr))
    return std::vector<int64_t>(a.asArrayRef());
  if (auto a = dyn_cast<DenseF64ArrayAttr>(attr))
    return std::vector<double>(a.asArrayRef());
  if (auto a = dyn_cast<TypeAttr>(attr); a && toDType(a.getValue()) != DType::Invalid)
    return toDType(a.getValue());
  if (isa<UnitAttr>(attr))
    return DType::Invalid;
  return std::nullopt;
}

Result<opmeaning::Attrs> toAttrs(DictionaryAttr dictionary) {
  opmeaning::Attrs attrs;
  for (NamedAttribute entry : dictionary) {
    std::optional<opmeaning::AttrValue> value = toValue(entry.getValue());
    if (!value)
      return badInput(554, "attribute '" + entry.getName().str() + "' has a value of no known kind",
                      "an operator's attribute is an i64, f64, string, array of i64 or f64, or an "
                      "element type");
    attrs.values.emplace(entry.getName().str(), std::move(*value));
  }
  return attrs;
}

opmeaning::Attrs attrsOf(ApplyOp apply) {
  Result<opmeaning::Attrs> attrs = toAttrs(apply.getOperatorAttrs());
  assert(attrs.ok() && "verified operators have proper attributes");
  return attrs.take();
}

} // namespace imbrex::relay
