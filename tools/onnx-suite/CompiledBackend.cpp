// Compiles the model for exactly the case's shapes, loads the artifact and runs it through the
// runtime's C interface, as a user's program would.
#include "tools/onnx-suite/Backend.h"
#include "tools/onnx-suite/Prepare.h"

#include "compiler/pipeline/Compile.h"
#include "tools/common/Runtime.h"

#include <cstdlib>
#include <filesystem>

namespace imbrex::suite {
namespace {

/// A folder of its own, removed with its content.
class Workspace {
public:
  Workspace() {
    std::string pattern = (std::filesystem::temp_directory_path() / "onnx-suite-XXXXXX").string();
    if (mkdtemp(pattern.data()))
      path = pattern;
  }
  ~Workspace() {
    std::error_code ignored;
    if (!path.empty())
      std::filesystem::remove_all(path, ignored);
  }
  Workspace(const Workspace &) = delete;
  Workspace &operator=(const Workspace &) = delete;

  std::string path;
};

class CompiledBackend : public Backend {
public:
  Result<Outputs> run(const std::string &path, const std::vector<HostTensor> &inputs) override {
    auto model = onnx::readModel(path);
    if (!model)
      return model.takeError();
    auto prepared = prepare(*model, inputs);
    if (!prepared)
      return prepared.takeError();
    Workspace folder;
    if (folder.path.empty())
      return badInput(713, "cannot make a temporary folder");
    CompileOptions options;
    options.inputShapes = prepared->options.inputShapes;
    options.constants = prepared->options.constants;
    CompileReport report;
    const std::string artifact = folder.path + "/model.imx";
    if (auto done = compileOnnx(path, artifact, options, report); !done)
      return report.problems.empty() ? done.takeError() : report.problems[0];
    auto module = tools::Module::open(artifact);
    if (!module)
      return module.takeError();
    auto context = tools::Context::create(*module, 1);
    if (!context)
      return context.takeError();
    auto results = context->run(prepared->inputs);
    if (!results)
      return results.takeError();
    Outputs out;
    out.tensors = results.take();
    out.usedHostOps = report.hostOps > 0;
    out.constantInputs = prepared->constantInputs;
    return out;
  }
};

} // namespace

std::unique_ptr<Backend> compiledBackend() { return std::make_unique<CompiledBackend>(); }

} // namespace imbrex::suite
