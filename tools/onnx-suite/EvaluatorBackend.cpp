// Imports the model and runs it in the reference evaluator: a test of the import and of the
// operators' meaning.
#include "tools/onnx-suite/Backend.h"

#include "compiler/frontend/onnx/EmitRelay.h"
#include "compiler/ir/relay/Relay.h"
#include "compiler/reference/ReferenceEvaluator.h"

namespace imbrex::suite {
namespace {

class EvaluatorBackend : public Backend {
public:
  Result<Outputs> run(const std::string &path, const std::vector<HostTensor> &inputs) override {
    auto model = onnx::readModel(path);
    if (!model)
      return model.takeError();
    frontend::ImportOptions options;
    std::vector<HostTensor> used;
    auto isWeight = [&](const std::string &name) {
      for (const auto &t : model->graph.initializers)
        if (t.name == name)
          return true;
      return false;
    };
    for (size_t i = 0; i < model->graph.inputs.size() && i < inputs.size(); ++i) {
      const auto &name = model->graph.inputs[i].name;
      if (isWeight(name))
        continue;
      options.inputShapes[name] = inputs[i].shape();
      used.push_back(inputs[i]);
    }
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    context.loadDialect<relay::RelayDialect>();
    frontend::ImportProblems problems;
    auto module = frontend::importModel(context, *model, options, problems);
    if (!module)
      return problems.empty() ? module.takeError() : problems[0].toError();
    auto results = reference::evaluate(**module, "main", used);
    if (!results)
      return results.takeError();
    Outputs out;
    out.tensors = results.take();
    out.usedEvaluator = true;
    // Constants of the module end with its context: the outputs must own their bytes.
    for (auto &t : out.tensors) {
      HostTensor copy(t.type(), t.shape());
      std::copy(t.bytes().begin(), t.bytes().end(), copy.mutableBytes().begin());
      t = std::move(copy);
    }
    return out;
  }
};

} // namespace

std::unique_ptr<Backend> evaluatorBackend() { return std::make_unique<EvaluatorBackend>(); }

std::unique_ptr<Backend> compiledBackend() { return nullptr; }

} // namespace imbrex::suite
