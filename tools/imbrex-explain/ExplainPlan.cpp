#include "runtime/module/plan/CheckPlan.h"
#include "tools/common/TensorText.h"
#include "tools/imbrex-explain/Explain.h"

namespace imbrex::tools {

using artifact::ArtifactSpec;
using artifact::FunctionSpec;
using runtime::SlotSizes;

namespace {

std::string exampleText(const SlotSizes::Values &values) {
  std::string text;
  for (const auto &[name, value] : values)
    text += (text.empty() ? "" : ", ") + name + " = " + std::to_string(value);
  return text;
}

Json numberOrNull(std::optional<int64_t> value) { return value ? Json::of(*value) : Json(); }

/// "1.5 MiB", or the expression.
std::string bytesOf(const DimExpr &size, const SlotSizes &sizes) {
  if (auto number = size.constant())
    return byteText(static_cast<uint64_t>(std::max<int64_t>(0, *number)));
  return sizes.shown(size) + " B";
}

Json stepOf(const runtime::PlanStep &step, const ArtifactSpec &spec) {
  const bool launch = step.op == bytecode::Op::Launch;
  const std::string name = launch                            ? spec.kernels[step.index].name
                           : step.op == bytecode::Op::HostOp ? spec.hostOps[step.index]
                                                             : spec.functions[step.index].name;
  return Json::object()
      .set("name", name)
      .set("kernel", launch ? Json::of(int64_t(step.index)) : Json());
}

} // namespace

Json explainPlan(const FunctionSpec &f, const ArtifactSpec &spec, const SlotSizes::Values &given) {
  const runtime::FunctionPlan plan = runtime::examinePlan(f, spec);
  const SlotSizes sizes(f);
  const SlotSizes::Values values = exampleSizes(f, given);
  Json steps = Json::array(), tensors = Json::array();
  for (const runtime::PlanStep &step : plan.steps)
    steps.push(stepOf(step, spec));
  for (const runtime::PlanTensor &t : plan.tensors)
    tensors.push(
        Json::object()
            .set("type", t.type)
            .set("planned", t.planned)
            .set("offset", t.planned ? numberOrNull(sizes.evaluate(t.offset, values)) : Json())
            .set("bytes", numberOrNull(sizes.evaluate(t.bytes, values)))
            .set("offset_text", t.planned ? sizes.shown(t.offset) : "")
            .set("bytes_text", bytesOf(t.bytes, sizes))
            .set("first", int64_t(t.first))
            .set("last", int64_t(t.last))
            .set("writer", t.writer));
  return Json::object()
      .set("function", f.name)
      .set("arena", numberOrNull(sizes.evaluate(plan.arena, values)))
      .set("arena_text", bytesOf(plan.arena, sizes))
      .set("symbolic", !plan.arena.constant())
      .set("example", exampleText(values))
      .set("shared_pairs", plan.sharedPairs)
      .set("problems", plan.problems)
      .set("steps", steps)
      .set("tensors", tensors);
}

} // namespace imbrex::tools
