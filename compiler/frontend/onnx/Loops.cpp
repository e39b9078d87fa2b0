// Scan and Loop, unrolled where the number of runs is known when importing. A body is imported anew
// for each run, so that what depends on the iteration's number folds.
#include "compiler/frontend/onnx/GraphImporter.h"
#include "compiler/frontend/onnx/NodeContext.h"

namespace imbrex::frontend {
namespace {

/// Bodies of more runs make graphs too large to unroll.
constexpr int64_t kMaxRuns = 1024;

const onnx::Graph *bodyOf(const onnx::Node &node) {
  const auto *a = node.attribute("body");
  return a && a->kind == onnx::Attribute::Kind::Graph ? a->graphs[0].get() : nullptr;
}

/// The collected values of all runs along a new axis.
Value stacked(NodeContext &n, const std::vector<Value> &runs, int64_t axis) {
  std::vector<Value> parts;
  for (Value v : runs)
    parts.push_back(n.unsqueeze(v, {axis}));
  return n.concat(parts, axis);
}

/// What a Scan's attributes say.
struct ScanForm {
  size_t scanned = 0, states = 0, collected = 0;
  std::vector<int64_t> inAxes, inReversed, outAxes, outReversed;
};

std::optional<ScanForm> scanForm(NodeContext &n, const onnx::Graph &body, size_t inputs) {
  ScanForm f;
  int64_t scanned = n.i("num_scan_inputs", 0);
  if (scanned <= 0 || size_t(scanned) > inputs || body.inputs.size() != inputs) {
    n.invalid("its body takes " + std::to_string(body.inputs.size()) + " values, not " +
              std::to_string(inputs));
    return std::nullopt;
  }
  f.scanned = size_t(scanned);
  f.states = inputs - f.scanned;
  if (body.outputs.size() < f.states) {
    n.invalid("its body yields fewer values than it has states");
    return std::nullopt;
  }
  f.collected = body.outputs.size() - f.states;
  f.inAxes = n.is("scan_input_axes"), f.inReversed = n.is("scan_input_directions");
  f.outAxes = n.is("scan_output_axes"), f.outReversed = n.is("scan_output_directions");
  f.inAxes.resize(f.scanned, 0), f.inReversed.resize(f.scanned, 0);
  f.outAxes.resize(f.collected, 0), f.outReversed.resize(f.collected, 0);
  return f;
}

/// How often the body runs: the common size of the scanned axes.
std::optional<int64_t> runsOf(NodeContext &n, ScanForm &f, const std::vector<Value> &inputs) {
  std::optional<int64_t> runs;
  for (size_t k = 0; k < f.scanned; ++k) {
    Value x = inputs[f.states + k];
    f.inAxes[k] = n.axis(f.inAxes[k], n.rank(x));
    auto size = n.failed() ? std::nullopt : n.dims(x)[size_t(f.inAxes[k])].constant();
    if (!size || *size == 0 || *size > kMaxRuns || (runs && *runs != *size)) {
      n.unsupported("the length of its sequence is not fixed, is 0, or is above " +
                        std::to_string(kMaxRuns),
                    "fixing it with --dim or --input-shape");
      return std::nullopt;
    }
    runs = size;
  }
  return runs;
}

} // namespace

bool GraphImporter::importBody(const onnx::Graph &body, const std::vector<Value> &arguments,
                               const onnx::Node &node, Scope &scope, std::vector<Value> &results) {
  Scope inner;
  inner.parent = &scope;
  inner.opsets = scope.opsets;
  inner.callAttributes = scope.callAttributes;
  inner.depth = scope.depth;
  inner.expanded = true;
  for (size_t k = 0; k < body.inputs.size() && k < arguments.size(); ++k)
    inner.values[body.inputs[k].name] = arguments[k];
  results.clear();
  return importBranch(body, node, inner, results);
}

void GraphImporter::importScan(const onnx::Node &node, const std::vector<Value> &inputs,
                               Scope &scope) {
  NodeContext n(recorder, node, inputs, 9);
  const auto *body = bodyOf(node);
  auto fail = [&] {
    if (n.failed())
      report(node, 0, *n.failure());
    define(node, {}, scope);
  };
  if (!body) {
    n.invalid("it has no body");
    return fail();
  }
  auto form = scanForm(n, *body, inputs.size());
  auto runs = form ? runsOf(n, *form, inputs) : std::nullopt;
  if (!runs)
    return fail();
  std::vector<Value> states(inputs.begin(), inputs.begin() + ptrdiff_t(form->states)), results;
  std::vector<std::vector<Value>> collected(form->collected, std::vector<Value>(size_t(*runs)));
  for (int64_t t = 0; t < *runs; ++t) {
    auto arguments = states;
    for (size_t k = 0; k < form->scanned; ++k) {
      int64_t at = form->inReversed[k] ? *runs - 1 - t : t, axis = form->inAxes[k];
      arguments.push_back(n.squeeze(n.slice(inputs[form->states + k], axis, at, at + 1), {axis}));
    }
    if (n.failed() || !importBody(*body, arguments, node, scope, results))
      return fail();
    states.assign(results.begin(), results.begin() + ptrdiff_t(form->states));
    for (size_t k = 0; k < form->collected; ++k)
      collected[k][size_t(form->outReversed[k] ? *runs - 1 - t : t)] = results[form->states + k];
  }
  for (size_t k = 0; k < form->collected; ++k) {
    int64_t rank = n.rank(collected[k][0]) + 1;
    states.push_back(stacked(n, collected[k], n.axis(form->outAxes[k], rank)));
  }
  n.failed() ? fail() : define(node, states, scope);
}

void GraphImporter::importLoop(const onnx::Node &node, const std::vector<Value> &inputs,
                               Scope &scope) {
  NodeContext n(recorder, node, inputs, 11);
  const auto *body = bodyOf(node);
  auto fail = [&] {
    if (n.failed())
      report(node, 0, *n.failure());
    define(node, {}, scope);
  };
  if (!body || inputs.size() < 2 || body->inputs.size() != inputs.size() ||
      body->outputs.size() < inputs.size() - 1) {
    n.invalid("its body does not take and yield what the loop carries");
    return fail();
  }
  n.needConstant(0, "number of runs");
  n.needConstant(1, "first condition");
  if (n.failed())
    return fail();
  int64_t limit = n.has(0) ? n.constantOf(n.in(0))->toInt(0) : INT64_MAX;
  bool go = !n.has(1) || n.constantOf(n.in(1))->toInt(0) != 0;
  std::vector<Value> states(inputs.begin() + 2, inputs.end()), results;
  std::vector<std::vector<Value>> collected(body->outputs.size() - 1 - states.size());
  for (int64_t t = 0; go && t < limit; ++t) {
    if (t == kMaxRuns) {
      n.unsupported("it runs more than " + std::to_string(kMaxRuns) + " times");
      return fail();
    }
    std::vector<Value> arguments = {n.scalar(double(t), DType::I64), n.scalar(1, DType::Bool)};
    arguments.insert(arguments.end(), states.begin(), states.end());
    if (!importBody(*body, arguments, node, scope, results))
      return fail();
    const auto *next = n.constantOf(results[0]);
    if (!next) {
      n.unsupported("when it ends depends on data");
      return fail();
    }
    go = next->toInt(0) != 0;
    states.assign(results.begin() + 1, results.begin() + 1 + ptrdiff_t(states.size()));
    for (size_t k = 0; k < collected.size(); ++k)
      collected[k].push_back(results[1 + states.size() + k]);
  }
  for (const auto &runs : collected) {
    if (runs.empty()) {
      n.unsupported("it collects the values of no run");
      return fail();
    }
    states.push_back(stacked(n, runs, 0));
  }
  n.failed() ? fail() : define(node, states, scope);
}

} // namespace imbrex::frontend
