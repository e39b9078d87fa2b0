// RNN, GRU and LSTM, unrolled over a sequence of known length.
//
// The input's share of all gates is one matrix product over the whole sequence; each step then adds
// the state's. A state of zeros is left out of the first step instead of being multiplied.
#include "compiler/frontend/onnx/Converters.h"

#include <algorithm>

namespace imbrex::frontend {
namespace {

/// Longer sequences make graphs too large to unroll.
constexpr int64_t kMaxSteps = 2048;

/// One activation with its parameters.
struct Activation {
  std::string name;
  std::optional<double> alpha, beta;
};

/// What the three operators share: dimensions, the direction's weights, activations.
class Recurrent {
public:
  Recurrent(NodeContext &n, int64_t gates, std::vector<std::string> defaults)
      : n(n), gates(gates), defaults(std::move(defaults)) {}

  /// False, and the node fails, for a form that is not supported.
  bool prepare();
  /// `step` makes the new states of one direction from x's share of the gates and the old states.
  template <class Step> void run(size_t stateCount, Step step);

  Value activate(size_t direction, size_t which, Value v);
  Value mul(Value a, Value b) { return n.apply("mul", {a, b}); }
  /// a + b, where an invalid value is 0.
  Value add(Value a, Value b) { return !a.valid() ? b : !b.valid() ? a : n.apply("add", {a, b}); }
  Value timesR(Value h, Value r) {
    return h.valid() ? n.apply("matmul", {h, r}, attrs({{"trans_b", int64_t(1)}})) : Value{};
  }
  Value clipped(Value v);
  /// Gate g of a [batch, gates * hidden] value.
  Value gate(Value v, int64_t g, int64_t count = 1) {
    if (!v.valid() || (g == 0 && count == gates))
      return v;
    return n.slice(v, n.rank(v) - 1, g * hidden, (g + count) * hidden);
  }
  /// Direction d of an operand [directions, …], without that dimension; invalid where absent.
  Value ofDirection(size_t i, size_t d) {
    return n.has(i) ? n.squeeze(n.slice(n.in(i), 0, int64_t(d), int64_t(d) + 1), {0}) : Value{};
  }
  Value recurrentWeight(size_t d) { return ofDirection(2, d); }
  /// The bias of the input's side (0) or the state's (1).
  Value bias(size_t d, int64_t side) {
    Value b = ofDirection(3, d);
    return b.valid() ? n.slice(b, 0, side * gates * hidden, (side + 1) * gates * hidden) : b;
  }

  NodeContext &n;
  int64_t gates, hidden = 0, steps = 0, layout = 0;
  size_t directions = 1;
  std::vector<bool> backwards;

private:
  bool readDirection();
  bool readActivations();
  bool checkLengths();
  std::vector<Value> initialStates(size_t d, size_t count);

