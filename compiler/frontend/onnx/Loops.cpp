// Scan and Loop. A few runs, known when importing, are unrolled: the body is imported anew for
// each, so that what depends on the iteration's number folds. Others become a relay.loop, which
// carries the iteration's number, whether to go on, the states, and for each collected value a
// tensor of the rows so far: of its final length where that is known at entry, else growing by a
// row a run.
#include "compiler/frontend/onnx/Converters.h"
#include "compiler/frontend/onnx/GraphImporter.h"
#include "compiler/frontend/onnx/NodeContext.h"

namespace imbrex::frontend {

/// What a Scan's attributes say.
struct ScanForm {
  size_t scanned = 0, states = 0, collected = 0;
  std::vector<int64_t> inAxes, inReversed, outAxes, outReversed;
};

namespace {

/// So many runs are unrolled at most, where nothing else stands against it.
constexpr int64_t kMaxUnrolled = 8;

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

/// How often the body runs: the size of the scanned axes, which is made the same for all.
std::optional<DimExpr> runsOf(NodeContext &n, ScanForm &f, std::vector<Value> &inputs) {
  std::optional<DimExpr> runs;
  for (size_t k = 0; k < f.scanned; ++k) {
    Value &x = inputs[f.states + k];
    f.inAxes[k] = n.axis(f.inAxes[k], n.rank(x));
    if (n.failed())
      return std::nullopt;
    auto shape = n.dims(x);
    DimExpr &size = shape[size_t(f.inAxes[k])];
    if (!runs)
      runs = size;
    if (size == *runs)
      continue;
    size = *runs;
    x = n.reshapeTo(x, shape); // fails, at the latest when it runs, where they differ
  }
  return n.failed() ? std::nullopt : runs;
}

/// A bool or an integer of one element, as rank 0.
Value scalarOf(NodeContext &n, Value v) { return n.rank(v) == 0 ? v : n.reshape(v, {}); }

/// The row of x along an axis at a place that lies within it.
Value rowOf(NodeContext &n, Value x, Value at, int64_t axis) {
  return n.apply("gather", {x, at}, attrs({{"axis", axis}, {"clamp", int64_t(1)}}));
}

/// Rows along axis 0 as slices along `axis`, in the order asked for.
Value collectedAlong(NodeContext &n, Value rows, int64_t axis, bool backwards) {
  if (backwards)
    rows = n.apply("slice", {rows, n.intVector({-1}), n.intVector({INT64_MIN}), n.intVector({0}),
                             n.intVector({-1})});
  axis = n.axis(axis, n.rank(rows));
  if (axis == 0)
    return rows;
  std::vector<int64_t> order;
  for (int64_t k = 1; k < n.rank(rows); ++k)
    order.push_back(k);
  order.insert(order.begin() + axis, 0);
  return n.transpose(rows, order);
}

/// A tensor for `count` rows of v's type.
Value room(NodeContext &n, Value v, const DimExpr &count) {
  std::vector<DimExpr> shape = n.dims(v);
  shape.insert(shape.begin(), count);
  return n.filled(0, n.dtype(v), shape);
}

} // namespace

bool GraphImporter::importBody(const onnx::Graph &body, const std::vector<Value> &arguments,
                               const onnx::Node &node, Scope &scope, std::vector<Value> &results) {
  Scope inner = Scope::inside(scope);
  inner.expanded = true;
  for (size_t k = 0; k < body.inputs.size() && k < arguments.size(); ++k)
    inner.values[body.inputs[k].name] = arguments[k];
  results.clear();
  return importBranch(body, node, inner, results);
}

std::optional<std::vector<Value>> GraphImporter::dryRun(const onnx::Graph &body,
                                                        const std::vector<Value> &arguments,
                                                        const onnx::Node &node, Scope &scope) {
  std::vector<Value> results;
  recorder.openBlock();
  bool good = importBody(body, arguments, node, scope, results);
  (void)recorder.closeBlock();
  return good ? std::optional(results) : std::nullopt;
}

/// The results of a Scan as a loop; none after a problem.
std::vector<Value> GraphImporter::scanLoop(NodeContext &n, const onnx::Graph &body,
                                           const ScanForm &form, const DimExpr &length,
                                           const std::vector<Value> &inputs, const onnx::Node &node,
                                           Scope &scope) {
  const size_t problemsBefore = problems.size(), states = form.states;
  Value count = n.size(length), one = n.scalar(1, DType::I64);
  auto argumentsAt = [&](Value i, std::vector<Value> carried) {
    carried.resize(states);
    for (size_t k = 0; k < form.scanned; ++k) {
      Value at = form.inReversed[k] ? n.apply("sub", {n.apply("sub", {count, one}), i}) : i;
      carried.push_back(rowOf(n, inputs[states + k], at, form.inAxes[k]));
    }
    return carried;
  };
  recorder.openBlock();
  auto first = argumentsAt(n.scalar(0, DType::I64), inputs);
  auto tried = n.failed() ? std::nullopt : dryRun(body, first, node, scope);
  (void)recorder.closeBlock();
  if (!tried)
    return {};
  std::vector<Value> carried(inputs.begin(), inputs.begin() + ptrdiff_t(states));
  for (size_t k = 0; k < form.collected; ++k)
    carried.push_back(room(n, (*tried)[states + k], length));
  carried.push_back(n.scalar(0, DType::I64));
  auto ran = n.loop(
      carried, [&](const std::vector<Value> &v) { return n.apply("less", {v.back(), count}); },
      [&](const std::vector<Value> &v) {
        std::vector<Value> results;
        problems.resize(problemsBefore);
        if (!importBody(body, argumentsAt(v.back(), v), node, scope, results)) {
          n.unsupported("its body is not supported");
          return results;
        }
        for (size_t k = 0; k < form.collected; ++k)
          results[states + k] =
              n.apply("write_row", {v[states + k], results[states + k], v.back()});
        results.push_back(n.apply("add", {v.back(), one}));
        return results;
      });
  if (problems.size() > problemsBefore)
    return {};
  ran.pop_back();
  for (size_t k = 0; k < form.collected; ++k)
    ran[states + k] = collectedAlong(n, ran[states + k], form.outAxes[k], form.outReversed[k] != 0);
  return n.failed() ? std::vector<Value>{} : ran;
}

void GraphImporter::importScan(const onnx::Node &node, std::vector<Value> inputs, Scope &scope) {
  NodeContext n(recorder, node, inputs, 9);
  const auto *body = bodyOf(node);
  const size_t before = problems.size();
  auto fail = [&] {
    if (n.failed() && problems.size() == before) // else its body's node is named already
      report(node, 0, *n.failure());
    define(node, {}, scope);
  };
  if (!body) {
    n.invalid("it has no body");
    return fail();
  }
  auto form = scanForm(n, *body, inputs.size());
  auto length = form ? runsOf(n, *form, inputs) : std::nullopt;
  if (!length)
    return fail();
  auto runs = length->constant();
  if (!runs || *runs == 0 || *runs > kMaxUnrolled) {
    auto results = scanLoop(n, *body, *form, *length, inputs, node, scope);
    return results.empty() ? fail() : define(node, results, scope);
  }
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

/// Operator set 8: all operands have a batch in front, and a length for each of its parts. One part
/// is a Scan without these; where the batch is open, a run with more parts is refused.
void GraphImporter::importScan8(const onnx::Node &node, std::vector<Value> inputs, Scope &scope) {
  NodeContext n(recorder, node, inputs, 8);
  const size_t before = problems.size();
  bool single = inputs.size() > 1 && !inputs[0].valid() && !n.hasAttr("directions");
  for (size_t k = 1; single && k < inputs.size(); ++k)
    single = n.rank(inputs[k]) > 0 && n.dims(inputs[k])[0].constant().value_or(1) == 1;
  if (!single)
    n.unsupported("batches of more than one part, lengths and directions are not supported",
                  "exporting with operator set 9 or later");
  onnx::Node inner = node;
  for (auto &name : inner.outputs)
    if (!name.empty())
      name += "\x01";
  Scope own = Scope::inside(scope);
  std::vector<Value> parts, results;
  for (size_t k = 1; k < inputs.size() && !n.failed(); ++k)
    parts.push_back(n.squeeze(inputs[k], {0}));
  if (!n.failed()) {
    importScan(inner, parts, own);
    for (const auto &name : inner.outputs) {
      const Value *v = name.empty() ? nullptr : own.find(name);
      results.push_back(v && v->valid() ? n.unsqueeze(*v, {0}) : Value{});
    }
  }
  if (n.failed() && problems.size() == before)
    report(node, 8, *n.failure());
  define(node, n.failed() ? std::vector<Value>{} : results, scope);
}

/// Whether a state is an optional of sequences at first and a sequence after a run. It is carried
/// as an optional; a loop that runs no time must not leave it empty.
static bool becomesSequence(const Recorder &r, Value before, Value after) {
  const Container *a = r.info(before).container.get(), *b = r.info(after).container.get();
  return a && b && a->kind == Container::Kind::Optional && a->inner &&
         a->inner->kind == Container::Kind::Sequence && b->kind == Container::Kind::Sequence;
}

/// The results of a Loop as a relay.loop; none after a problem.
std::vector<Value> GraphImporter::openLoop(NodeContext &n, const onnx::Graph &body,
                                           const std::vector<Value> &inputs, const onnx::Node &node,
                                           Scope &scope) {
  const size_t problemsBefore = problems.size(), states = inputs.size() - 2;
  Value limit = inputs[0].valid() ? n.cast(scalarOf(n, inputs[0]), DType::I64) : Value{};
  Value start = inputs[1].valid() ? scalarOf(n, inputs[1]) : n.scalar(1, DType::Bool);
  Value one = n.scalar(1, DType::I64), yes = n.scalar(1, DType::Bool);
  auto argumentsAt = [&](const std::vector<Value> &v) { // of the body: number, condition, states
    std::vector<Value> arguments = {v[0], yes};
    arguments.insert(arguments.end(), v.begin() + 2, v.begin() + 2 + ptrdiff_t(states));
    return arguments;
  };
  std::vector<Value> carried = {n.scalar(0, DType::I64), start};
  carried.insert(carried.end(), inputs.begin() + 2, inputs.end());
  const size_t collected = body.outputs.size() - 1 - states;
  if (collected) { // what is collected has the type that the body gives it
    auto tried = n.failed() ? std::nullopt : dryRun(body, argumentsAt(carried), node, scope);
    if (!tried)
      return {};
    for (size_t k = 0; k < collected; ++k)
      carried.push_back(room(n, (*tried)[1 + states + k], 0));
  }
  std::vector<bool> wrapped(states);
  auto ran = n.loop(
      carried,
      [&](const std::vector<Value> &v) {
        return limit.valid() ? n.apply("and", {v[1], n.apply("less", {v[0], limit})}) : v[1];
      },
      [&](const std::vector<Value> &v) {
        std::vector<Value> results;
        problems.resize(problemsBefore);
        if (!importBody(body, argumentsAt(v), node, scope, results)) {
          n.unsupported("its body is not supported");
          return results;
        }
        results[0] = scalarOf(n, results[0]);
        for (size_t k = 0; k < states; ++k)
          if ((wrapped[k] = becomesSequence(recorder, v[2 + k], results[1 + k])))
            results[1 + k] = optionalOf(n, results[1 + k]);
        for (size_t k = 1 + states; k < results.size(); ++k)
          results[k] = n.apply("append_row", {v[k + 1], results[k]});
        results.insert(results.begin(), n.apply("add", {v[0], one}));
        return results;
      });
  for (size_t k = 0; k < states && !n.failed(); ++k)
    if (wrapped[k])
      ran[2 + k] = elementOfOptional(n, ran[2 + k]);
  if (problems.size() > problemsBefore || n.failed())
    return {};
  return {ran.begin() + 2, ran.end()};
}

void GraphImporter::importLoop(const onnx::Node &node, const std::vector<Value> &inputs,
                               Scope &scope) {
  NodeContext n(recorder, node, inputs, 11);
  const auto *body = bodyOf(node);
  const size_t before = problems.size();
  auto fail = [&] {
    if (n.failed() && problems.size() == before) // else its body's node is named already
      report(node, 0, *n.failure());
    define(node, {}, scope);
  };
  if (!body || inputs.size() < 2 || body->inputs.size() != inputs.size() ||
      body->outputs.size() < inputs.size() - 1) {
    n.invalid("its body does not take and yield what the loop carries");
    return fail();
  }
  auto results = unrolledLoop(n, *body, inputs, node, scope);
  if (!results)
    results = openLoop(n, *body, inputs, node, scope);
  results->empty() && !node.outputs.empty() ? fail() : define(node, *results, scope);
}

/// The results of a Loop of a few runs, known when importing; none after a problem, and nothing for
/// any other loop.
std::optional<std::vector<Value>> GraphImporter::unrolledLoop(NodeContext &n,
                                                              const onnx::Graph &body,
                                                              const std::vector<Value> &inputs,
                                                              const onnx::Node &node,
                                                              Scope &scope) {
  const auto *count = n.constantOf(inputs[0]), *first = n.constantOf(inputs[1]);
  if ((inputs[0].valid() && !count) || (inputs[1].valid() && !first))
    return std::nullopt;
  const int64_t limit = count ? count->toInt(0) : INT64_MAX;
  bool go = !first || first->toInt(0) != 0;
  std::vector<Value> states(inputs.begin() + 2, inputs.end()), results;
  std::vector<std::vector<Value>> collected(body.outputs.size() - 1 - states.size());
  recorder.openBlock(); // kept only if it is unrolled
  auto giveUp = [&] {
    (void)recorder.closeBlock();
    return std::nullopt;
  };
  for (int64_t t = 0; go && t < limit; ++t) {
    std::vector<Value> arguments = {n.scalar(double(t), DType::I64), n.scalar(1, DType::Bool)};
    arguments.insert(arguments.end(), states.begin(), states.end());
    if (t == kMaxUnrolled)
      return giveUp();
    if (!importBody(body, arguments, node, scope, results)) {
      (void)recorder.closeBlock();
      return std::vector<Value>{};
    }
    const auto *next = n.constantOf(results[0]);
    if (!next)
      return giveUp();
    go = next->toInt(0) != 0;
    states.assign(results.begin() + 1, results.begin() + 1 + ptrdiff_t(states.size()));
    for (size_t k = 0; k < collected.size(); ++k)
      collected[k].push_back(results[1 + states.size() + k]);
  }
  for (const auto &runs : collected) {
    if (runs.empty())
      return giveUp();
    states.push_back(stacked(n, runs, 0));
  }
  recorder.keepBlock();
  return n.failed() ? std::vector<Value>{} : states;
}

} // namespace imbrex::frontend
