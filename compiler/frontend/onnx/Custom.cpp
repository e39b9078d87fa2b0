// Operators of the user's libraries (support/customops), for nodes that no row of ours converts.
#include "compiler/frontend/onnx/Converters.h"

#include "support/customops/CustomOps.h"

namespace imbrex::frontend {

static std::optional<customops::Attribute> attributeOf(const onnx::Attribute &a) {
  using Kind = onnx::Attribute::Kind;
  customops::Attribute out;
  out.name = a.name;
  switch (a.kind) {
  case Kind::Int:
  case Kind::Ints:
    out.kind = IMX_ATTRIBUTE_INTS;
    out.ints = a.ints;
    return out;
  case Kind::Float:
  case Kind::Floats:
    out.kind = IMX_ATTRIBUTE_REALS;
    out.reals.assign(a.floats.begin(), a.floats.end());
    return out;
  case Kind::String:
    out.kind = IMX_ATTRIBUTE_TEXT;
    out.text = a.strings[0];
    return out;
  default:
    return std::nullopt;
  }
}

void convertCustom(NodeContext &n, const std::string &function) {
  std::vector<customops::Attribute> attributes;
  for (const onnx::Attribute &a : n.proto().attributes) {
    auto attribute = attributeOf(a);
    if (!attribute)
      return n.unsupported("custom operators take numbers, lists of numbers and texts", {}, a.name);
    attributes.push_back(std::move(*attribute));
  }
  std::vector<Value> operands = n.all();
  while (!operands.empty() && !operands.back().valid())
    operands.pop_back();
  std::vector<bool> absent;
  for (Value &v : operands) {
    absent.push_back(!v.valid());
    if (!v.valid())
      v = n.constant(HostTensor(DType::F32, {0}));
  }
  n.results(n.applyMany(
      "custom", operands,
      attrs({{"function", function}, {"attributes", customops::encode(attributes, absent)}}),
      n.outputCount()));
}

} // namespace imbrex::frontend
