// sizes: a vector or scalar of integers that are expressions over the operands' dimensions.
#include "support/opmeaning/Sizes.h"

#include "support/opmeaning/ops/Common.h"
#include "support/opmeaning/ops/Families.h"

namespace imbrex::opmeaning {

std::string sizeName(size_t operand, size_t axis) {
  return "o" + std::to_string(operand) + "." + std::to_string(axis);
}

static Result<DimExpr> elementOf(const std::string &text, const std::vector<TensorType> &operands) {
  auto e = DimExpr::parse(text);
  if (!e)
    return badInput(520, "'" + text + "' is no size", e.error().what);
  std::string unknown;
  DimExpr out = e->substitute([&](std::string_view name) -> std::optional<DimExpr> {
    for (size_t o = 0; o < operands.size(); ++o)
      for (size_t k = 0; k < operands[o].dims.size(); ++k)
        if (name == sizeName(o, k))
          return operands[o].dims[k];
    unknown = name;
    return std::nullopt;
  });
  if (!unknown.empty())
    return badInput(520, "'" + unknown + "' is no dimension of an operand");
  if (!out.valid())
    return badInput(520, "a size does not fit in 64 bits");
  return out;
}

Result<std::vector<DimExpr>> elementsOfSizes(const std::vector<TensorType> &operands,
                                             const Attrs &attrs) {
  const std::string &text = attrs.s("elements");
  std::vector<DimExpr> out;
  // Commas separate elements, but not within parentheses.
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    for (int depth = 0; end < text.size() && (depth > 0 || text[end] != ','); ++end)
      depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
    auto e = elementOf(text.substr(at, end - at), operands);
    if (!e)
      return e.takeError();
    out.push_back(e.take());
    at = end + 1;
  }
  if (attrs.i("scalar") != 0 && out.size() != 1)
    return badInput(520, "a scalar has one element");
  return out;
}

static Result<Program> sizes(Builder &b, const Attrs &a) {
  std::vector<TensorType> operands;
  for (size_t i = 0; i < b.operandCount(); ++i)
    operands.push_back(b.in(i) ? TensorType{b.in(i)->type, b.in(i)->dims} : TensorType{});
  auto elements = elementsOfSizes(operands, a);
  if (!elements)
    return failed(b, elements.error().what);
  const DType t = a.t("type");
  if (!check(b, isInteger(t), "sizes are integers"))
    return b.finish({});
  std::vector<Dim> dims;
  if (a.i("scalar") == 0)
    dims.emplace_back(static_cast<int64_t>(elements->size()));
  auto y = b.shapeDef("y", t, dims, [&](Axes i) {
    return elements->empty() ? b.integer(0, t)
                             : b.cast(sizeAt(b, *elements, dims.empty() ? Ix(0) : i[0]), t);
  });
  return b.finish({y});
}

void registerSizes(std::vector<Operator> &ops) {
  ops.push_back({.name = "sizes",
                 .doc = "Expressions over the operands' dimensions, as a tensor of integers.",
                 .minOperands = 1,
                 .maxOperands = 255,
                 .attrs = {requiredAttr("elements", AttrKind::String,
                                        "the expressions, separated by commas; oI.K is dimension K "
                                        "of operand I"),
                           typeAttr("type", DType::I64, "the element type"),
                           intAttr("scalar", 0, "1: one element, of rank 0")},
                 .meaning = sizes,
                 .contract = FloatContract::Exact});
}

} // namespace imbrex::opmeaning
