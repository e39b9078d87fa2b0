#include "formats/onnx/Model.h"
#include "tools/imbrex-info/Info.h"

#include <algorithm>
#include <map>
#include <set>

namespace imbrex::tools {

namespace {

/// Counts over all graphs, nested ones included. Iterative: nesting is bounded by the reader, but
/// not the number of graphs.
class Census {
public:
  explicit Census(const onnx::Model &model) {
    std::vector<const onnx::Graph *> pending{&model.graph};
    for (const onnx::Function &function : model.functions)
      countNodes(function.nodes, pending);
    while (!pending.empty()) {
      const onnx::Graph *graph = pending.back();
      pending.pop_back();
      countNodes(graph->nodes, pending);
      for (const onnx::Tensor &tensor : graph->initializers)
        countWeight(tensor);
    }
  }

  std::map<std::string, int64_t> operators;
  int64_t nodes = 0, weights = 0;
  uint64_t weightBytes = 0;

private:
  void countNodes(const std::vector<onnx::Node> &list, std::vector<const onnx::Graph *> &pending) {
    for (const onnx::Node &node : list) {
      ++nodes;
      ++operators[node.domain.empty() ? node.opType : node.domain + "::" + node.opType];
      for (const onnx::Attribute &attribute : node.attributes) {
        for (const auto &graph : attribute.graphs)
          pending.push_back(graph.get());
        if (node.opType == "Constant")
          for (const onnx::Tensor &tensor : attribute.tensors)
            countWeight(tensor);
      }
    }
  }

  void countWeight(const onnx::Tensor &tensor) {
    ++weights;
    weightBytes += tensor.supported() ? tensor.value.bytes().size() : tensor.raw.size();
  }
};

/// Inputs that the caller must give: those without a default value.
std::vector<const onnx::ValueInfo *> realInputs(const onnx::Graph &graph) {
  std::set<std::string> defaults;
  for (const onnx::Tensor &tensor : graph.initializers)
    defaults.insert(tensor.name);
  std::vector<const onnx::ValueInfo *> inputs;
  for (const onnx::ValueInfo &input : graph.inputs)
    if (!defaults.contains(input.name))
      inputs.push_back(&input);
  return inputs;
}

Json port(const onnx::ValueInfo &info) {
  return Json::object().set("name", info.name).set("type", info.type.str());
}

} // namespace

Result<Json> onnxInfo(const std::string &path) {
  Result<onnx::Model> model = onnx::readModel(path);
  if (!model)
    return model.takeError();
  const onnx::Graph &graph = model->graph;
  Json opsets = Json::object(), inputs = Json::array(), outputs = Json::array();
  for (const auto &[domain, version] : model->opsets)
    opsets.add(domain.empty() ? "ai.onnx" : domain, Json::of(version));
  std::set<std::string> dims;
  for (const onnx::ValueInfo *input : realInputs(graph)) {
    inputs.push(port(*input));
    for (const onnx::Dim &dim : input->type.dims)
      if (dim.kind == onnx::Dim::Kind::Param)
        dims.insert(dim.param);
  }
  for (const onnx::ValueInfo &output : graph.outputs)
    outputs.push(port(output));
  Census census(*model);
  Json operators = Json::object();
  for (const auto &[name, count] : census.operators)
    operators.add(name, Json::of(count));
  return Json::object()
      .set("kind", "onnx")
      .set("model", graph.name)
      .set("producer", model->producerName + (model->producerVersion.empty() ? "" : " ") +
                           model->producerVersion)
      .set("ir", model->irVersion)
      .set("opsets", opsets)
      .set("inputs", inputs)
      .set("outputs", outputs)
      .set("dims", std::vector<std::string>(dims.begin(), dims.end()))
      .set("nodes", census.nodes)
      .set("operators", operators)
      .set("functions", static_cast<int64_t>(model->functions.size()))
      .set("weights", census.weights)
      .set("weight_bytes", census.weightBytes);
}

} // namespace imbrex::tools
