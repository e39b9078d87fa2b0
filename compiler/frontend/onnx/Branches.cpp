// If: the branch of a constant condition in place, both branches of any other.
//
// Shape arithmetic often guards a branch that the sizes of this compilation rule out. When the
// condition itself is not constant, operands of such a branch may not fit: the model then fails
// when it runs that branch, and so does what is made of it, with the reason (operator refuse). The
// import says so in a remark, E0415. A branch that is not supported stays an error.
#include "compiler/frontend/onnx/GraphImporter.h"
#include "compiler/frontend/onnx/NodeContext.h"

#include <algorithm>

namespace imbrex::frontend {

bool GraphImporter::importBranch(const onnx::Graph &graph, const onnx::Node &node, Scope &scope,
                                 std::vector<Value> &results) {
  size_t before = problems.size();
  Scope inner;
  inner.parent = &scope;
  inner.opsets = scope.opsets;
  inner.callAttributes = scope.callAttributes;
  inner.depth = scope.depth;
  inner.expanded = scope.expanded;
  bindInitializers(graph, inner);
  importNodes(graph.nodes, inner);
  for (const auto &o : graph.outputs) {
    const Value *v = inner.find(o.name);
    if (!v && problems.size() == before) {
      ImportProblem p;
      p.kind = ErrorKind::BadInput;
      p.code = 412;
      p.reason = "its branch yields '" + o.name + "', which nothing computes";
      report(node, 0, std::move(p));
    }
    results.push_back(v ? *v : Value{});
  }
  return problems.size() == before &&
         std::ranges::all_of(results, [](Value v) { return v.valid(); });
}

static const onnx::Graph *graphAttribute(const onnx::Node &node, std::string_view name) {
  const auto *a = node.attribute(name);
  return a && a->kind == onnx::Attribute::Kind::Graph ? a->graphs[0].get() : nullptr;
}

/// One branch, recorded.
struct GraphImporter::Side {
  std::string attribute;
  Block block;
  bool good = false;
  size_t firstProblem = 0, endProblem = 0; // those that importing it reported
};

GraphImporter::Side GraphImporter::importSide(const char *attribute, const onnx::Node &node,
                                              Scope &scope) {
  Side side{attribute, {}, false, problems.size(), 0};
  std::vector<Value> results;
  recorder.openBlock();
  side.good = importBranch(*graphAttribute(node, attribute), node, scope, results);
  side.block = recorder.closeBlock();
  side.block.results = std::move(results);
  side.endProblem = problems.size();
  return side;
}

/// Makes `bad` a branch that fails when it runs and yields what `good` yields. False when it is at
/// fault in other ways than by operands that do not fit.
bool GraphImporter::endInRefusal(Side &bad, const Side &good, Value condition,
                                 const onnx::Node &node) {
  const auto first = problems.begin() + ptrdiff_t(bad.firstProblem);
  const auto end = problems.begin() + ptrdiff_t(bad.endProblem);
  if (first == end || !std::all_of(first, end, [](const auto &p) { return p.code == 413; }))
    return false;
  ImportProblem remark;
  remark.kind = ErrorKind::BadInput;
  remark.code = 415;
  remark.node = label(node);
  remark.opType = node.opType;
  remark.verdict = "fails when its " + bad.attribute + " runs";
  remark.reason = "with the sizes it is compiled for, node '" + first->node + "' (" +
                  first->opType + ") in it is not valid: " + first->reason;
  problems.erase(first, end);
  const std::string why =
      "the " + bad.attribute + " of node '" + remark.node + "' cannot run: " + remark.reason;
  remarks.push_back(std::move(remark));

  recorder.openBlock();
  std::vector<Value> results;
  for (Value v : good.block.results) {
    const auto type = recorder.info(v).type;
    std::vector<int64_t> shape;
    for (const auto &d : type.dims)
      shape.push_back(d.constant().value_or(0));
    auto made = recorder.apply("refuse", {condition},
                               attrs({{"when", int64_t(bad.attribute == "then_branch")},
                                      {"why", why},
                                      {"type", type.type},
                                      {"shape", shape}}),
                               label(node));
    if (!made) {
      ImportProblem p;
      p.kind = ErrorKind::BadInput;
      p.code = 413;
      p.reason = made.error().what + "; " + made.error().because;
      report(node, 0, std::move(p));
      break;
    }
    results.push_back(made->front());
  }
  bad.block = recorder.closeBlock();
  bad.block.results = std::move(results);
  return bad.block.results.size() == good.block.results.size();
}

void GraphImporter::importIf(const onnx::Node &node, const std::vector<Value> &inputs,
                             Scope &scope) {
  const auto *thenGraph = graphAttribute(node, "then_branch");
  const auto *elseGraph = graphAttribute(node, "else_branch");
  int64_t opset = opsetOf(*scope.opsets, "");
  ImportProblem p;
  p.kind = ErrorKind::BadInput;
  p.code = 412;
  if (!thenGraph || !elseGraph || inputs.size() != 1 || !inputs[0].valid() ||
      thenGraph->outputs.size() != elseGraph->outputs.size()) {
    p.reason =
        "it lacks a condition or a branch, or its branches yield different numbers of values";
    report(node, opset, std::move(p));
    return define(node, {}, scope);
  }
  if (const auto &c = recorder.info(inputs[0]).constant; c && c->elems() == 1) {
    // Only the branch that runs has to be supported.
    std::vector<Value> results;
    importBranch(c->toInt(0) ? *thenGraph : *elseGraph, node, scope, results);
    return define(node, results, scope);
  }
  Side yes = importSide("then_branch", node, scope), no = importSide("else_branch", node, scope);
  if (yes.good != no.good)
    yes.good = no.good = endInRefusal(yes.good ? no : yes, yes.good ? yes : no, inputs[0], node);
  if (!yes.good || !no.good)
    return define(node, {}, scope);
  auto joined =
      recorder.conditional(inputs[0], std::move(yes.block), std::move(no.block), label(node));
  if (!joined) {
    p.kind = ErrorKind::Unsupported;
    p.code = 411;
    p.reason = joined.error().what + "; " + joined.error().because;
    p.constantInputs = recorder.inputsOf(inputs[0]); // then one of the branches goes
    report(node, opset, std::move(p));
    return define(node, {}, scope);
  }
  define(node, *joined, scope);
}

} // namespace imbrex::frontend
