#include "compiler/jit/Jit.h"

#include "compiler/codegen/tile-cpu/HostKernels.h"
#include "compiler/edsl/Tracer.h"

namespace imbrex::jit {

Result<std::vector<LoadedKernel>> compile(const std::vector<edsl::NamedKernel> &kernels,
                                          std::string_view target) {
  auto targets = codegen::cpuTargets(target);
  if (!targets)
    return targets.takeError();
  if (targets->size() != 1)
    return badInput(600, "'" + std::string(target) + "' names several kinds of machine",
                    "a kernel is compiled for the one it runs on", "cpu:native");
  mlir::DialectRegistry registry;
  codegen::registerTileKernelDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  edsl::TraceReport report;
  auto module = edsl::traceModule(context, kernels, report);
  if (!module)
    return module.takeError();
  auto code = codegen::HostKernels::compile(**module, targets->front());
  if (!code)
    return code.takeError();
  return codegen::HostKernels::load(code.take());
}

Result<LoadedKernel> compile(const std::string &name, const edsl::KernelFunction &kernel,
                             std::string_view target) {
  auto all = compile({{name, kernel}}, target);
  if (!all)
    return all.takeError();
  return std::move(all->front());
}

} // namespace imbrex::jit
