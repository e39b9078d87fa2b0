// RNN, GRU and LSTM: a loop over the sequence, or its few steps one behind the other.
//
// The input's share of all gates is one matrix product over the whole sequence; each step then adds
// the state's. A state of zeros is left out of the first step instead of being multiplied, but in a
// loop, where all steps are one. With lengths of the sequences, a state stays as it is behind the
// end of its sequence, outputs are zero there, and what runs backwards begins at the end.
#include "compiler/frontend/onnx/Converters.h"

#include <algorithm>
#include <array>
#include <map>

namespace imbrex::frontend {
namespace {

/// So many steps are unrolled: each costs as much compile time as a loop.
constexpr int64_t kMaxUnrolled = 4;

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
    if (!n.has(i))
      return {};
    auto [it, fresh] = parts.try_emplace({i, d});
    if (fresh)
      it->second = n.squeeze(n.slice(operands[i], 0, int64_t(d), int64_t(d) + 1), {0});
    return it->second;
  }
  /// Operand i has these sizes; those that are open are checked when it runs.
  void sized(size_t i, const std::vector<DimExpr> &shape) {
    operands[i] = n.in(i);
    if (n.has(i) && n.dims(n.in(i)).size() == shape.size() && n.dims(n.in(i)) != shape)
      operands[i] = n.reshapeTo(n.in(i), shape);
  }
  Value recurrentWeight(size_t d) { return ofDirection(2, d); }
  /// The bias of the input's side (0) or the state's (1).
  Value bias(size_t d, int64_t side) {
    Value b = ofDirection(3, d);
    return b.valid() ? n.slice(b, 0, side * gates * hidden, (side + 1) * gates * hidden) : b;
  }

  NodeContext &n;
  int64_t gates, layout = 0;
  DimExpr hidden = 0, steps = 0;
  size_t directions = 1;
  std::vector<bool> backwards;

private:
  bool readDirection();
  bool readActivations();
  std::vector<Value> initialStates(size_t d, size_t count);
  struct Ran {
    Value outputs; // [steps, batch, hidden]; invalid where not asked for
    std::vector<Value> last;
  };
  template <class Step> Ran unroll(size_t d, Value share, std::vector<Value> states, Step step);
  template <class Step> Ran loop(size_t d, Value share, std::vector<Value> states, Step step);
  Value reversed(Value v) {
    return n.has(4) ? n.apply("reverse_sequence", {v, n.cast(n.in(4), DType::I64)}) : v;
  }

  std::vector<std::string> defaults;
  std::vector<Activation> activations;
  Value x; // [steps, batch, inputs]
  std::array<Value, 8> operands;
  std::map<std::pair<size_t, size_t>, Value> parts; // of operands, by direction
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
  hidden = n.dims(n.in(2))[2];
  if (const int64_t stated = n.i("hidden_size", 0); stated > 0 && !hidden.constant())
    hidden = stated;
  steps = n.dims(x)[0];
  if (!readDirection() || !readActivations())
    return false;
  sized(1, {int64_t(directions), gates * hidden, n.dims(x)[2]});
  sized(2, {int64_t(directions), gates * hidden, hidden});
  sized(3, {int64_t(directions), 2 * gates * hidden});
  const DimExpr batch = n.dims(x)[1], sides = int64_t(directions);
  for (size_t i : {5, 6})
    sized(i, layout == 1 ? std::vector<DimExpr>{batch, sides, hidden}
                         : std::vector<DimExpr>{sides, batch, hidden});
  sized(7, {int64_t(directions), (gates - 1) * hidden});
  return !n.failed();
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
      Value all = layout == 1 ? n.transpose(operands[5 + k], {1, 0, 2}) : operands[5 + k];
      s = n.squeeze(n.slice(all, 0, int64_t(d), int64_t(d) + 1), {0});
    }
    states.push_back(s);
  }
  return states;
}

/// The steps one behind the other.
template <class Step>
Recurrent::Ran Recurrent::unroll(size_t d, Value share, std::vector<Value> states, Step step) {
  const int64_t count = *steps.constant();
  std::vector<Value> rows(static_cast<size_t>(count));
  for (int64_t t = 0; t < count && !n.failed(); ++t) {
    int64_t at = backwards[d] ? count - 1 - t : t;
    states = step(d, n.squeeze(n.slice(share, 0, at, at + 1), {0}), states);
    rows[size_t(at)] = states[0];
  }
  for (Value &row : rows)
    row = n.unsqueeze(row, {0});
  return {n.wants(0) ? n.concat(rows, 0) : Value{}, states};
}

