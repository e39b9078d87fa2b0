// custom: an operator of a user's library (support/customops), whose types the library infers.
#include "support/customops/CustomOps.h"
#include "support/opmeaning/ops/Common.h"
#include "support/opmeaning/ops/Families.h"

#include <algorithm>

namespace imbrex::opmeaning {
namespace {

/// Open sizes have the numbers -2, -3, … for the library; equal sizes have equal numbers.
int64_t numberOf(const DimExpr &d, std::vector<DimExpr> &open) {
  if (auto c = d.constant())
    return *c;
  auto it = std::ranges::find(open, d);
  const auto place = it - open.begin();
  if (it == open.end())
    open.push_back(d);
  return -2 - place;
}

Result<std::vector<TensorType>> customTypes(const std::vector<Operand> &in, const Attrs &a,
                                            const DimFacts &) {
  auto given = customops::decode(a.s("attributes"));
  if (!given)
    return given.takeError();
  std::vector<DimExpr> open;
  std::vector<customops::OpenType> types;
  for (size_t i = 0; i < in.size(); ++i) {
    auto &type = types.emplace_back();
    if (i < given->absent.size() && given->absent[i])
      continue;
    type.type = in[i].type.type;
    for (const DimExpr &d : in[i].type.dims)
      type.shape.push_back(numberOf(d, open));
  }
  auto inferred = customops::inferTypes(a.s("function"), *given, types);
  if (!inferred)
    return inferred.takeError();
  std::vector<TensorType> results;
  int fresh = 0;
  for (const auto &t : *inferred) {
    auto &result = results.emplace_back(TensorType{t.type, {}});
    for (int64_t size : t.shape) {
      const int64_t place = -2 - size;
      if (place >= static_cast<int64_t>(open.size()))
        return badInput(143, "the custom operator " + customops::describe(a.s("function")) +
                                 " answers with a size that it was not given");
      result.dims.push_back(size >= 0    ? DimExpr(size)
                            : place >= 0 ? open[static_cast<size_t>(place)]
                                         : DimExpr::symbol("$" + std::to_string(fresh++)));
    }
  }
  return results;
}

} // namespace

void registerCustom(std::vector<Operator> &ops) {
  ops.push_back({.name = "custom",
                 .doc = "An operator of a user's library, by the name of its host function.",
                 .minOperands = 0,
                 .maxOperands = 255,
                 .minResults = 1,
                 .maxResults = IMX_OPS_MAX_OUTPUTS,
                 .attrs = {requiredAttr("function", AttrKind::String, "the host function"),
                           requiredAttr("attributes", AttrKind::String,
                                        "the node's attributes, encoded by support/customops")},
                 // What it does is not known: neither folded nor merged.
                 .effect = Effect::Random,
                 .contract = FloatContract::Exact,
                 .hooks = {.types = customTypes, .hostOp = "custom"}});
}

} // namespace imbrex::opmeaning
