#include "tools/imbrex-verify/Reference.h"

#include "compiler/frontend/onnx/EmitRelay.h"
#include "compiler/ir/relay/Relay.h"
#include "compiler/reference/ReferenceEvaluator.h"

namespace imbrex::tools {

namespace {

/// Constants of the module end with its context: what leaves it must own its bytes.
HostTensor owned(const HostTensor &tensor) {
  return HostTensor::of<std::byte>(tensor.type(), tensor.shape(), tensor.bytes());
}

} // namespace

Result<std::vector<HostTensor>> referenceOutputs(const std::string &path,
                                                 const std::vector<std::string> &names,
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
  Result<std::vector<HostTensor>> outputs = reference::evaluate(**module, "main", inputs);
  if (!outputs)
    return outputs.takeError();
  for (HostTensor &output : *outputs)
    output = owned(output);
  return outputs;
}

} // namespace imbrex::tools