/// One body for all steps; outputs are written row by row into one tensor.
template <class Step>
Recurrent::Ran Recurrent::loop(size_t d, Value share, std::vector<Value> states, Step step) {
  const DType type = n.dtype(x);
  const std::vector<DimExpr> state = {n.dims(x)[1], hidden};
  for (size_t i : {2, 3, 7})
    (void)ofDirection(i, d); // before the loop, once
  for (Value &s : states)
    s = s.valid() ? s : n.filled(0, type, state);
  const bool ends = n.has(4), flipped = backwards[d] && !ends;
  if (backwards[d] && ends)
    share = reversed(share);
  Value count = n.size(steps), one = n.scalar(1, DType::I64);
  Value last = flipped ? n.apply("sub", {count, one}) : Value{};
  Value lengths = ends ? n.unsqueeze(n.cast(n.in(4), DType::I64), {1}) : Value{};
  std::vector<Value> carried = {n.scalar(0, DType::I64)};
  carried.insert(carried.end(), states.begin(), states.end());
  if (n.wants(0))
    carried.push_back(n.filled(0, type, {steps, state[0], state[1]}));
  auto body = [&](const std::vector<Value> &v) {
    const std::vector<Value> before(v.begin() + 1, v.begin() + 1 + ptrdiff_t(states.size()));
    Value at = flipped ? n.apply("sub", {last, v[0]}) : v[0];
    Value now =
        n.apply("gather", {share, at}, attrs({{"axis", int64_t(0)}, {"clamp", int64_t(1)}}));
    auto after = step(d, now, before);
    Value row = after[0];
    if (ends) {
      Value inside = n.apply("less", {v[0], lengths});
      for (size_t k = 0; k < after.size(); ++k)
        after[k] = n.apply("where", {inside, after[k], before[k]});
      row = n.apply("where", {inside, row, n.scalar(0, type)});
    }
    std::vector<Value> next = {n.apply("add", {v[0], one})};
    next.insert(next.end(), after.begin(), after.end());
    if (n.wants(0))
      next.push_back(n.apply("write_row", {v.back(), row, at}));
    return next;
  };
  auto ran = n.loop(
      carried, [&](const std::vector<Value> &v) { return n.apply("less", {v[0], count}); }, body);
  Value outputs = n.wants(0) ? ran.back() : Value{};
  if (outputs.valid() && backwards[d] && ends)
    outputs = reversed(outputs);
  return {outputs, {ran.begin() + 1, ran.begin() + 1 + ptrdiff_t(states.size())}};
}

template <class Step> void Recurrent::run(size_t stateCount, Step step) {
  const auto known = steps.constant();
  const bool few = known && *known > 0 && *known <= kMaxUnrolled && !n.has(4);
  std::vector<Value> outputs;
  std::vector<std::vector<Value>> last(stateCount);
  for (size_t d = 0; d < directions; ++d) {
    Value share = n.apply("matmul", {x, ofDirection(1, d)}, attrs({{"trans_b", int64_t(1)}}));
    share = add(share, bias(d, 0));
    auto states = initialStates(d, stateCount);
    Ran ran = few ? unroll(d, share, states, step) : loop(d, share, states, step);
    outputs.push_back(ran.outputs);
    for (size_t k = 0; k < stateCount; ++k)
      last[k].push_back(ran.last[k]);
  }
  // Y: [steps, directions, batch, hidden], or [batch, steps, directions, hidden].
  std::vector<Value> results = {Value{}};
  if (n.wants(0)) {
    const int64_t axis = layout == 1 ? 2 : 1;
    for (Value &y : outputs)
      y = n.unsqueeze(layout == 1 ? n.transpose(y, {1, 0, 2}) : y, {axis});
    results[0] = n.concat(outputs, axis);
  }
  for (auto &states : last) {
    for (auto &s : states)
      s = n.unsqueeze(s, {layout == 1 ? 1 : 0});
    results.push_back(n.concat(states, layout == 1 ? 1 : 0));
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
