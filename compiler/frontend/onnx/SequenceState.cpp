// Sequence operators that carry a state: linear attention, a loop over the sequence or its few
// steps one behind the other, and causal convolution.
#include "compiler/frontend/onnx/Converters.h"

#include <cmath>

namespace imbrex::frontend {
namespace {

/// So many steps are unrolled: each costs as much compile time as a loop.
constexpr int64_t kMaxUnrolled = 4;

/// The recurrence over [batch, heads, key size, value size], in f32.
class LinearAttention {
public:
  explicit LinearAttention(NodeContext &n) : n(n) {}
  void run();

private:
  /// [batch, steps, heads * size] to f32 [batch, heads, steps, size].
  Value heads(Value v, int64_t count);
  /// Step `now` of v, as [batch, heads, 1, size].
  Value at(Value v) {
    Value row = n.apply("gather", {v, now}, attrs({{"axis", int64_t(2)}, {"clamp", int64_t(1)}}));
    return n.unsqueeze(row, {2});
  }
  Value mul(Value a, Value b) { return n.apply("mul", {a, b}); }
  /// [.., 1, size] to [.., size, 1].
  Value turned(Value v) { return n.transpose(v, {0, 1, 3, 2}); }
  Value openBeta(Value v);
  Value step();
  Value read(Value queries);
  Value unrolled(int64_t steps);
  Value looped(const DimExpr &steps);

