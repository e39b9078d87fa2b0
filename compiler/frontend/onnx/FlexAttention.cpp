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
  const auto size = n.dims(q)[3].constant();
  if (!heads || !shared || !size || *shared == 0 || *heads % *shared)
    n.unsupported("its numbers of heads and their size are not fixed, or do not fit each other");
  if (n.failed())
    return fail();
  auto scores = n.dims(q), result = n.dims(q);
  scores[3] = n.dims(k)[2];
  result[3] = n.dims(v)[3];
  auto grouped = [&](Value x, int64_t first, int64_t second) { // one axis more: heads by group
    auto shape = n.dims(x);
    shape[1] = second;
    shape.insert(shape.begin() + 1, DimExpr(first));
    return n.reshapeTo(x, shape);
  };
  const int64_t group = *heads / *shared;
  const double scale = n.f("scale", 1 / std::sqrt(double(*size)));
  Value root = n.scalar(double(std::sqrt(float(scale))), type);
  Value left = grouped(n.apply("mul", {q, root}), *shared, group);
  Value right = n.transpose(grouped(n.apply("mul", {k, root}), *shared, 1), {0, 1, 2, 4, 3});
  Value s = n.cast(n.reshapeTo(n.apply("matmul", {left, right}), scores), precise);
  s = modified(n, "score_mod", s, node, scope);
  Value p = n.apply("softmax", {s}, attrs({{"axis", int64_t(-1)}}));
  p = modified(n, "prob_mod", p, node, scope);
  if (n.failed())
    return fail();
  Value y =
      n.apply("matmul", {grouped(p, *shared, group), grouped(n.cast(v, precise), *shared, 1)});
  y = n.cast(n.reshapeTo(y, result), n.dtype(v));
  n.failed() ? fail() : define(node, {y}, scope);
}

} // namespace imbrex::frontend
