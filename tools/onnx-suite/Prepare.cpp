#include "tools/onnx-suite/Prepare.h"

#include "support/tensor/ItemHeap.h"

#include <algorithm>

namespace imbrex::suite {

static bool isParameter(const HostTensor &t) {
  return t.type() != DType::Item && t.rank() <= 1 && t.elems() <= 64;
}

/// The inputs that the problems ask to be constants; nothing when one of them is data.
static std::optional<std::map<std::string, HostTensor>>
demanded(const frontend::ImportProblems &problems,
         const std::map<std::string, HostTensor> &available) {
  std::map<std::string, HostTensor> out;
  for (const auto &p : problems)
    for (const auto &name : p.constantInputs) {
      auto it = available.find(name);
      if (it == available.end() || !isParameter(it->second))
        return std::nullopt;
      out.insert(*it);
    }
  return out;
}

/// Gives the lengths that the problems ask for; false when they ask for none that was open.
static bool fixLengths(const frontend::ImportProblems &problems,
                       const std::map<std::string, HostTensor> &available,
                       frontend::ImportOptions &options) {
  bool fixed = false;
  for (const auto &p : problems)
    for (const auto &name : p.sizedInputs)
      if (auto it = available.find(name); it != available.end() && options.openRanks.erase(name)) {
        options.inputShapes[name] = it->second.shape();
        fixed = true;
      }
  return fixed;
}

/// The rank of the tensors that a sequence or optional holds, however deep.
static std::optional<int64_t> elementRank(HostTensor value) {
  if (value.type() != DType::Item)
    return std::nullopt;
  while (value.type() == DType::Item) {
    if (value.elems() == 0)
      return std::nullopt;
    auto element = ItemHeap::process().tensorAt(static_cast<uint64_t>(value.toInt(0)));
    if (!element)
      return std::nullopt;
    value = std::move(*element);
  }
  return value.rank();
}

Result<Prepared> prepare(const onnx::Model &model, const std::vector<HostTensor> &inputs,
                         Sizes sizes) {
  std::map<std::string, HostTensor> byName;
  std::vector<std::string> order;
  for (const auto &input : model.graph.inputs) {
    bool weight = std::ranges::find(model.graph.initializers, input.name, &onnx::Tensor::name) !=
                  model.graph.initializers.end();
    if (weight || order.size() == inputs.size())
      continue;
    byName[input.name] = inputs[order.size()];
    order.push_back(input.name);
  }
  Prepared p;
  for (const auto &[name, tensor] : byName)
    if (sizes == Sizes::Exact)
      p.options.inputShapes[name] = tensor.shape();
    else
      p.options.openRanks[name] = tensor.rank();
  for (const auto &[name, tensor] : byName)
    if (auto rank = elementRank(tensor))
      p.options.elementRanks[name] = *rank;
  while (true) {
    frontend::ImportProblems problems;
    auto recording = frontend::record(model, p.options, problems);
    if (recording)
      break;
    if (fixLengths(problems, byName, p.options))
      continue;
    auto constants = demanded(problems, byName);
    if (!constants || constants->empty())
      return problems.empty() ? recording.takeError() : problems[0].toError();
    for (auto &[name, tensor] : *constants) {
      p.options.constants[name] = tensor;
      byName.erase(name);
    }
    p.constantInputs = true;
  }
  for (const auto &name : order)
    if (!p.options.constants.count(name))
      p.inputs.push_back(byName.at(name));
  return p;
}

} // namespace imbrex::suite