  NodeContext &n;
  Value q, k, v, decay, beta, state, now;
  int64_t queryHeads = 0, keyHeads = 0;
};

Value LinearAttention::heads(Value v, int64_t count) {
  auto width = n.rank(v) == 3 ? n.dims(v)[2].constant() : std::nullopt;
  if (n.rank(v) != 3 || count <= 0 || (width && *width % count != 0))
    return n.unsupported("an operand of type " + n.typeOf(v).str() + " does not divide into " +
                         std::to_string(count) + " heads"),
           Value{};
  Value split = n.reshape(n.cast(v, DType::F32), {0, 0, count, -1});
  return n.transpose(split, {0, 2, 1, 3});
}

/// [batch, steps, heads] or, as only a run says, [batch, steps, 1] to [batch, heads, steps, 1].
Value LinearAttention::openBeta(Value v) {
  if (n.failed() || n.rank(v) != 3)
    return n.unsupported("its beta is not of rank 3"), Value{};
  const DimExpr batch = n.dims(v)[0], steps = n.dims(v)[1];
  v = n.apply("expand", {n.cast(v, DType::F32), n.sizes({batch, steps, keyHeads})});
  return n.unsqueeze(n.transpose(n.reshapeTo(v, {batch, steps, keyHeads}), {0, 2, 1}), {3});
}

/// Query heads that share a key head read the same state.
Value LinearAttention::read(Value queries) {
  if (queryHeads == keyHeads)
    return n.apply("matmul", {queries, state});
  if (n.failed())
    return {};
  auto d = n.dims(queries);
  Value split = n.reshapeTo(queries, {d[0], keyHeads, queryHeads / keyHeads, d[3]});
  Value y = n.apply("matmul", {split, state});
  if (n.failed())
    return {};
  auto e = n.dims(y);
  return n.reshapeTo(y, {e[0], queryHeads, 1, e[3]});
}

Value LinearAttention::step() {
  Value key = turned(at(k)), value = at(v);
  if (state.valid() && decay.valid())
    state = mul(state, turned(n.apply("exp", {at(decay)})));
  if (beta.valid()) {
    if (state.valid())
      value = n.apply("sub", {value, n.apply("matmul", {at(k), state})});
    value = mul(at(beta), value);
  }
  Value written = mul(key, value);
  state = state.valid() ? n.apply("add", {state, written}) : written;
  return read(at(q));
}

/// Outputs of all steps, [batch, heads, steps, size].
Value LinearAttention::unrolled(int64_t steps) {
  std::vector<Value> outputs;
  for (int64_t t = 0; t < steps && !n.failed(); ++t) {
    now = n.scalar(double(t), DType::I64);
    outputs.push_back(step());
  }
  return n.concat(outputs, 2);
}

Value LinearAttention::looped(const DimExpr &steps) {
  const auto &key = n.dims(k), &value = n.dims(v);
  if (!state.valid())
    state = n.filled(0, DType::F32, {key[0], keyHeads, key[3], value[3]});
  Value count = n.size(steps), one = n.scalar(1, DType::I64);
  Value rows = n.filled(0, DType::F32, {steps, n.dims(q)[0], queryHeads, value[3]});
  auto ran = n.loop(
      {n.scalar(0, DType::I64), state, rows},
      [&](const std::vector<Value> &c) { return n.apply("less", {c[0], count}); },
      [&](const std::vector<Value> &c) {
        now = c[0], state = c[1];
        Value row = n.squeeze(step(), {2});
        return std::vector{n.apply("add", {c[0], one}), state,
                           n.apply("write_row", {c[2], row, c[0]})};
      });
  state = ran[1];
  return n.transpose(ran[2], {1, 2, 0, 3});
}

void LinearAttention::run() {
  queryHeads = n.i("q_num_heads", 0), keyHeads = n.i("kv_num_heads", 0);
  q = heads(n.require(0), queryHeads), k = heads(n.require(1), keyHeads);
  v = heads(n.require(2), keyHeads);
  if (n.has(4))
    decay = heads(n.in(4), keyHeads);
  if (n.has(5)) {
    auto width = n.rank(n.in(5)) == 3 ? n.dims(n.in(5))[2].constant() : std::nullopt;
    beta = width ? heads(n.in(5), *width) : openBeta(n.in(5));
  }
  if (n.has(3))
    state = n.cast(n.in(3), DType::F32);
  if (n.failed())
    return;
  if (queryHeads % keyHeads)
    return n.unsupported("its query heads do not share key heads evenly");
  const DimExpr steps = n.dims(q)[2];
  auto size = n.dims(q)[3].constant(), known = steps.constant();
  double scale = n.f("scale", 0);
  Value y = known && *known > 0 && *known <= kMaxUnrolled ? unrolled(*known) : looped(steps);
  if (scale == 0 && !size)
    y = n.apply("div", {y, n.apply("sqrt", {n.cast(n.size(n.dims(q)[3]), DType::F32)})});
  else
    y = mul(y, n.scalar(scale == 0 ? 1 / std::sqrt(double(*size)) : scale, DType::F32));
  y = n.transpose(y, {0, 2, 1, 3});
  if (n.failed())
    return;
  const auto d = n.dims(y);
  y = n.reshapeTo(y, {d[0], d[1], d[2] * d[3]});
  DType type = n.dtype(n.in(0));
  n.results({n.cast(y, type), n.cast(state, n.has(3) ? n.dtype(n.in(3)) : type)});
}

void linearAttention(NodeContext &n) { LinearAttention(n).run(); }

/// A depthwise convolution that sees the past only; the last inputs are the next call's past.
void causalConv(NodeContext &n) {
  Value x = n.require(0), w = n.require(1);
  if (n.failed() || n.rank(x) != 3 || n.rank(w) != 3)
    return n.invalid("its operands are not of rank 3");
  auto channels = n.dims(w)[0].constant();
  const DimExpr past = n.dims(w)[2] - 1, length = n.dims(x)[2];
  Value padded =
      n.has(3) ? n.concat({n.in(3), x}, 2) : n.apply("pad", {x, n.sizes({0, 0, past, 0, 0, 0})});
  Value y;
  if (channels) {
    y = n.apply("conv", {padded, w, n.in(2)}, attrs({{"group", *channels}}));
  } else { // a window before each place, times the weights of its channel
    Value places = n.apply("add", {n.unsqueeze(n.places(length), {1}), n.places(past + 1)});
    Value windows =
        n.apply("gather", {padded, places}, attrs({{"axis", int64_t(2)}, {"clamp", int64_t(1)}}));
    const DType type = n.dtype(x), wide = type == DType::F64 ? type : DType::F32; // as conv sums
    y = n.apply("reduce_sum", {n.apply("mul", {n.cast(windows, wide), n.cast(w, wide)})},
                attrs({{"axes", std::vector<int64_t>{3}}, {"keepdims", int64_t(0)}}));
    y = n.has(2) ? n.apply("add", {y, n.unsqueeze(n.cast(n.in(2), wide), {1})}) : y;
    y = n.cast(y, type);
  }
  std::string activation = n.s("activation", "none");
  if (activation == "silu" || activation == "swish")
    y = n.apply("swish", {y});
  else if (activation != "none")
    return n.invalid("its activation is '" + activation + "'", "activation");
  n.results({y, n.slice(padded, 2, length, length + past)});
}

constexpr ConverterRow kRows[] = {
    {"CausalConvWithState", 27, causalConv},
    {"LinearAttention", 27, linearAttention},
};

} // namespace

ConverterRows sequenceStateRows() { return kRows; }

} // namespace imbrex::frontend