  std::vector<std::string> defaults;
  std::vector<Activation> activations;
  Value x; // [steps, batch, inputs]
};

bool Recurrent::readDirection() {
  std::string direction = n.s("direction", "forward");
  if (direction == "forward")
    backwards = {false};
  else if (direction == "reverse")
    backwards = {true};
  else if (direction == "bidirectional")
    backwards = {false, true};
  else
    n.invalid("its direction is '" + direction + "'", "direction");
  directions = backwards.size();
  return !n.failed();
}

/// How many parameters an activation takes from the lists, and their defaults.
static std::pair<std::optional<double>, std::optional<double>>
parametersOf(const std::string &name) {
  if (name == "LeakyRelu")
    return {0.01, std::nullopt};
  if (name == "Elu" || name == "ThresholdedRelu")
    return {1.0, std::nullopt};
  if (name == "HardSigmoid")
    return {0.2, 0.5};
  if (name == "ScaledTanh")
    return {1.0, 1.0};
  if (name == "Affine")
    return {1.0, 0.0};
  return {std::nullopt, std::nullopt};
}

bool Recurrent::readActivations() {
  std::vector<std::string> names;
  if (const auto *a = n.proto().attribute("activations"))
    names = a->strings;
  if (names.empty())
    for (size_t d = 0; d < directions; ++d)
      names.insert(names.end(), defaults.begin(), defaults.end());
  if (names.size() != defaults.size() * directions) {
    n.invalid("it names " + std::to_string(names.size()) + " activations", "activations");
    return false;
  }
  auto alphas = n.fs("activation_alpha"), betas = n.fs("activation_beta");
  size_t alpha = 0, beta = 0;
  for (const auto &name : names) {
    auto [a, b] = parametersOf(name);
    if (a && alpha < alphas.size())
      a = alphas[alpha++];
    if (b && beta < betas.size())
      b = betas[beta++];
    activations.push_back({name, a, b});
  }
  return true;
}

bool Recurrent::checkLengths() {
  if (!n.has(4))
    return true;
  auto lengths = n.ints(n.in(4), "sequence lengths");
  if (!lengths)
    return false;
  if (std::ranges::any_of(*lengths, [&](int64_t l) { return l != steps; }))
    n.unsupported("sequences of different lengths are not supported",
                  "padding them outside of the model");
  return !n.failed();
}

bool Recurrent::prepare() {
  x = n.require(0);
  n.require(1);
  n.require(2);
  layout = n.i("layout", 0);
  if (n.failed() || n.rank(x) != 3 || n.rank(n.in(2)) != 3) {
    n.invalid("its operands are not of rank 3");
    return false;
  }
  if (layout == 1)
    x = n.transpose(x, {1, 0, 2});
  auto length = n.dims(x)[0].constant(), size = n.dims(n.in(2))[2].constant();
  if (!length || !size || *length > kMaxSteps) {
    n.unsupported(!length ? "the length of its sequence is not fixed"
                          : "its sequence of " + std::to_string(*length) + " steps is too long",
                  "fixing the sequence's length with --dim or --input-shape");
    return false;
  }
  steps = *length;
  hidden = *size;
  return readDirection() && readActivations() && checkLengths();
}

Value Recurrent::clipped(Value v) {
  if (!n.hasAttr("clip"))
    return v;
  DType t = n.dtype(v);
  double c = n.f("clip", 0);
  return n.apply("clip", {v, n.scalar(-c, t), n.scalar(c, t)});
}

Value Recurrent::activate(size_t direction, size_t which, Value v) {
  const auto &a = activations[direction * defaults.size() + which];
  v = clipped(v);
  DType t = n.dtype(v);
  auto alpha = [&] { return attrs({{"alpha", *a.alpha}}); };
  if (a.name == "Sigmoid")
    return n.apply("sigmoid", {v});
  if (a.name == "Tanh")
    return n.apply("tanh", {v});
  if (a.name == "Relu")
    return n.apply("relu", {v});
  if (a.name == "Softsign")
    return n.apply("softsign", {v});
  if (a.name == "Softplus")
    return n.apply("softplus", {v});
  if (a.name == "LeakyRelu")
    return n.apply("leaky_relu", {v}, alpha());
  if (a.name == "Elu")
    return n.apply("elu", {v}, alpha());
  if (a.name == "ThresholdedRelu")
    return n.apply("thresholded_relu", {v}, alpha());
  if (a.name == "HardSigmoid")
    return n.apply("hard_sigmoid", {v}, attrs({{"alpha", *a.alpha}, {"beta", *a.beta}}));
  if (a.name == "ScaledTanh")
    return mul(n.scalar(*a.alpha, t), n.apply("tanh", {mul(n.scalar(*a.beta, t), v)}));
  if (a.name == "Affine")
    return add(mul(n.scalar(*a.alpha, t), v), n.scalar(*a.beta, t));
  n.unsupported("activation '" + a.name + "' is not supported", "", "activations");
  return v;
}

std::vector<Value> Recurrent::initialStates(size_t d, size_t count) {
  std::vector<Value> states;
  for (size_t k = 0; k < count; ++k) {
    Value s;
    if (n.has(5 + k)) {
      Value all = layout == 1 ? n.transpose(n.in(5 + k), {1, 0, 2}) : n.in(5 + k);
      s = n.squeeze(n.slice(all, 0, int64_t(d), int64_t(d) + 1), {0});
    }
    states.push_back(s);
  }
  return states;
}

template <class Step> void Recurrent::run(size_t stateCount, Step step) {
  std::vector<std::vector<Value>> outputs(directions), last(stateCount);
  for (size_t d = 0; d < directions; ++d) {
    Value share = n.apply("matmul", {x, ofDirection(1, d)}, attrs({{"trans_b", int64_t(1)}}));
    share = add(share, bias(d, 0));
    auto states = initialStates(d, stateCount);
    outputs[d].resize(size_t(steps));
    for (int64_t t = 0; t < steps && !n.failed(); ++t) {
      int64_t at = backwards[d] ? steps - 1 - t : t;
      states = step(d, n.squeeze(n.slice(share, 0, at, at + 1), {0}), states);
      outputs[d][size_t(at)] = states[0];
    }
    for (size_t k = 0; k < stateCount; ++k)
      last[k].push_back(states[k]);
  }
  if (n.failed() || steps == 0)
    return n.unsupported("an empty sequence is not supported");
  // Y: [steps, directions, batch, hidden], or [batch, steps, directions, hidden].
  int64_t axis = layout == 1 ? 1 : 0;
  std::vector<Value> perStep;
  for (int64_t t = 0; t < steps && n.wants(0); ++t) {
    std::vector<Value> sides;
    for (size_t d = 0; d < directions; ++d)
      sides.push_back(n.unsqueeze(outputs[d][size_t(t)], {axis}));
    perStep.push_back(n.unsqueeze(n.concat(sides, axis), {axis}));
  }
  std::vector<Value> results = {n.wants(0) ? n.concat(perStep, axis) : Value{}};
  for (auto &states : last) {
    for (auto &s : states)
      s = n.unsqueeze(s, {axis});
    results.push_back(n.concat(states, axis));
  }
  n.results(std::move(results));
}

void rnn(NodeContext &n) {
  Recurrent r(n, 1, {"Tanh"});
  if (!r.prepare())
    return;
  r.run(1, [&](size_t d, Value share, std::vector<Value> s) {
    Value sum = r.add(r.add(share, r.bias(d, 1)), r.timesR(s[0], r.recurrentWeight(d)));
    return std::vector{r.activate(d, 0, sum)};
  });
}

/// Gates z, r, h.
void gru(NodeContext &n) {
  Recurrent r(n, 3, {"Sigmoid", "Tanh"});
  if (!r.prepare())
    return;
  bool linear = n.i("linear_before_reset", 0) != 0;
  r.run(1, [&](size_t d, Value share, std::vector<Value> s) {
    Value h = s[0], weight = r.recurrentWeight(d), side = r.bias(d, 1);
    auto rows = [&](int64_t g, int64_t count) {
      return n.slice(weight, 0, g * r.hidden, (g + count) * r.hidden);
    };
    Value zr = r.add(r.add(r.gate(share, 0, 2), r.gate(side, 0, 2)), r.timesR(h, rows(0, 2)));
    Value z = r.activate(d, 0, r.gate(zr, 0)), reset = r.activate(d, 0, r.gate(zr, 1));
    Value inner;
    if (linear) {
      inner = r.add(r.timesR(h, rows(2, 1)), r.gate(side, 2));
      inner = inner.valid() ? r.mul(reset, inner) : inner;
    } else {
      inner = r.add(h.valid() ? r.timesR(r.mul(reset, h), rows(2, 1)) : Value{}, r.gate(side, 2));
    }
    Value fresh = r.activate(d, 1, r.add(r.gate(share, 2), inner));
    Value keep = n.apply("sub", {n.scalar(1, n.dtype(z)), z});
    return std::vector{r.add(r.mul(keep, fresh), h.valid() ? r.mul(z, h) : Value{})};
  });
}

/// Gates i, o, f, c; peepholes i, o, f.
void lstm(NodeContext &n) {
  Recurrent r(n, 4, {"Sigmoid", "Tanh", "Tanh"});
  if (!r.prepare())
    return;
  bool coupled = n.i("input_forget", 0) != 0;
  r.run(2, [&](size_t d, Value share, std::vector<Value> s) {
    Value h = s[0], c = s[1], peep = r.ofDirection(7, d);
    Value sum = r.add(r.add(share, r.bias(d, 1)), r.timesR(h, r.recurrentWeight(d)));
    auto seen = [&](int64_t g, Value cell) {
      if (!peep.valid() || !cell.valid())
        return r.gate(sum, g);
      return r.add(r.gate(sum, g), r.mul(r.gate(peep, g), cell));
    };
    Value in = r.activate(d, 0, seen(0, c));
    Value forget;
    if (c.valid())
      forget =
          coupled ? n.apply("sub", {n.scalar(1, n.dtype(in)), in}) : r.activate(d, 0, seen(2, c));
    Value cell = r.mul(in, r.activate(d, 1, r.gate(sum, 3)));
    cell = r.add(c.valid() ? r.mul(forget, c) : Value{}, cell);
    Value out = r.activate(d, 0, seen(1, cell));
    Value shown = r.activate(d, 2, cell);
    return std::vector{r.mul(out, shown), cell};
  });
}

constexpr ConverterRow kRows[] = {{"GRU", 7, gru}, {"LSTM", 7, lstm}, {"RNN", 7, rnn}};

} // namespace

ConverterRows recurrentRows() { return kRows; }

} // namespace imbrex::frontend
