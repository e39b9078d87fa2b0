#include "tools/imbrex-verify/Sections.h"

#include "compiler/passes/graph/rules/Rule.h"
#include "runtime/module/plan/CheckPlan.h"
#include "tools/common/TensorText.h"

#include <map>

namespace imbrex::tools {

using namespace artifact;

namespace {

std::string arenaText(const FunctionSpec &f, const DimExpr &arena) {
  if (auto bytes = arena.constant())
    return byteText(static_cast<uint64_t>(std::max<int64_t>(0, *bytes)));
  return runtime::SlotSizes(f).shown(arena) + " B";
}

std::string count(int64_t n, const char *one, const char *many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

std::string writtenOnce(int64_t proven, int64_t others) {
  std::string text = "that each element is written once";
  if (proven)
    text += " is proven for all sizes of " + count(proven, "tile kernel", "tile kernels") +
            (others ? ", and" : "");
  if (others)
    text += " is so by construction" +
            (proven ? " of the " + count(others, "other", "others") : std::string()) +
            ", and not proven";
  return text;
}

} // namespace

Section checkPlans(const ArtifactSpec &spec) {
  Section section{"plan", true, ""};
  Json functions = Json::array();
  int64_t planned = 0, own = 0, shared = 0;
  std::string arenas;
  for (const FunctionSpec &f : spec.functions) {
    const runtime::FunctionPlan plan = runtime::examinePlan(f, spec);
    for (const runtime::PlanTensor &t : plan.tensors)
      ++(t.planned ? planned : own);
    shared += plan.sharedPairs;
    arenas += (arenas.empty() ? "" : ", ") + arenaText(f, plan.arena);
    functions.push(Json::object()
                       .set("function", f.name)
                       .set("arena", arenaText(f, plan.arena))
                       .set("problems", plan.problems));
    if (section.good && !plan.problems.empty())
      section = {"plan", false, plan.problems[0]};
  }
  if (section.good)
    section.text = "checked from the bytecode: " + count(planned, "tensor", "tensors") +
                   " in an arena of " + arenas + ", " +
                   count(shared, "pair shares", "pairs share") + " bytes at different times, " +
                   std::to_string(own) +
                   (own == 1 ? " has storage of its own" : " have storage of their own");
  section.details = functions;
  return section;
}

Section describeKernels(const ArtifactSpec &spec) {
  int64_t typed = 0, clamped = 0, withClamps = 0, checks = 0, proven = 0;
  for (const KernelSpec &k : spec.kernels) {
    typed += !k.args.empty();
    clamped += k.clampedReads;
    withClamps += k.clampedReads > 0;
    proven += k.proven;
    checks += static_cast<int64_t>(k.checks.size());
  }
  const auto kernels = static_cast<int64_t>(spec.kernels.size());
  Section section{"kernels", true, ""};
  section.text = count(kernels, "kernel", "kernels") + "; each launch of " + std::to_string(typed) +
                 " is checked for the types and sizes that the code was made for; " +
                 count(clamped, "read", "reads") + " in " + std::to_string(withClamps) +
                 " are not proven in bounds and clamped, all others are; " +
                 count(checks, "check", "checks") + " while running; " +
                 writtenOnce(proven, kernels - proven);
  section.details = Json::object()
                        .set("kernels", kernels)
                        .set("proven", proven)
                        .set("launch_checked", typed)
                        .set("clamped_reads", clamped)
                        .set("run_time_checks", checks);
  return section;
}

Section checkRewrites(const ArtifactSpec &spec) {
  std::map<std::string, std::string> contracts;
  for (const rules::Rule &rule : rules::allRules())
    contracts[rule.name] = rules::contractText(rule);
  std::map<std::pair<std::string, std::string>, int64_t> made;
  for (const RewriteSpec &r : spec.rewrites)
    ++made[{r.rule, r.contract}];
  Section section{"rewrites", true, ""};
  Json list = Json::array();
  for (const auto &[key, times] : made) {
    const auto &[rule, contract] = key;
    auto known = contracts.find(rule);
    const bool fits = known != contracts.end() && known->second == contract;
    if (!fits && section.good)
      section = {"rewrites", false,
                 known == contracts.end() ? "this version has no rule '" + rule + "'"
                                          : "the rule '" + rule + "' is " + known->second +
                                                " here, and was " + contract};
    if (section.good)
      section.text += (section.text.empty() ? "" : ", ") + rule + " x " + std::to_string(times) +
                      " (" + contract + ")";
    list.push(Json::object()
                  .set("rule", rule)
                  .set("contract", contract)
                  .set("times", times)
                  .set("known", fits));
  }
  if (made.empty())
    section.text = "none";
  section.details = list;
  return section;
}

} // namespace imbrex::tools
