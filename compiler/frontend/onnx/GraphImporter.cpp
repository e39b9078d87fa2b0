#include "compiler/frontend/onnx/GraphImporter.h"

#include "compiler/frontend/onnx/Converters.h"
#include "support/customops/CustomOps.h"

#include <algorithm>
#include <tuple>

namespace imbrex::frontend {

/// Functions call functions at most this deep: a cycle would never end.
static constexpr int kMaxCallDepth = 32;
/// Bodies of loops and functions are imported once for each run or call, and nested ones multiply:
/// this many nodes may come of them in all.
static constexpr int64_t kMaxExpandedNodes = 1 << 15;
/// The newest operator set whose changes are known here.
static constexpr int64_t kNewestOpset = 28;
/// A function's optional operand that the call leaves out; an invalid value is one that a problem
/// blocks.
static constexpr Value kAbsent{-2};

const Value *GraphImporter::Scope::find(std::string_view name) const {
  for (const Scope *s = this; s; s = s->parent)
    if (auto it = s->values.find(name); it != s->values.end())
      return &it->second;
  return nullptr;
}

std::string GraphImporter::label(const onnx::Node &node) {
  if (!node.name.empty())
    return node.name;
  for (const auto &o : node.outputs)
    if (!o.empty())
      return o;
  return "?";
}

void GraphImporter::report(const onnx::Node &node, int64_t opset, ImportProblem problem) {
  problem.node = label(node);
  problem.opType = node.opType;
  problem.domain = node.domain;
  problem.opset = opset;
  problems.push_back(std::move(problem));
}

// --- Nodes
// --------------------------------------------------------------------------------------------------

void GraphImporter::define(const onnx::Node &node, const std::vector<Value> &results,
                           Scope &scope) {
  for (size_t k = 0; k < node.outputs.size(); ++k) {
    if (node.outputs[k].empty())
      continue;
    Value v = k < results.size() ? results[k] : Value{};
    if (!scope.values.emplace(node.outputs[k], v).second) {
      ImportProblem p;
      p.kind = ErrorKind::BadInput;
      p.code = 412;
      p.reason = "'" + node.outputs[k] + "' is computed twice";
      report(node, 0, std::move(p));
    }
  }
}

int64_t GraphImporter::opsetOf(const onnx::Opsets &opsets, const std::string &domain) {
  auto it = opsets.find(domain);
  return it == opsets.end() ? 0 : it->second;
}

const onnx::Function *GraphImporter::findFunction(const onnx::Node &node) const {
  auto it = std::ranges::find_if(model.functions, [&](const onnx::Function &f) {
    return f.name == node.opType && f.domain == node.domain && f.overload == node.overload;
  });
  return it == model.functions.end() ? nullptr : &*it;
}

GraphImporter::Scope GraphImporter::Scope::inside(const Scope &outer) {
  Scope inner;
  inner.parent = &outer;
  inner.opsets = outer.opsets;
  inner.callAttributes = outer.callAttributes;
  inner.depth = outer.depth;
  inner.expanded = outer.expanded;
  return inner;
}

void GraphImporter::importNodes(const std::vector<onnx::Node> &nodes, Names wanted, Scope &scope) {
  Nodes all;
  for (const auto &node : nodes)
    all.push_back(&node);
  importNodes(all, std::move(wanted), scope);
}

void GraphImporter::importNodes(const Nodes &nodes, Names wanted, Scope &scope) {
  scope.wanted = std::move(wanted);
  for (size_t i = 0; i < nodes.size(); ++i) {
    scope.rest = std::span(nodes).subspan(i + 1);
    if (!scope.done.contains(nodes[i]))
      importNode(*nodes[i], scope);
  }
  scope.rest = {};
}

/// A node of a function refers to attributes of the call; here they are put in.
static onnx::Node resolved(const onnx::Node &node, const std::vector<onnx::Attribute> *call) {
  onnx::Node out = node;
  out.attributes.clear();
  for (const auto &a : node.attributes) {
    if (a.reference.empty()) {
      out.attributes.push_back(a);
      continue;
    }
    if (!call)
      continue;
    auto it = std::ranges::find(*call, a.reference, &onnx::Attribute::name);
    if (it == call->end())
      continue; // not given and without default: the operator's own default holds
    out.attributes.push_back(*it);
    out.attributes.back().name = a.name;
  }
  return out;
}

static bool hasReferences(const onnx::Node &node) {
  return std::ranges::any_of(node.attributes,
                             [](const onnx::Attribute &a) { return !a.reference.empty(); });
}

bool GraphImporter::withinBudget(const onnx::Node &node, const Scope &scope) {
  if (!scope.expanded || ++expandedNodes <= kMaxExpandedNodes)
    return true;
  if (expandedNodes == kMaxExpandedNodes + 1) {
    ImportProblem p;
    p.code = 411;
    p.verdict = "makes the model too large";
    p.reason = "loops, functions and what follows branches of different ranks, unrolled, come to "
               "more than " +
               std::to_string(kMaxExpandedNodes) + " nodes";
    p.remedy = "a model with fewer or shorter nested loops";
    report(node, 0, std::move(p));
  }
  return false;
}

/// Operators that run graphs have no converter.
static bool hasGraphs(const onnx::Node &node) {
  return node.domain == "ai.onnx.preview"
             ? node.opType == "FlexAttention"
             : node.domain.empty() && (node.opType == "If" || node.opType == "Scan" ||
                                       node.opType == "Loop" || node.opType == "SequenceMap");
}

static std::string fullName(const onnx::Node &node) {
  return node.domain.empty() ? node.opType : node.domain + "." + node.opType;
}

/// In any operator set.
static bool isKnown(const onnx::Node &node, int64_t opset) {
  int64_t first = 0;
  return findConverter(fullName(node), opset, first) || first ||
         customops::functionFor(node.domain, node.opType, std::max<int64_t>(opset, 1));
}

static bool tooNew(const onnx::Node &node, int64_t opset) {
  return node.domain.empty() && opset > kNewestOpset;
}

/// `first` is the operator set from which on there is a converter; 0 where there is none.
static ImportProblem unsupportedOperator(const onnx::Node &node, int64_t opset, int64_t first) {
  ImportProblem p;
  const bool ours = node.domain.empty() || node.domain.starts_with("ai.onnx.");
  const std::string newest = std::to_string(kNewestOpset);
  if (tooNew(node, opset)) {
    p.reason = "operator sets above " + newest + " are not known yet";
    p.remedy = "exporting with operator set " + newest;
  } else if (first) {
    p.reason = "it is supported from operator set " + std::to_string(first) + " on";
    p.remedy = "exporting with a newer operator set";
  } else {
    p.reason = ours ? "this operator is not supported"
                    : "operators of domain '" + node.domain + "' are not supported";
    p.remedy = fullName(node) == "ai.onnx.preview.training.Gradient"
                   ? "training with the tools that made the model"
                   : "a library that has it, with --custom-ops";
  }
  return p;
}

void GraphImporter::importNode(const onnx::Node &given, Scope &scope) {
  if (!withinBudget(given, scope))
    return define(given, {}, scope);
  onnx::Node own;
  const onnx::Node *node = &given;
  if (hasReferences(given)) {
    own = resolved(given, scope.callAttributes);
    node = &own;
  }
  std::vector<Value> inputs;
  bool blocked = false;
  int64_t opset = opsetOf(*scope.opsets, node->domain);
  for (const auto &name : node->inputs) {
    if (name.empty()) {
      inputs.emplace_back();
      continue;
    }
    const Value *v = scope.find(name);
    if (!v) {
      ImportProblem p;
      p.kind = ErrorKind::BadInput;
      p.code = 412;
      p.reason = "it reads '" + name + "', which nothing before it computes";
      report(*node, opset, std::move(p));
    }
    bool absent = v && *v == kAbsent;
    blocked |= !absent && (!v || !v->valid());
    inputs.push_back(v && !absent ? *v : Value{});
  }
  if (const auto *function = findFunction(*node)) {
    if (blocked)
      return define(*node, {}, scope);
    return importCall(*function, *node, inputs, scope);
  }
  if (blocked) {
    // An unknown operator is worth naming even where its operands are missing.
    if (!hasGraphs(*node) && !isKnown(*node, opset))
      report(*node, opset, unsupportedOperator(*node, opset, 0));
    return define(*node, {}, scope);
  }
  if (node->domain.empty() && node->opType == "If")
    return importIf(*node, inputs, scope);
  if (node->domain.empty() && node->opType == "Scan" && opset >= 9)
    return importScan(*node, inputs, scope);
  if (node->domain.empty() && node->opType == "Loop")
    return importLoop(*node, inputs, scope);
  if (node->domain.empty() && node->opType == "Scan" && opset == 8)
    return importScan8(*node, std::move(inputs), scope);
  if (node->domain == "ai.onnx.preview" && node->opType == "FlexAttention")
    return importFlexAttention(*node, inputs, scope);
  if (node->domain.empty() && node->opType == "SequenceMap")
    return importSequenceMap(*node, inputs, scope);
  convert(*node, std::move(inputs), opset, scope);
}

std::vector<std::optional<int64_t>> GraphImporter::declaredRanks(const onnx::Node &node,
                                                                 const Scope &scope) const {
  std::vector<std::optional<int64_t>> declared(node.outputs.size());
  if (scope.depth > 0 || scope.parent)
    return declared;
  for (size_t k = 0; k < node.outputs.size(); ++k)
    if (auto it = ranks.find(node.outputs[k]); it != ranks.end())
      declared[k] = it->second;
  return declared;
}

void GraphImporter::convert(const onnx::Node &node, std::vector<Value> inputs, int64_t opset,
                            Scope &scope) {
  int64_t first = 0;
  const ConverterRow *row =
      tooNew(node, opset) ? nullptr : findConverter(fullName(node), opset, first);
  const auto custom =
      row ? std::nullopt
          : customops::functionFor(node.domain, node.opType, std::max<int64_t>(opset, 1));
  if (!row && !custom) {
    report(node, opset, unsupportedOperator(node, opset, first));
    return define(node, {}, scope);
  }
  NodeContext context(recorder, node, std::move(inputs), opset);
  context.declareRanks(declaredRanks(node, scope));
  row ? row->convert(context) : convertCustom(context, *custom);
  if (context.failed()) {
    report(node, opset, *context.failure());
    return define(node, {}, scope);
  }
  auto results = context.takeResults();
  for (size_t k = 0; k < node.outputs.size(); ++k)
    if (!node.outputs[k].empty() && (k >= results.size() || !results[k].valid())) {
      ImportProblem p;
      p.code = 411;
      p.reason = "its output " + std::to_string(k) + " is not supported";
      report(node, opset, std::move(p));
      break;
    }
  define(node, results, scope);
}

// --- Graphs inside nodes
// ------------------------------------------------------------------------------------

void GraphImporter::importCall(const onnx::Function &function, const onnx::Node &node,
                               const std::vector<Value> &inputs, Scope &scope) {
  ImportProblem p;
  p.kind = ErrorKind::BadInput;
  p.code = 412;
  if (scope.depth >= kMaxCallDepth) {
    p.reason = "functions call each other more than " + std::to_string(kMaxCallDepth) + " deep";
    report(node, 0, std::move(p));
    return define(node, {}, scope);
  }
  std::vector<onnx::Attribute> call = node.attributes;
  for (const auto &d : function.defaults)
    if (!node.attribute(d.name))
      call.push_back(d);
  Scope inner; // a function sees its own names only
  inner.opsets = function.opsets.empty() ? scope.opsets : &function.opsets;
  inner.callAttributes = &call;
  inner.depth = scope.depth + 1;
  inner.expanded = true;
  for (size_t k = 0; k < function.inputs.size(); ++k)
    inner.values[function.inputs[k]] = k < inputs.size() && inputs[k].valid() ? inputs[k] : kAbsent;
  importNodes(function.nodes, {function.outputs.begin(), function.outputs.end()}, inner);
  std::vector<Value> results;
  for (const auto &name : function.outputs) {
    const Value *v = inner.find(name);
    results.push_back(v ? *v : Value{});
  }
  define(node, results, scope);
}

// --- The whole
// ----------------------------------------------------------------------------------------------

Error ImportProblem::toError(const std::string &file) const {
  Error e;
  e.kind = kind;
  e.code = code;
  e.what = "node '" + node + "': " + (domain.empty() ? "" : domain + ".") + opType;
  if (opset)
    e.what += " (operator set " + std::to_string(opset) + ")";
  if (!attribute.empty())
    e.what += ", attribute '" + attribute + "'";
  e.what += " " + (!verdict.empty()                 ? verdict
                   : kind == ErrorKind::Unsupported ? "is not supported"
                                                    : "is not valid");
  e.because = reason;
  e.remedy = remedy;
  e.where.file = file;
  return e;
}

Error GraphImporter::summary() const {
  Error e;
  bool bad = std::ranges::any_of(
      problems, [](const ImportProblem &p) { return p.kind == ErrorKind::BadInput; });
  e.kind = bad ? ErrorKind::BadInput : ErrorKind::Unsupported;
  e.code = 400;
  e.what = "the model cannot be imported";
  e.because = problems.size() == 1
                  ? problems[0].toError().str()
                  : std::to_string(problems.size()) +
                        " nodes are at fault, the first: " + problems[0].toError().str();
  return e;
}

/// What follows branches of different ranks is imported more than once, and so may be reported.
static void dropRepeated(ImportProblems &problems) {
  std::set<std::tuple<std::string, std::string, int32_t, std::string>> seen;
  std::erase_if(problems, [&](const ImportProblem &p) {
    return !seen.emplace(p.node, p.opType, p.code, p.reason).second;
  });
}

Result<Recording> GraphImporter::run() {
  Scope scope;
  scope.opsets = &model.opsets;
  for (const auto *declared : {&model.graph.valueInfos, &model.graph.outputs})
    for (const auto &v : *declared)
      if (v.type.kind == onnx::ValueType::Kind::Tensor &&
          v.type.shape == onnx::ValueType::Shape::Known)
        ranks[v.name] = static_cast<int64_t>(v.type.dims.size());
  if (auto good = checkOptions(); !good)
    return good.takeError();
  if (auto done = bindInputs(scope); !done)
    return done.takeError();
  bindInitializers(model.graph, scope);
  Names wanted;
  for (const auto &o : model.graph.outputs)
    wanted.insert(o.name);
  importNodes(model.graph.nodes, std::move(wanted), scope);
  for (const auto &o : model.graph.outputs) {
    const Value *v = scope.find(o.name);
    if (!v && problems.empty())
      return badInput(412, "output '" + o.name + "' is never computed",
                      "no node, input or weight has that name", "exporting the model again");
    if (v && v->valid()) {
      if (auto fits = checkOutput(o, *v); !fits && problems.empty())
        return fits.takeError();
      recorder.output(o.name, *v);
    } else if (problems.empty()) {
      return internalError(414, "the import lost output '" + o.name + "'");
    }
  }
  dropRepeated(problems);
  if (!problems.empty())
    return summary();
  problems = std::move(remarks);
  return recorder.finish();
}

Result<Recording> record(const onnx::Model &model, const ImportOptions &options,
                         ImportProblems &problems) {
  return GraphImporter(model, options, problems).run();
}

} // namespace imbrex::frontend
