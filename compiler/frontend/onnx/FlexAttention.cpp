// FlexAttention of the preview domain: attention with graphs of the model between its steps.
//
//   scores = score_mod(cast(q * r @ (k * r)^T, p)),  r = sqrt(scale)
//   y = cast(prob_mod(softmax(scores)) @ cast(v, p))
#include "compiler/frontend/onnx/GraphImporter.h"
#include "compiler/frontend/onnx/NodeContext.h"

#include <cmath>

namespace imbrex::frontend {

/// The value through a graph attribute of one input and output; itself where there is none.
Value GraphImporter::modified(NodeContext &n, const char *attribute, Value v,
                              const onnx::Node &node, Scope &scope) {
  const auto *a = node.attribute(attribute);
  if (!a || n.failed())
    return v;
  if (a->kind != onnx::Attribute::Kind::Graph || a->graphs[0]->inputs.size() != 1 ||
      a->graphs[0]->outputs.size() != 1)
    return n.invalid("its graph does not take and yield one tensor", attribute), Value{};
  std::vector<Value> results;
  const auto shape = n.dims(v);
  if (!importBody(*a->graphs[0], {v}, node, scope, results))
    return n.unsupported("its graph is not supported", {}, attribute), Value{};
  if (n.rank(results[0]) != 4 || n.dtype(results[0]) != n.dtype(v))
    return n.invalid("its graph changes the shape or type", attribute), Value{};
  return n.dims(results[0]) == shape ? results[0] : n.reshapeTo(results[0], shape);
}

/// Each of the shared heads for every head that reads it. A run where these are no whole number is
/// refused.
static Value repeatedHeads(NodeContext &n, Value x, const DimExpr &heads) {
  Value all = n.size(heads), own = n.size(n.dims(x)[1]);
  Value fits = n.apply("equal", {n.apply("mod", {all, own}), n.scalar(0, DType::I64)});
  Value zero = n.apply("refuse", {fits},
                       attrs({{"when", int64_t(0)},
                              {"why", std::string("the heads of an attention do not share those of "
                                                  "its keys and values evenly")},
                              {"type", DType::I64}}));
  Value place = n.apply("div", {n.apply("mul", {n.places(heads), own}), all});
  return n.apply("gather", {x, n.apply("add", {place, zero})},
                 attrs({{"axis", int64_t(1)}, {"clamp", int64_t(1)}}));
}

/// sqrt(scale), whose default is 1 over the root of a head's size.
static Value rootOfScale(NodeContext &n, const DimExpr &size, DType type) {
  const auto known = size.constant();
  if (known || n.hasAttr("scale")) {
    const double scale = n.f("scale", 1 / std::sqrt(double(known.value_or(1))));
    return n.scalar(double(std::sqrt(float(scale))), type);
  }
  Value root = n.apply("sqrt", {n.apply("sqrt", {n.cast(n.size(size), DType::F32)})});
  return n.cast(n.apply("recip", {root}), type);
}

void GraphImporter::importFlexAttention(const onnx::Node &node, const std::vector<Value> &inputs,
                                        Scope &scope) {
  const int64_t opset = opsetOf(*scope.opsets, node.domain);
  NodeContext n(recorder, node, inputs, opset);
  const size_t before = problems.size();
  auto fail = [&] {
    if (problems.size() == before) // else a node of its graphs is named already
      report(node, opset, *n.failure());
    define(node, {}, scope);
  };
  Value q = n.require(0), k = n.require(1), v = n.require(2);
  if (!n.failed() && (n.rank(q) != 4 || n.rank(k) != 4 || n.rank(v) != 4))
    n.invalid("its operands do not have rank 4");
  if (n.failed())
    return fail();
  const DType type = n.dtype(q);
  const DType precise = n.type("softmax_precision", type == DType::F64 ? DType::F64 : DType::F32);
  const auto heads = n.dims(q)[1].constant(), shared = n.dims(k)[1].constant();
  if (heads && shared && (*shared == 0 || *heads % *shared))
    n.invalid("its numbers of heads do not fit each other");
  if (n.failed())
    return fail();
  const bool open = !heads || !shared;
  const int64_t group = open ? 1 : *heads / *shared;
  auto scores = n.dims(q), result = n.dims(q);
  scores[3] = n.dims(k)[2];
  result[3] = n.dims(v)[3];
  // One axis more: heads by group. Where a run decides how many, those that are shared are
  // repeated.
  auto grouped = [&](Value x, int64_t second) {
    if (open)
      return second == 1 ? repeatedHeads(n, x, n.dims(q)[1]) : x;
    auto shape = n.dims(x);
    shape[1] = second;
    shape.insert(shape.begin() + 1, DimExpr(*shared));
    return n.reshapeTo(x, shape);
  };
  Value root = rootOfScale(n, n.dims(q)[3], type);
  Value left = grouped(n.apply("mul", {q, root}), open ? 0 : group);
  Value right = grouped(n.apply("mul", {k, root}), 1);
  right = n.transpose(right, open ? std::vector<int64_t>{0, 1, 3, 2}
                                  : std::vector<int64_t>{0, 1, 2, 4, 3});
  Value s = n.cast(n.reshapeTo(n.apply("matmul", {left, right}), scores), precise);
  s = modified(n, "score_mod", s, node, scope);
  Value p = n.apply("softmax", {s}, attrs({{"axis", int64_t(-1)}}));
  p = modified(n, "prob_mod", p, node, scope);
  if (n.failed())
    return fail();
  Value y = n.apply("matmul", {grouped(p, open ? 0 : group), grouped(n.cast(v, precise), 1)});
  y = n.cast(n.reshapeTo(y, result), n.dtype(v));
  n.failed() ? fail() : define(node, {y}, scope);
}

} // namespace imbrex::frontend
