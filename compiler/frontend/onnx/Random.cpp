// Random numbers: drawn by the runtime, scaled by code. With a seed every run draws the same.
#include "compiler/frontend/onnx/Converters.h"

#include <bit>

namespace imbrex::frontend {

/// A float of most operators, an integer of Dropout: any 64 bits do.
static int64_t seedOf(NodeContext &n) {
  const auto *a = n.proto().attribute("seed");
  if (a && a->kind == onnx::Attribute::Kind::Int)
    return a->ints[0];
  return std::bit_cast<int32_t>(float(n.f("seed", 0)));
}

Value drawn(NodeContext &n, bool normal, const std::vector<DimExpr> &shape, DType type) {
  const DType drawn = type == DType::F64 ? DType::F64 : DType::F32;
  Value v = n.apply("random", {n.sizes(shape)},
                    attrs({{"normal", int64_t(normal)},
                           {"seeded", int64_t(n.hasAttr("seed"))},
                           {"seed", seedOf(n)},
                           {"dtype", int64_t(drawn)}}));
  return n.failed() ? Value{} : v;
}

namespace {

/// Drawn numbers times `factor` plus `start`, in the type that the node asks for.
void scaled(NodeContext &n, bool normal, const std::vector<DimExpr> &shape, DType fallback) {
  const DType type = n.type("dtype", fallback);
  const double start = normal ? n.f("mean", 0) : n.f("low", 0);
  const double factor = normal ? n.f("scale", 1) : n.f("high", 1) - start;
  Value v = drawn(n, normal, shape, type);
  if (n.failed())
    return;
  if (!isFloat(type))
    return n.invalid("it draws numbers of type " + std::string(name(type)), "dtype");
  const DType wide = n.dtype(v);
  v = n.apply("add", {n.apply("mul", {v, n.scalar(factor, wide)}), n.scalar(start, wide)});
  n.result(n.cast(v, type));
}

void ofShape(NodeContext &n, bool normal) {
  const auto shape = n.is("shape");
  for (int64_t d : shape)
    if (d < 0)
      return n.invalid("a size is negative", "shape");
  scaled(n, normal, {shape.begin(), shape.end()}, DType::F32);
}

void like(NodeContext &n, bool normal) {
  Value x = n.require(0);
  if (!n.failed())
    scaled(n, normal, n.dims(x), n.dtype(x));
}

/// 1 with the probability that x tells.
void bernoulli(NodeContext &n) {
  Value x = n.require(0);
  if (n.failed())
    return;
  Value r = drawn(n, false, n.dims(x), n.dtype(x));
  if (!n.failed())
    n.result(n.cast(n.apply("less", {r, n.cast(x, n.dtype(r))}), n.type("dtype", n.dtype(x))));
}

/// Classes with the probabilities of their logarithms, which need not add up to 1: the first class
/// whose sum of exponentials so far is above a number drawn below the whole sum.
void multinomial(NodeContext &n) {
  Value x = n.require(0);
  const int64_t samples = n.i("sample_size", 1);
  if (n.failed() || n.rank(x) != 2 || samples < 0)
    return n.invalid("it takes a matrix of logarithms and a number of samples");
  Value wide = n.cast(x, n.dtype(x) == DType::F64 ? DType::F64 : DType::F32);
  Value p = n.apply("softmax", {wide}, attrs({{"axis", int64_t(1)}}));
  Value sums = n.unsqueeze(n.apply("cumsum", {p}, attrs({{"axis", int64_t(1)}})), {1});
  Value r = drawn(n, false, {n.dims(x)[0], samples, 1}, n.dtype(p));
  if (n.failed())
    return;
  // How many of the sums, the last aside, are at most r.
  Value passed = n.apply("less_equal", {n.slice(sums, 2, 0, n.dims(x)[1] - 1), r});
  Value count = n.apply("reduce_sum", {n.cast(passed, DType::I64)},
                        attrs({{"axes", std::vector<int64_t>{2}}, {"keepdims", int64_t(0)}}));
  n.result(n.cast(count, n.type("dtype", DType::I32)));
}

constexpr ConverterRow kRows[] = {
    {"Bernoulli", 15, bernoulli},
    {"Multinomial", 7, multinomial},
    {"RandomNormal", 1, [](NodeContext &n) { ofShape(n, true); }},
    {"RandomNormalLike", 1, [](NodeContext &n) { like(n, true); }},
    {"RandomUniform", 1, [](NodeContext &n) { ofShape(n, false); }},
    {"RandomUniformLike", 1, [](NodeContext &n) { like(n, false); }},
};

} // namespace

ConverterRows randomRows() { return kRows; }

} // namespace imbrex::frontend
