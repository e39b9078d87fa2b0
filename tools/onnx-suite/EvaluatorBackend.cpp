// Imports the model and runs it in the reference evaluator: a test of the import and of the
// operators' meaning.
#include "tools/onnx-suite/Backend.h"
#include "tools/onnx-suite/Prepare.h"

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
    auto prepared = prepare(*model, inputs, Sizes::Exact);
    if (!prepared)
      return prepared.takeError();
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    context.loadDialect<relay::RelayDialect>();
    frontend::ImportProblems problems;
    auto module = frontend::importModel(context, *model, prepared->options, problems);
    if (!module)
      return module.takeError();
    auto results = reference::evaluate(**module, "main", prepared->inputs);
    if (!results)
      return results.takeError();
    Outputs out;
    out.tensors = results.take();
    out.usedEvaluator = true;
    out.constantInputs = prepared->constantInputs;
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

} // namespace imbrex::suite
