#include "compiler/passes/tile/fuzz/CheckKernel.h"

#include "compiler/reference/TileInterpreter.h"

#include <random>
#include <set>

using namespace mlir;

namespace imbrex::tile {

/// Sizes that a launch admits: within the kernel's limits, assumptions and checks.
static bool admitted(KernelOp kernel, const SizeValues &sizes) {
  for (ArrayAttr list : {kernel.getAssumptions(), kernel.getChecks()})
    for (StringRef text : list.getAsValueRange<StringAttr>()) {
      auto fact = parseFact(text);
      auto l = fact->left.evaluate(sizes), r = fact->right.evaluate(sizes);
      if (!l || !r || (fact->equal ? *l != *r : *l < *r))
        return false;
    }
  return true;
}

/// Mostly small sizes; now and then one beyond what a byte counts.
static SizeValues randomSizes(KernelOp kernel, std::mt19937_64 &random) {
  SizeValues sizes;
  for (auto s : kernel.getSizes().getAsRange<SizeParamAttr>()) {
    const int64_t most = random() % 6 == 0 ? 300 : 20;
    int64_t span = std::min<int64_t>(s.getHi(), most) / s.getDivisor();
    int64_t v = static_cast<int64_t>(random() % static_cast<uint64_t>(span + 1)) * s.getDivisor();
    while (v < s.getLo())
      v += s.getDivisor();
    sizes[s.getName().str()] = v;
  }
  return sizes;
}

/// Two elements of a view at one address: the runs count elements, not addresses.
static bool sharesAddresses(ViewType view, const SizeValues &sizes) {
  std::vector<int64_t> extents, strides;
  for (const DimExpr &e : view.getDims())
    extents.push_back(e.evaluate(sizes).take());
  for (const DimExpr &e : view.getStrideDims())
    strides.push_back(e.evaluate(sizes).take());
  std::set<int64_t> seen;
  std::vector<int64_t> at(extents.size(), 0);
  if (llvm::is_contained(extents, 0))
    return false;
  while (true) {
    int64_t address = 0;
    for (size_t d = 0; d < at.size(); ++d)
      address += at[d] * strides[d];
    if (!seen.insert(address).second)
      return true;
    size_t d = at.size();
    while (d > 0 && ++at[d - 1] == extents[d - 1])
      at[--d] = 0;
    if (d == 0)
      return false;
  }
}

/// What went wrong, or empty.
static std::string faultOf(KernelOp kernel, const TileRun &run, const SizeValues &sizes) {
  if (run.badAccesses)
    return "bad access: " + (run.firstBad.empty() ? std::string("?") : run.firstBad.front());
  if (run.failedCheck)
    return "";
  for (BlockArgument view : kernel.getViews()) {
    Access access = cast<ViewType>(view.getType()).getAccess();
    const auto &uses = run.views[view.getArgNumber()];
    auto type = cast<ViewType>(view.getType());
    if (access != Access::read && !type.isContiguous() && sharesAddresses(type, sizes))
      return "two elements of " + kernel.viewName(view) + " are at one address";
    for (size_t e = 0; e < uses.size(); ++e) {
      if (uses[e].raced)
        return "race for element " + std::to_string(e) + " of " + kernel.viewName(view);
      if ((access == Access::write || access == Access::update) && uses[e].writes != 1)
        return "element " + std::to_string(e) + " of " + kernel.viewName(view) + " is written " +
               std::to_string(uses[e].writes) + " times";
    }
  }
  return "";
}

static std::string runAt(KernelOp kernel, const SizeValues &sizes, bool &ran) {
  std::vector<ViewBytes> memory;
  for (BlockArgument view : kernel.getViews()) {
    auto bytes = viewBytes(cast<ViewType>(view.getType()), sizes);
    if (!bytes || *bytes > 1 << 20)
      return "";
    memory.emplace_back(static_cast<size_t>(*bytes));
  }
  auto run = interpret(kernel, sizes, memory, {.maxSteps = 2'000'000});
  if (!run)
    return run.error().code == 545 ? "" : run.error().str(); // too long, or sizes without a meaning
  ran = true;
  return faultOf(kernel, *run, sizes);
}

void fuzzOne(MLIRContext &context, uint64_t seed, const VerifyOptions &options,
             FuzzCounts &counts) {
  RandomKernel made = randomKernel(seed);
  ++counts.kernels;
  counts.faulty += !made.fault.empty();
  counts.correct += made.fault.empty();
  std::string said;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &d) {
    if (said.empty())
      said = d.str();
    return success();
  });
  auto module = parseSourceString<ModuleOp>(made.text, &context);
  if (!module) { // the generator made no kernel
    ++counts.bad;
    if (counts.firstBad.empty())
      counts.firstBad = made.text + "does not parse: " + said;
    return;
  }
  KernelOp kernel = *module->getOps<KernelOp>().begin();
  if (failed(verifyKernel(kernel, options))) {
    if (made.fault.empty()) {
      ++counts.refusedCorrect;
      if (counts.refused.size() < 100)
        counts.refused.push_back(made.text + said);
    }
    return;
  }
  ++counts.accepted;
  std::mt19937_64 random(seed);
  int done = 0;
  for (int attempt = 0; attempt < 24 && done < 4; ++attempt) {
    SizeValues sizes = randomSizes(kernel, random);
    if (!admitted(kernel, sizes))
      continue;
    bool ran = false;
    std::string fault = runAt(kernel, sizes, ran);
    done += ran;
    counts.runs += ran;
    if (fault.empty())
      continue;
    ++counts.bad;
    if (counts.firstBad.empty()) {
      counts.firstBad = made.text + "with fault '" + made.fault + "' at";
      for (const auto &[n, v] : sizes)
        counts.firstBad += " " + n + "=" + std::to_string(v);
      counts.firstBad += ": " + fault;
    }
    return;
  }
}

} // namespace imbrex::tile
