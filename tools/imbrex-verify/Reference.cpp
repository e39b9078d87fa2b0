#include "tools/imbrex-verify/Reference.h"

#include "compiler/frontend/onnx/EmitRelay.h"
#include "compiler/ir/relay/Relay.h"
#include "compiler/reference/ReferenceEvaluator.h"
#include "tools/imbrex-verify/Disturb.h"

namespace imbrex::tools {

namespace {

constexpr uint64_t kDisturbedRuns = 2;

/// Constants of the module end with its context: what leaves it must own its bytes.
HostTensor owned(const HostTensor &tensor) {
  return HostTensor::of<std::byte>(tensor.type(), tensor.shape(), tensor.bytes());
}

} // namespace

Result<Reference> referenceOutputs(const std::string &path, const std::vector<std::string> &names,
                                   const std::vector<HostTensor> &inputs) {
  Result<onnx::Model> model = onnx::readModel(path);
  if (!model)
    return model.takeError();
  frontend::ImportOptions options;
  for (size_t i = 0; i < names.size(); ++i)
    options.inputShapes[names[i]] = inputs[i].shape();
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<relay::RelayDialect>();
  frontend::ImportProblems problems;
  auto module = frontend::importModel(context, *model, options, problems);
  if (!module)
    return module.takeError();
  Reference result;
  for (uint64_t run = 0; run <= kDisturbedRuns; ++run) {
    uint64_t seed = run << 32; // a new one for each operator
    reference::Options evaluation;
    if (run > 0)
      evaluation.afterApply = [&](const auto &op, const auto &attrs, const auto &operands,
                                  auto &results) { disturb(op, attrs, operands, results, ++seed); };
    auto outputs = reference::evaluate(**module, "main", inputs, evaluation);
    if (!outputs && run > 0)
      continue; // an error that the disturbance leads to says nothing of the model
    if (!outputs)
      return outputs.takeError();
    for (HostTensor &output : *outputs)
      output = owned(output);
    if (run > 0)
      result.disturbed.push_back(outputs.take());
    else
      result.outputs = outputs.take();
  }
  return result;
}

} // namespace imbrex::tools
