#include "compiler/pipeline/Compile.h"

#include "compiler/frontend/onnx/EmitRelay.h"
#include "compiler/passes/graph/rules/Rule.h"
#include "compiler/pipeline/Pipeline.h"
#include "runtime/module/format/ArtifactWriter.h"

#include <algorithm>
#include <chrono>

namespace imbrex {

namespace {

double since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

void describe(const pipeline::State &state, CompileReport &report) {
  const auto &spec = state.bytecode.spec;
  report.units = state.emitted.units;
  report.unitsCompiled = state.emitted.compiled;
  report.remarks = state.emitted.remarks;
  report.modelRemarks = spec.remarks;
  for (const artifact::RewriteSpec &r : spec.rewrites)
    ++report.rewrites[r.rule];
  report.kernels = static_cast<int64_t>(spec.kernels.size());
  report.hostOps = static_cast<int64_t>(spec.hostOps.size());
  for (const auto &c : spec.constants)
    report.constantBytes += static_cast<int64_t>(c.bytes.size());
  for (const auto &v : state.variants) {
    report.codeBytes += static_cast<int64_t>(v.elf.size());
    report.targets.push_back(v.target.name);
  }
}

} // namespace

std::vector<std::string> compilePhases() {
  std::vector<std::string> names;
  for (const auto &p : pipeline::phases())
    names.push_back(p.name.str());
  return names;
}

std::vector<std::string> compileLicences() { return rules::licences(); }

std::vector<std::string> compileGrants() { return {"winograd"}; }

/// E0632 for a name that is not among `known`, which are those of `flag`.
static Status checkNames(const std::vector<std::string> &names, const std::string &flag,
                         const std::vector<std::string> &known) {
  std::string all;
  for (const std::string &name : known)
    all += (all.empty() ? "" : ", ") + name;
  for (const std::string &name : names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      return badInput(632, flag + ": nothing is called '" + name + "'", "", all);
  return {};
}

Status compileOnnx(const std::string &path, const std::string &artifact,
                   const CompileOptions &options, CompileReport &report) {
  const auto begin = std::chrono::steady_clock::now();
  if (Status s = checkNames(options.allow, "--allow", compileLicences()); !s)
    return s;
  if (Status s = checkNames(options.forbid, "--forbid", compileGrants()); !s)
    return s;
  mlir::DialectRegistry registry;
  codegen::registerKernelDialects(registry);
  registry.insert<relay::RelayDialect, vm::VmDialect>();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  pipeline::State state; // after the context, which must outlive its modules
  auto targets = codegen::cpuTargets(options.target);
  if (!targets)
    return targets.takeError();
  state.targets = targets.take();
  state.allow = options.allow;
  state.forbid = options.forbid;
  state.emit = {options.cache, options.threads};

  auto model = onnx::readModel(path);
  if (!model)
    return model.takeError();

  frontend::ImportProblems problems;
  frontend::ImportOptions import;
  import.dims = options.dims;
  import.facts = options.dimFacts;
  import.inputShapes = options.inputShapes;
  import.openRanks = options.openRanks;
  import.elementRanks = options.elementRanks;
  import.constants = options.constants;
  auto module = frontend::importModel(context, *model, import, problems);
  for (const auto &p : problems) {
    report.problems.push_back(p.toError(path));
    report.nodes.push_back(
        {p.code, p.node, p.opType, p.domain, p.opset, p.attribute, p.reason, p.remedy});
  }
  if (!module)
    return module.takeError();
  state.module = module.take();
  report.phases.push_back({"import", since(begin)});

  pipeline::Control control{options.from, options.to, options.printAfter, options.disable, nullptr};
  std::vector<pipeline::PhaseTime> times;
  auto done = pipeline::run(state, control, times);
  for (const auto &t : times)
    report.phases.push_back({t.name, t.ms});
  if (!done)
    return done;
  describe(state, report);
  if (options.to.empty() || options.to == compilePhases().back()) {
    const auto write = std::chrono::steady_clock::now();
    auto &spec = state.bytecode.spec;
    spec.producer = "imbrex " IMBREX_VERSION_TEXT;
    spec.model = path.substr(path.rfind('/') + 1);
    const artifact::SizeSpec arena = spec.functions[spec.entry].arena;
    report.arenaBytes = arena.isLiteral() ? std::to_string(arena.value) : "symbolic";
    if (auto s = artifact::writeArtifact(spec, artifact); !s)
      return s;
    report.phases.push_back({"write", since(write)});
  }
  report.totalMs = since(begin);
  return {};
}

} // namespace imbrex
