// What a graph starts from: its inputs under the caller's options, and its weights.
#include "compiler/frontend/onnx/GraphImporter.h"

#include <set>

namespace imbrex::frontend {
using onnx::ValueType;

static Error option(std::string what, std::string because, std::string remedy) {
  return badInput(401, std::move(what), std::move(because), std::move(remedy));
}

DimExpr GraphImporter::inputDim(const onnx::ValueInfo &input, size_t axis) {
  const auto &d = input.type.dims[axis];
  if (d.kind == onnx::Dim::Kind::Value)
    return d.value;
  if (d.kind == onnx::Dim::Kind::Unknown)
    return recorder.bindSymbol(input.name + "_" + std::to_string(axis), "", {});
  if (auto it = options.dims.find(d.param); it != options.dims.end())
    return it->second;
  if (auto it = params.find(d.param); it != params.end())
    return it->second;
  auto known = options.facts.find(d.param);
  auto symbol = recorder.bindSymbol(d.param, d.param,
                                    known == options.facts.end() ? SymbolFacts{} : known->second);
  params.emplace(d.param, symbol);
  return symbol;
}

/// A given shape must agree with what the model fixes.
static Status checkGiven(const onnx::ValueInfo &input, const std::vector<int64_t> &given) {
  bool fits =
      input.type.shape == ValueType::Shape::Unknown || given.size() == input.type.dims.size();
  for (size_t k = 0; fits && k < input.type.dims.size(); ++k) {
    const auto &d = input.type.dims[k];
    fits = given[k] >= 0 && (d.kind != onnx::Dim::Kind::Value || d.value == given[k]);
  }
  if (fits)
    return {};
  return option("the shape given for input '" + input.name + "' does not fit",
                "the model declares it as " + input.type.str(),
                "giving a shape of that form, or none");
}

Result<opmeaning::TensorType> GraphImporter::inputType(const onnx::ValueInfo &input) {
  opmeaning::TensorType type{onnx::dtypeOf(input.type.elemType), {}};
  if (input.type.kind != ValueType::Kind::Tensor)
    type.type = DType::Item;
  if (auto it = options.inputShapes.find(input.name); it != options.inputShapes.end()) {
    if (auto fits = checkGiven(input, it->second); !fits)
      return fits.takeError();
    type.dims.assign(it->second.begin(), it->second.end());
    return type;
  }
  if (auto it = options.openRanks.find(input.name); it != options.openRanks.end()) {
    for (int64_t k = 0; k < it->second; ++k)
      type.dims.push_back(recorder.bindSymbol(input.name + "_" + std::to_string(k), "", {}));
    return type;
  }
  if (type.type == DType::Item) {
    SymbolFacts facts;
    if (input.type.kind == ValueType::Kind::Map) {
      type.dims = {1, 2};
      return type;
    }
    if (input.type.kind == ValueType::Kind::Optional)
      facts.hi = 1;
    type.dims = {recorder.bindSymbol(input.name + "_length", "", facts)};
    return type;
  }
  if (input.type.shape == ValueType::Shape::Unknown)
    return option("input '" + input.name + "' has no rank", "the model declares no shape for it",
                  "giving one: --input-shape " + input.name + "=…");
  for (size_t k = 0; k < input.type.dims.size(); ++k)
    type.dims.push_back(inputDim(input, k));
  return type;
}

/// What a sequence, optional or map holds; null for any other type.
ContainerPtr GraphImporter::containerOf(const ValueType &type, const std::string &input) const {
  const bool optional = type.kind == ValueType::Kind::Optional;
  if (type.kind == ValueType::Kind::Map && type.element &&
      type.element->kind == ValueType::Kind::Tensor) {
    Container map{Container::Kind::Map, onnx::dtypeOf(type.element->elemType), 1};
    map.key = onnx::dtypeOf(type.elemType);
    const bool known = map.type != DType::Invalid && map.key != DType::Invalid;
    return known ? std::make_shared<Container>(map) : nullptr;
  }
  if ((type.kind != ValueType::Kind::Sequence && !optional) || !type.element)
    return nullptr;
  Container c;
  c.kind = optional ? Container::Kind::Optional : Container::Kind::Sequence;
  const ValueType &element = *type.element;
  if (element.kind == ValueType::Kind::Tensor) {
    c.type = onnx::dtypeOf(element.elemType);
    if (element.shape == ValueType::Shape::Known)
      c.rank = static_cast<int64_t>(element.dims.size());
    else if (auto given = options.elementRanks.find(input); given != options.elementRanks.end())
      c.rank = given->second;
    return c.type == DType::Invalid ? nullptr : std::make_shared<Container>(c);
  }
  c.inner = containerOf(element, input);
  c.type = DType::Item;
  c.rank = element.kind == ValueType::Kind::Map ? 2 : 1;
  return c.inner ? std::make_shared<Container>(c) : nullptr;
}

/// What is told of a named dimension, and of the shape of an input that has it, must agree.
Status GraphImporter::checkGivenDims(const onnx::ValueInfo &input) const {
  const std::vector<int64_t> *given = nullptr;
  if (auto shape = options.inputShapes.find(input.name); shape != options.inputShapes.end())
    given = &shape->second;
  if (auto value = options.constants.find(input.name); value != options.constants.end())
    given = &value->second.shape();
  if (!given || given->size() != input.type.dims.size())
    return {};
  for (size_t k = 0; k < input.type.dims.size(); ++k) {
    const std::string &name = input.type.dims[k].param;
    const int64_t size = (*given)[k];
    auto fixed = options.dims.find(name);
    auto bounded = options.facts.find(name);
    const bool fits = (fixed == options.dims.end() || fixed->second == size) &&
                      (bounded == options.facts.end() ||
                       (bounded->second.lo <= size && size <= bounded->second.hi &&
                        size % bounded->second.divisor == 0));
    if (!fits)
      return option("the shape given for input '" + input.name + "' does not fit",
                    "its size " + std::to_string(size) + " is none of those given for dimension '" +
                        name + "'",
                    "the shape or the dimension, not both");
  }
  return {};
}

Status GraphImporter::checkOptions() const {
  std::set<std::string> inputs, params;
  std::string known;
  for (const auto &input : model.graph.inputs) {
    inputs.insert(input.name);
    for (const auto &d : input.type.dims)
      if (d.kind == onnx::Dim::Kind::Param && params.insert(d.param).second)
        known += (known.empty() ? "" : ", ") + d.param;
  }
  auto unknownDim = [&](const std::string &name) {
    return option("the model has no dimension named '" + name + "'",
                  known.empty() ? "its dimensions have no names"
                                : "its named dimensions are " + known,
                  "one of those, or the shape of an input");
  };
  auto unknownInput = [&](const std::string &name) {
    std::string names;
    for (const auto &i : inputs)
      names += (names.empty() ? "" : ", ") + i;
    return option("the model has no input named '" + name + "'", "its inputs are " + names,
                  "one of those");
  };
  for (const auto &[name, size] : options.dims) {
    if (!params.count(name))
      return unknownDim(name);
    if (size < 0)
      return option("dimension '" + name + "' cannot be " + std::to_string(size),
                    "sizes are not negative", "a size of 0 or more");
  }
  for (const auto &[name, facts] : options.facts)
    if (!params.count(name))
      return unknownDim(name);
  for (const auto &[name, shape] : options.inputShapes)
    if (!inputs.count(name))
      return unknownInput(name);
  for (const auto &[name, value] : options.constants)
    if (!inputs.count(name))
      return unknownInput(name);
  for (const auto &input : model.graph.inputs)
    if (Status fits = checkGivenDims(input); !fits)
      return fits;
  return {};
}

Status GraphImporter::bindInputs(Scope &scope) {
  std::set<std::string> initialized, taken;
  for (const auto &t : model.graph.initializers)
    initialized.insert(t.name);
  for (const auto &input : model.graph.inputs) {
    if (initialized.count(input.name))
      continue; // before IR version 4 weights were listed among the inputs
    if (!taken.insert(input.name).second)
      return badInput(412, "there are two inputs named '" + input.name + "'", {},
                      "exporting the model again");
    if (auto it = options.constants.find(input.name); it != options.constants.end()) {
      if (auto fits = checkGiven(input, it->second.shape()); !fits)
        return fits;
      if (it->second.type() != onnx::dtypeOf(input.type.elemType))
        return option("the value given for input '" + input.name + "' does not fit",
                      "it is of type " + std::string(name(it->second.type())) +
                          " and the model declares it as " + input.type.str(),
                      "a value of that type");
      scope.values[input.name] = recorder.constant(it->second);
      continue;
    }
    const bool tensor = input.type.kind == ValueType::Kind::Tensor;
    ContainerPtr container = containerOf(input.type, input.name);
    if (tensor ? onnx::dtypeOf(input.type.elemType) == DType::Invalid : !container) {
      onnx::Node place;
      place.name = input.name;
      place.opType = "(input)";
      ImportProblem p;
      p.code = 411;
      p.reason = "an input of type " + input.type.str() + " is not supported";
      report(place, 0, std::move(p));
      scope.values[input.name] = {};
      continue;
    }
    auto type = inputType(input);
    if (!type)
      return type.takeError();
    if (auto fits = opmeaning::checkExtent(*type); !fits) {
      Error error = fits.takeError();
      error.what = "input '" + input.name + "': " + error.what;
      return error;
    }
    scope.values[input.name] = recorder.input(input.name, type.take());
    recorder.setContainer(scope.values[input.name], std::move(container));
  }
  return {};
}

void GraphImporter::bindInitializers(const onnx::Graph &graph, Scope &scope) {
  auto refuse = [&](const std::string &name, std::string reason,
                    ErrorKind kind = ErrorKind::Unsupported, uint16_t code = 411) {
    onnx::Node place;
    place.name = name;
    place.opType = "(initializer)";
    ImportProblem p;
    p.kind = kind;
    p.code = code;
    p.reason = std::move(reason);
    report(place, 0, std::move(p));
    scope.values[name] = {};
  };
  std::set<std::string> seen;
  for (const auto &t : graph.initializers)
    if (!seen.insert(t.name).second)
      refuse(t.name, "there are two weights of that name", ErrorKind::BadInput, 412);
    else if (t.supported())
      scope.values[t.name] = recorder.constant(t.value);
    else
      refuse(t.name, "a weight of type " + onnx::elemTypeName(t.elemType) + " is not supported");
  for (const auto &t : graph.sparseInitializers)
    refuse(t.values.name, "sparse weights are not supported");
}

/// What the model declares of an output and what it computes. An element type or a rank that
/// differs is an error; sizes are often declared wrong by exporters, and are a remark.
Status GraphImporter::checkOutput(const onnx::ValueInfo &output, Value value) {
  const opmeaning::TensorType &type = recorder.info(value).type;
  const ValueType &declared = output.type;
  if (declared.kind != ValueType::Kind::Tensor)
    return {};
  auto contradiction = [&] {
    return badInput(412, "output '" + output.name + "' is declared as " + declared.str(),
                    "the model computes " + type.str(), "exporting the model again");
  };
  const DType declaredType = onnx::dtypeOf(declared.elemType);
  const bool shaped = declared.shape == ValueType::Shape::Known;
  if ((declaredType != DType::Invalid && declaredType != type.type) ||
      (shaped && declared.dims.size() != type.dims.size()))
    return contradiction();
  for (size_t k = 0; shaped && k < type.dims.size(); ++k)
    if (const auto &d = declared.dims[k];
        d.kind == onnx::Dim::Kind::Value &&
        recorder.dimFacts().provenUnequal(type.dims[k], d.value)) {
      ImportProblem remark;
      remark.kind = ErrorKind::BadInput;
      remark.code = 416;
      remark.node = output.name;
      remark.opType = "(output)";
      remark.verdict = "has another shape than the model declares";
      remark.reason = "it is declared as " + declared.str() + " and computed as " + type.str();
      remarks.push_back(std::move(remark));
      break;
    }
  return {};
}

} // namespace imbrex::frontend
