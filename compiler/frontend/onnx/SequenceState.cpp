// Sequence operators that carry a state: linear attention, unrolled, and causal convolution.
#include "compiler/frontend/onnx/Converters.h"

#include <cmath>

namespace imbrex::frontend {
namespace {

/// Longer sequences make graphs too large to unroll.
constexpr int64_t kMaxSteps = 512;

/// The recurrence over [batch, heads, key size, value size], in f32.
class LinearAttention {
public:
  explicit LinearAttention(NodeContext &n) : n(n) {}
  void run();

private:
  /// [batch, steps, heads * size] to f32 [batch, heads, steps, size].
  Value heads(Value v, int64_t count);
  Value at(Value v, int64_t t) { return n.slice(v, 2, t, t + 1); }
  Value mul(Value a, Value b) { return n.apply("mul", {a, b}); }
  /// [.., 1, size] to [.., size, 1].
  Value turned(Value v) { return n.transpose(v, {0, 1, 3, 2}); }
  Value step(int64_t t);
  Value read(Value queries);

  NodeContext &n;
  Value q, k, v, decay, beta, state;
  int64_t queryHeads = 0, keyHeads = 0;
};

Value LinearAttention::heads(Value v, int64_t count) {
  auto width = n.rank(v) == 3 ? n.dims(v)[2].constant() : std::nullopt;
  if (!width || count <= 0 || *width % count != 0)
    return n.unsupported("an operand of type " + n.typeOf(v).str() + " does not divide into " +
                         std::to_string(count) + " heads"),
           Value{};
  Value split = n.reshape(n.cast(v, DType::F32), {0, 0, count, *width / count});
  return n.transpose(split, {0, 2, 1, 3});
}

/// Query heads that share a key head read the same state.
Value LinearAttention::read(Value queries) {
  if (queryHeads == keyHeads)
    return n.apply("matmul", {queries, state});
  auto d = n.dims(queries);
  Value split = n.reshapeTo(queries, {d[0], keyHeads, queryHeads / keyHeads, d[3]});
  Value y = n.apply("matmul", {split, state});
  auto e = n.dims(y);
  return n.reshapeTo(y, {e[0], queryHeads, 1, e[3]});
}

Value LinearAttention::step(int64_t t) {
  Value key = turned(at(k, t)), value = at(v, t);
  if (state.valid() && decay.valid())
    state = mul(state, turned(n.apply("exp", {at(decay, t)})));
  if (beta.valid()) {
    if (state.valid())
      value = n.apply("sub", {value, n.apply("matmul", {at(k, t), state})});
    value = mul(at(beta, t), value);
  }
  Value written = mul(key, value);
  state = state.valid() ? n.apply("add", {state, written}) : written;
  return read(at(q, t));
}

void LinearAttention::run() {
  queryHeads = n.i("q_num_heads", 0), keyHeads = n.i("kv_num_heads", 0);
  q = heads(n.require(0), queryHeads), k = heads(n.require(1), keyHeads);
  v = heads(n.require(2), keyHeads);
  if (n.has(4))
    decay = heads(n.in(4), keyHeads);
  if (n.has(5)) {
    auto width = n.rank(n.in(5)) == 3 ? n.dims(n.in(5))[2].constant() : std::nullopt;
    beta = heads(n.in(5), width.value_or(0));
  }
  if (n.has(3))
    state = n.cast(n.in(3), DType::F32);
  if (n.failed())
    return;
  auto steps = n.dims(q)[2].constant(), size = n.dims(q)[3].constant();
  auto valueSize = n.dims(v)[3].constant();
  if (!steps || !size || !valueSize || *steps == 0 || *steps > kMaxSteps || queryHeads % keyHeads)
    return n.unsupported("the length of its sequence is not fixed, is 0, or is above " +
                             std::to_string(kMaxSteps),
                         "fixing it with --dim or --input-shape");
  double scale = n.f("scale", 0);
  scale = scale == 0 ? 1 / std::sqrt(double(*size)) : scale;
  std::vector<Value> outputs;
  for (int64_t t = 0; t < *steps && !n.failed(); ++t)
    outputs.push_back(step(t));
  Value y = mul(n.concat(outputs, 2), n.scalar(scale, DType::F32));
  y = n.reshape(n.transpose(y, {0, 2, 1, 3}), {0, 0, queryHeads * *valueSize});
  DType type = n.dtype(n.in(0));
  n.results({n.cast(y, type), n.cast(state, n.has(3) ? n.dtype(n.in(3)) : type)});
}

void linearAttention(NodeContext &n) { LinearAttention(n).run(); }

/// A depthwise convolution that sees the past only; the last inputs are the next call's past.
void causalConv(NodeContext &n) {
  Value x = n.require(0), w = n.require(1);
  if (n.failed() || n.rank(x) != 3 || n.rank(w) != 3)
    return n.invalid("its operands are not of rank 3");
  auto channels = n.dims(w)[0].constant(), kernel = n.dims(w)[2].constant();
  auto length = n.dims(x)[2].constant();
  if (!channels || !kernel || !length)
    return n.unsupported("its sizes are not fixed", "fixing them with --dim or --input-shape");
  int64_t past = *kernel - 1;
  Value padded = n.has(3) ? n.concat({n.in(3), x}, 2)
                          : n.apply("pad", {x, n.intVector({0, 0, past, 0, 0, 0})});
  Value y = n.apply("conv", {padded, w, n.in(2)}, attrs({{"group", *channels}}));
  std::string activation = n.s("activation", "none");
  if (activation == "silu" || activation == "swish")
    y = n.apply("swish", {y});
  else if (activation != "none")
    return n.invalid("its activation is '" + activation + "'", "activation");
  n.results({y, n.slice(padded, 2, *length, *length + past)});
}

constexpr ConverterRow kRows[] = {
    {"CausalConvWithState", 27, causalConv},
    {"LinearAttention", 27, linearAttention},
};

} // namespace

ConverterRows sequenceStateRows() { return kRows; }

} // namespace imbrex::frontend
