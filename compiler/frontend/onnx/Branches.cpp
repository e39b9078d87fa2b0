// If: the branch of a constant condition in place, both branches of any other.
//
// Shape arithmetic often guards a branch that the sizes of this compilation rule out. When the
// condition itself is not constant, operands of such a branch may not fit: the model then fails
// when it runs that branch, and so does what is made of it, with the reason (operator refuse). The
// import says so in a remark, E0415. A branch that is not supported stays an error.
// Branches whose results differ in rank or element type: see SplitTypes.cpp.
#include "compiler/frontend/onnx/GraphImporter.h"
#include "compiler/frontend/onnx/NodeContext.h"

#include <algorithm>

namespace imbrex::frontend {

bool GraphImporter::importBranch(const onnx::Graph &graph, const onnx::Node &node, Scope &scope,
                                 std::vector<Value> &results) {
  size_t before = problems.size();
  Scope inner = Scope::inside(scope);
  Names wanted;
  for (const auto &o : graph.outputs)
    wanted.insert(o.name);
  bindInitializers(graph, inner);
  importNodes(graph.nodes, std::move(wanted), inner);
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

GraphImporter::Side GraphImporter::importSide(const std::string &attribute, const onnx::Node &node,
                                              Scope &scope, const Tail &tail) {
  Side side{.attribute = attribute, .block = {}, .firstProblem = problems.size()};
  std::vector<Value> results;
  recorder.openBlock();
  side.good = importBranch(*graphAttribute(node, attribute), node, scope, results);
  if (side.good && !tail.live.empty()) {
    Scope inner = Scope::inside(scope);
    define(node, results, inner);
    importNodes(tail.nodes, tail.live, inner);
    results.clear();
    for (const std::string &name : tail.live) {
      const Value *v = inner.find(name);
      side.good &= v && v->valid();
      results.push_back(v ? *v : Value{});
    }
    side.good &= problems.size() == side.firstProblem;
  }
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
                  first->opType + ") " + bad.where + " is not valid: " + first->reason;
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

bool GraphImporter::importSides(const onnx::Node &node, Value condition, Scope &scope, Side &yes,
                                Side &no, Tail &tail) {
  const size_t remarksBefore = remarks.size();
  yes = importSide("then_branch", node, scope, tail);
  no = importSide("else_branch", node, scope, tail);
  if (auto found = yes.good && no.good ? findTail(node, yes, no, scope) : std::nullopt) {
    tail = std::move(*found);
    remarks.resize(remarksBefore);
    yes = importSide("then_branch", node, scope, tail);
    no = importSide("else_branch", node, scope, tail);
  }
  if (yes.good != no.good)
    yes.good = no.good = endInRefusal(yes.good ? no : yes, yes.good ? yes : no, condition, node);
  return yes.good && no.good;
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
  Side yes, no;
  Tail tail;
  if (!importSides(node, inputs[0], scope, yes, no, tail))
    return define(node, {}, scope);
  auto joined =
      recorder.conditional(inputs[0], std::move(yes.block), std::move(no.block), label(node));
  if (!joined) {
    p.kind = ErrorKind::Unsupported;
    p.code = 411;
    p.reason = joined.error().what + "; " + joined.error().because;
    p.constantInputs = recorder.inputsOf(inputs[0]); // then one of the branches goes
    p.remedy = "fixing the sizes that the condition depends on, with --dim, or a model that "
               "declares the ranks of its outputs";
    report(node, opset, std::move(p));
    return define(node, {}, scope);
  }
  if (tail.live.empty())
    return define(node, *joined, scope);
  size_t k = 0;
  for (const std::string &name : tail.live)
    scope.values.emplace(name, (*joined)[k++]);
}

} // namespace imbrex::frontend
