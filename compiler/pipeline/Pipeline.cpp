#include "compiler/pipeline/Pipeline.h"

#include "compiler/codegen/bytecode/ShareKernels.h"
#include "compiler/passes/graph/Passes.h"
#include "compiler/passes/lower/RelayToVm.h"
#include "compiler/passes/memory/CheckPlan.h"
#include "compiler/passes/memory/PlanMemory.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include "llvm/TargetParser/Triple.h"

#include <chrono>

namespace imbrex::pipeline {

using namespace mlir;

namespace {

/// Runs MLIR passes over relay functions; diagnostics become the error's text.
Status passes(State &s, ArrayRef<std::function<std::unique_ptr<Pass>()>> makers) {
  std::string text;
  ScopedDiagnosticHandler handler(s.module->getContext(), [&](Diagnostic &d) {
    if (d.getSeverity() == DiagnosticSeverity::Error)
      text += (text.empty() ? "" : "; ") + d.str();
    return success();
  });
  PassManager pm(s.module->getContext());
  for (const auto &make : makers)
    pm.addNestedPass<relay::FuncOp>(make());
#ifndef IMBREX_CHECKED
  // Types are derived anew when they are verified: once after all passes tells as much to a user.
  pm.enableVerifier(false);
#endif
  if (failed(pm.run(*s.module)) || failed(verify(*s.module)))
    return internalError(605, "a graph pass failed: " + text);
  return {};
}

std::unique_ptr<Pass> cse() { return createCSEPass(); }

Status simplify(State &s) {
  auto rules = [&] { return relay::createApplyRulesPass(s.allow); };
  // Twice: what one folds, the other simplifies, and a constant condition opens its branch to both.
  // Once more folds what the last rules put among constants.
  return passes(s, {relay::createFoldConstantsPass, relay::createFoldIfPass, rules, cse,
                    relay::createFoldConstantsPass, relay::createFoldIfPass, rules,
                    relay::createFoldConstantsPass, relay::createEliminateDeadCodePass});
}

// After simplification: a group's border hides what could still be folded across it.
Status fuse(State &s) {
  return passes(s, {relay::createSplitConcatsPass, relay::createFuseOpsPass});
}

// The graph is described at the last moment at which it is one.
Status lowerGroups(State &s) {
  s.graph = relay::describeGraph(*s.module);
  OpBuilder b(s.module->getContext());
  s.kernels = ModuleOp::create(b, UnknownLoc::get(s.module->getContext()));
  const auto weights =
      llvm::is_contained(s.forbid, "winograd") ? lower::Weights::AsGiven : lower::Weights::MayGrow;
  return lower::relayToVm(*s.module, *s.kernels, weights, s.remarks);
}

Status planMemory(State &s) {
  for (relay::FuncOp f : s.module->getOps<relay::FuncOp>())
    memory::planMemory(f);
  return {};
}

// Not optional: a plan is trusted only when the separate checker has walked it.
Status checkPlan(State &s) {
  for (relay::FuncOp f : s.module->getOps<relay::FuncOp>())
    if (auto st = memory::checkPlan(f); !st)
      return st;
  return {};
}

// After the plan, which knows kernels by their names; before anything is emitted of them.
Status shareKernels(State &s) {
  codegen::shareKernels(*s.module, *s.kernels);
  return {};
}

// Before the kernels' code: sizes functions are compiled with them.
Status emitBytecode(State &s) {
  auto made = codegen::emitBytecode(*s.module, *s.kernels, "main");
  if (!made)
    return made.takeError();
  s.bytecode = made.take();
  auto &spec = s.bytecode.spec;
  spec.remarks = s.remarks;
  spec.nodes = std::move(s.graph.nodes);
  spec.rewrites = std::move(s.graph.rewrites);
  for (size_t i = 0; i < spec.functions.size(); ++i)
    spec.functions[i].results = s.graph.results[i];
  return {};
}

/// What the loader knows this machine's ELF files by.
std::string kindOf(const codegen::CpuTarget &target) {
  return llvm::Triple(target.triple).isAArch64() ? "elf-aarch64" : "elf-x86-64";
}

Status emitCode(State &s) {
  std::vector<std::string> exported;
  std::set<std::string> seen; // kernels share functions and plans
  for (const auto &k : s.bytecode.spec.kernels)
    for (const std::string *name : {&k.entry, &k.plan})
      if (!name->empty() && seen.insert(*name).second)
        exported.push_back(*name);
  for (const auto &f : s.bytecode.spec.sizes)
    exported.push_back(f.entry);
  codegen::ImportTable imports;
  auto made = codegen::emitVariants(*s.kernels, s.targets, exported, imports, s.emit, &s.emitted);
  if (!made)
    return made.takeError();
  s.variants = made.take();
  s.bytecode.spec.imports = imports.names;
  for (const auto &v : s.variants)
    s.bytecode.spec.variants.push_back({kindOf(v.target), v.target.name, v.target.needs,
                                        v.target.priority,
                                        std::as_bytes(std::span(v.elf.data(), v.elf.size()))});
  return {};
}

constexpr Phase kPhases[] = {
    {"simplify", true, simplify},           {"fuse", true, fuse},
    {"lower", false, lowerGroups},          {"plan-memory", true, planMemory},
    {"check-plan", false, checkPlan},       {"share-kernels", true, shareKernels},
    {"emit-bytecode", false, emitBytecode}, {"emit-code", false, emitCode},
};

void print(const State &s, llvm::StringRef name, llvm::raw_ostream &out) {
  out << "// ---- after " << name << "\n";
  OpPrintingFlags flags;
  flags.elideLargeElementsAttrs(16).elideLargeResourceString(64);
  s.module.get()->print(out, flags);
  if (s.kernels) {
    out << "// ---- kernels\n";
    s.kernels.get()->print(out, flags);
  }
  out << "\n";
}

} // namespace

llvm::ArrayRef<Phase> phases() { return kPhases; }

static Status checkNames(const Control &c) {
  auto known = [](llvm::StringRef name) {
    return llvm::any_of(kPhases, [&](const Phase &p) { return p.name == name; });
  };
  std::string all;
  for (const Phase &p : kPhases)
    all += (all.empty() ? "" : ", ") + p.name.str();
  std::set<std::string> names = c.printAfter;
  names.insert(c.disable.begin(), c.disable.end());
  names.insert(c.from);
  names.insert(c.to);
  for (const std::string &n : names)
    if (!n.empty() && n != "all" && !known(n))
      return badInput(604, "no phase '" + n + "'", "the phases are " + all);
  // A model enters as relay: what comes after lowering has nothing to start from.
  bool lowered = false;
  for (const Phase &p : kPhases) {
    if (lowered && p.name == llvm::StringRef(c.from))
      return badInput(604, "the phase '" + c.from + "' cannot be the first",
                      "it works on what 'lower' makes", "--from lower or an earlier phase");
    lowered |= p.name == "lower";
  }
  auto place = [](llvm::StringRef name) {
    return llvm::find_if(kPhases, [&](const Phase &p) { return p.name == name; });
  };
  if (!c.from.empty() && !c.to.empty() && place(c.to) < place(c.from))
    return badInput(604, "no phase is from '" + c.from + "' to '" + c.to + "'",
                    "'" + c.to + "' comes before '" + c.from + "'", "the phases are " + all);
  for (const Phase &p : kPhases)
    if (!p.optional && c.disable.count(p.name.str()))
      return badInput(604, "the phase '" + p.name.str() + "' cannot be left out",
                      "nothing after it works without it");
  return {};
}

Status run(State &state, const Control &control, std::vector<PhaseTime> &times) {
  if (auto s = checkNames(control); !s)
    return s;
  bool started = control.from.empty();
  for (const Phase &phase : kPhases) {
    started |= phase.name == llvm::StringRef(control.from);
    if (!started || control.disable.count(phase.name.str()))
      continue;
    auto begin = std::chrono::steady_clock::now();
    if (auto s = phase.run(state); !s)
      return s;
    std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - begin;
    times.push_back({phase.name.str(), ms.count()});
#ifdef IMBREX_CHECKED
    if (failed(verify(*state.module)) || (state.kernels && failed(verify(*state.kernels))))
      return internalError(606, "the IR is not valid after " + phase.name.str());
#endif
    if (control.printAfter.count(phase.name.str()) || control.printAfter.count("all"))
      print(state, phase.name, control.out ? *control.out : llvm::errs());
    if (phase.name == llvm::StringRef(control.to))
      break;
  }
  return {};
}

} // namespace imbrex::pipeline
