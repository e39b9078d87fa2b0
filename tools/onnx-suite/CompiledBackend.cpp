// Compiles the model, for exactly the case's shapes or once for any, loads the artifact and runs it
// through the runtime's C interface, as a user's program would.
#include "tools/onnx-suite/Backend.h"
#include "tools/onnx-suite/Prepare.h"
#include "tools/onnx-suite/Workspace.h"

#include "compiler/pipeline/Compile.h"
#include "tools/common/Runtime.h"

#include <optional>

namespace imbrex::suite {
namespace {

class CompiledBackend : public Backend {
public:
  CompiledBackend(Sizes sizes, std::string kernels) : sizes(sizes), kernels(std::move(kernels)) {}

  Result<Outputs> run(const std::string &path, const std::vector<HostTensor> &inputs) override {
    auto model = onnx::readModel(path);
    if (!model)
      return model.takeError();
    auto prepared = prepare(*model, inputs, sizes);
    if (!prepared)
      return prepared.takeError();
    // One artifact serves all data sets of a case, unless their values went into it.
    if (sizes == Sizes::Exact || prepared->constantInputs || compiled != path)
      if (auto done = compile(path, prepared->options); !done)
        return done.takeError();
    auto results = context->run(prepared->inputs);
    if (!results)
      return results.takeError();
    Outputs out;
    out.tensors = results.take();
    out.usedHostOps = hostOps;
    out.constantInputs = prepared->constantInputs;
    return out;
  }

private:
  Status compile(const std::string &path, const frontend::ImportOptions &import) {
    Workspace folder;
    if (folder.path.empty())
      return badInput(713, "cannot make a temporary folder");
    CompileOptions options;
    if (sizes == Sizes::Open)
      options.target = "cpu:native"; // the variants are tested with sizes
    options.inputShapes = import.inputShapes;
    options.openRanks = import.openRanks;
    options.elementRanks = import.elementRanks;
    options.constants = import.constants;
    options.cache = kernels;
    CompileReport report;
    const std::string artifact = folder.path + "/model.imx";
    if (auto done = compileOnnx(path, artifact, options, report); !done)
      return report.problems.empty() ? done.takeError() : report.problems[0];
    auto module = tools::Module::open(artifact);
    if (!module)
      return module.takeError();
    auto made = tools::Context::create(*module, 1);
    if (!made)
      return made.takeError();
    context = made.take();
    hostOps = report.hostOps > 0;
    compiled = path;
    return {};
  }

  Sizes sizes;
  std::string kernels;  // a folder for machine code
  std::string compiled; // the model of `context`
  std::optional<tools::Context> context;
  bool hostOps = false;
};

} // namespace

std::unique_ptr<Backend> compiledBackend(const std::string &kernels) {
  return std::make_unique<CompiledBackend>(Sizes::Exact, kernels);
}

std::unique_ptr<Backend> dynamicBackend(const std::string &kernels) {
  return std::make_unique<CompiledBackend>(Sizes::Open, kernels);
}

} // namespace imbrex::suite
