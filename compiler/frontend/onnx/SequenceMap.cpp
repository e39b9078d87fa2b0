// SequenceMap: a graph for each element of a sequence, as the Loop that it stands for.
//
//   y = SequenceMap(s, t; body(a, b) -> c)
//   →  y = Loop(SequenceLength(s), , SequenceEmpty()) { a = SequenceAt(s, i); b = t; …;
//                                                        SequenceInsert(acc, c) }
#include "compiler/frontend/onnx/GraphImporter.h"
#include "compiler/frontend/onnx/NodeContext.h"

namespace imbrex::frontend {
namespace {

/// Names that no model has: theirs hold no such letter.
std::string own(const std::string &what, size_t k = 0) { return what + "\x01" + std::to_string(k); }

onnx::Node made(const onnx::Node &origin, std::string op, std::vector<std::string> inputs,
                std::vector<std::string> outputs) {
  onnx::Node n;
  n.name = origin.name;
  n.opType = std::move(op);
  n.inputs = std::move(inputs);
  n.outputs = std::move(outputs);
  return n;
}

onnx::ValueInfo port(std::string name) {
  onnx::ValueInfo v;
  v.name = std::move(name);
  return v;
}

/// The loop's body around `map`, which is the body of one element.
onnx::Graph loopBody(const onnx::Node &node, const onnx::Graph &map,
                     const std::vector<bool> &isSequence) {
  onnx::Graph body = map;
  body.inputs = {port(own("i")), port(own("go"))};
  std::vector<onnx::Node> before;
  for (size_t k = 0; k < node.inputs.size(); ++k)
    before.push_back(
        isSequence[k] ? made(node, "SequenceAt", {node.inputs[k], own("i")}, {map.inputs[k].name})
                      : made(node, "Identity", {node.inputs[k]}, {map.inputs[k].name}));
  body.nodes.insert(body.nodes.begin(), before.begin(), before.end());
  body.nodes.push_back(made(node, "Identity", {own("go")}, {own("on")}));
  body.outputs = {port(own("on"))};
  for (size_t k = 0; k < map.outputs.size(); ++k) {
    body.inputs.push_back(port(own("sofar", k)));
    body.nodes.push_back(
        made(node, "SequenceInsert", {own("sofar", k), map.outputs[k].name}, {own("longer", k)}));
    body.outputs.push_back(port(own("longer", k)));
  }
  return body;
}

} // namespace

void GraphImporter::importSequenceMap(const onnx::Node &node, const std::vector<Value> &inputs,
                                      Scope &scope) {
  const auto *body = node.attribute("body");
  const onnx::Graph *map =
      body && body->kind == onnx::Attribute::Kind::Graph ? body->graphs[0].get() : nullptr;
  if (!map || inputs.empty() || !inputs[0].valid() || map->inputs.size() != inputs.size() ||
      map->outputs.size() != node.outputs.size()) {
    ImportProblem p;
    p.kind = ErrorKind::BadInput;
    p.code = 413;
    p.reason = "its body does not take and yield what the node does";
    report(node, opsetOf(*scope.opsets, ""), std::move(p));
    return define(node, {}, scope);
  }
  std::vector<bool> isSequence;
  for (Value v : inputs)
    isSequence.push_back(v.valid() && recorder.info(v).type.type == DType::Item);

  onnx::Attribute graph;
  graph.name = "body";
  graph.kind = onnx::Attribute::Kind::Graph;
  graph.graphs = {std::make_shared<onnx::Graph>(loopBody(node, *map, isSequence))};
  onnx::Attribute anyType;
  anyType.name = "dtype";
  anyType.kind = onnx::Attribute::Kind::Int;
  anyType.ints = {0};
  onnx::Node loop = made(node, "Loop", {own("count"), ""}, {});
  loop.attributes = {std::move(graph)};
  std::vector<onnx::Node> nodes = {made(node, "SequenceLength", {node.inputs[0]}, {own("count")})};
  for (size_t k = 0; k < map->outputs.size(); ++k) {
    nodes.push_back(made(node, "SequenceEmpty", {}, {own("none", k)}));
    nodes.back().attributes = {anyType};
    loop.inputs.push_back(own("none", k));
    loop.outputs.push_back(own("all", k));
  }
  nodes.push_back(std::move(loop));

  Names wanted;
  for (size_t k = 0; k < map->outputs.size(); ++k)
    wanted.insert(own("all", k));
  Scope inner = Scope::inside(scope);
  importNodes(nodes, std::move(wanted), inner);
  std::vector<Value> results;
  for (size_t k = 0; k < map->outputs.size(); ++k) {
    const Value *v = inner.find(own("all", k));
    results.push_back(v ? *v : Value{});
  }
  define(node, results, scope);
}

} // namespace imbrex::frontend
