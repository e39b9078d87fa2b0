// Optimizers of the preview training domain: one step for each tensor, elementwise.
#include "compiler/frontend/onnx/Converters.h"

namespace imbrex::frontend {
namespace {

/// Rate, step count, then the tensors grouped by role: all x, all gradients, all of the first
/// state, ….
class Optimizer {
public:
  Optimizer(NodeContext &n, size_t roles) : n(n), roles(roles) {}

  /// `update` takes the roles' values of one tensor and gives x and the states anew.
  template <class Update> void run(Update update) {
    n.require(0), n.require(1);
    size_t count = n.inputCount() < 2 ? 0 : (n.inputCount() - 2) / roles;
    if (count == 0 || 2 + count * roles != n.inputCount())
      return n.invalid("its tensors are not " + std::to_string(roles) + " for each optimized one");
    std::vector<Value> results(count * (roles - 1));
    for (size_t k = 0; k < count; ++k) {
      std::vector<Value> own;
      for (size_t r = 0; r < roles; ++r)
        own.push_back(n.require(2 + r * count + k));
      type = n.dtype(own[0]);
      auto updated = update(own);
      for (size_t r = 0; r < updated.size(); ++r)
        results[r * count + k] = updated[r];
    }
    n.results(std::move(results));
  }

  Value rate() { return n.cast(n.in(0), type); }
  Value steps() { return n.cast(n.in(1), type); }
  Value num(double v) { return n.scalar(v, type); }
  Value add(Value a, Value b) { return n.apply("add", {a, b}); }
  Value sub(Value a, Value b) { return n.apply("sub", {a, b}); }
  Value mul(Value a, Value b) { return n.apply("mul", {a, b}); }
  Value div(Value a, Value b) { return n.apply("div", {a, b}); }
  Value root(Value a) { return n.apply("sqrt", {a}); }
  /// After the first step `later`, else `first`.
  Value afterFirst(Value later, Value first) {
    return n.apply("where", {n.apply("greater", {steps(), num(0)}), later, first});
  }
  /// The gradient with that of the L2 penalty.
  Value gradient(Value x, Value g, double penalty) { return add(mul(num(penalty), x), g); }

  NodeContext &n;
  size_t roles;
  DType type = DType::F32;
};

void momentum(NodeContext &n) {
  Optimizer o(n, 3);
  double alpha = n.f("alpha", 0), beta = n.f("beta", 0), penalty = n.f("norm_coefficient", 0);
  bool nesterov = n.s("mode", "standard") == "nesterov";
  o.run([&](const std::vector<Value> &t) {
    Value g = o.gradient(t[0], t[1], penalty);
    Value weight = o.afterFirst(o.num(beta), o.num(1));
    Value v = o.add(o.mul(o.num(alpha), t[2]), o.mul(weight, g));
    Value step = nesterov ? o.add(g, o.mul(o.num(alpha), v)) : v;
    return std::vector{o.sub(t[0], o.mul(o.rate(), step)), v};
  });
}

void adagrad(NodeContext &n) {
  Optimizer o(n, 3);
  double decay = n.f("decay_factor", 0), epsilon = n.f("epsilon", 1e-6f);
  double penalty = n.f("norm_coefficient", 0);
  o.run([&](const std::vector<Value> &t) {
    Value rate = o.div(o.rate(), o.add(o.num(1), o.mul(o.steps(), o.num(decay))));
    Value g = o.gradient(t[0], t[1], penalty);
    Value h = o.add(t[2], o.mul(g, g));
    Value scale = o.add(o.root(h), o.num(epsilon));
    return std::vector{o.sub(t[0], o.div(o.mul(rate, g), scale)), h};
  });
}

void adam(NodeContext &n) {
  Optimizer o(n, 4);
  double alpha = n.f("alpha", 0.9f), beta = n.f("beta", 0.999f), epsilon = n.f("epsilon", 1e-6f);
  double penalty = n.f("norm_coefficient", 0), post = n.f("norm_coefficient_post", 0);
  o.run([&](const std::vector<Value> &t) {
    Value g = o.gradient(t[0], t[1], penalty);
    Value v = o.add(o.mul(o.num(alpha), t[2]), o.mul(o.num(1 - alpha), g));
    Value h = o.add(o.mul(o.num(beta), t[3]), o.mul(o.num(1 - beta), o.mul(g, g)));
    auto rest = [&](double base) { // 1 - base ** steps
      return o.sub(o.num(1), n.apply("pow", {o.num(base), o.steps()}));
    };
    Value corrected = o.div(o.mul(o.rate(), o.root(rest(beta))), rest(alpha));
    Value rate = o.afterFirst(corrected, o.rate());
    Value x = o.sub(t[0], o.mul(rate, o.div(v, o.add(o.root(h), o.num(epsilon)))));
    return std::vector{o.mul(o.num(1 - post), x), v, h};
  });
}

constexpr ConverterRow kRows[] = {
    {"ai.onnx.preview.training.Adagrad", 1, adagrad},
    {"ai.onnx.preview.training.Adam", 1, adam},
    {"ai.onnx.preview.training.Momentum", 1, momentum},
};

} // namespace

ConverterRows trainingRows() { return kRows; }

} // namespace imbrex::frontend
