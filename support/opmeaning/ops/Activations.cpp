// Activations: formulas over one element. They are computed in f32 for f16 and bf16, and rounded
// once.
#include "support/opmeaning/ops/Common.h"
#include "support/opmeaning/ops/Families.h"

#include <cmath>
#include <numbers>

namespace imbrex::opmeaning {
namespace {

/// A formula over x in `type` with the constants it needs.
struct Formula {
  Builder &b;
  DType type;

  Val num(double v) const { return b.constant(v, type); }
  Val fn(FnId f, const Val &x) const { return b.f(f, {x}); }
  Val fn(FnId f, const Val &x, const Val &y) const { return b.f(f, {x, y}); }
  Val max(const Val &x, double y) const { return fn(FnId::Max, x, num(y)); }
  Val min(const Val &x, double y) const { return fn(FnId::Min, x, num(y)); }
  Pred less(const Val &x, const Val &y) const { return b.holds(fn(FnId::Lt, x, y)); }
  Val pick(const Pred &p, const Val &x, const Val &y) const {
    return b.select(p, [&] { return x; }, [&] { return y; });
  }
  /// log(1 + exp(x)) without overflow, and right where exp(x) is far below 1.
  Val softplus(const Val &x) const {
    return max(x, 0) + fn(FnId::Log1p, fn(FnId::Exp, -fn(FnId::Abs, x)));
  }
  Val hardSigmoid(const Val &x, double alpha, double beta) const {
    return max(min(num(alpha) * x + num(beta), 1), 0);
  }
};

using Body = Val (*)(const Formula &, const Val &, const Attrs &);

template <Body body> Result<Program> activation(Builder &b, const Attrs &a) {
  auto x = *b.in(0);
  if (!checkFloat(b, x))
    return b.finish({});
  const DType t = computeType(x.type);
  auto y = defComputed(b, "y", x.type, x.dims,
                       [&](Axes i) { return body({b, t}, b.cast(x(list(i)), t), a); });
  return b.finish({y});
}

Result<Program> relu(Builder &b, const Attrs &) {
  auto x = *b.in(0);
  if (!checkNumeric(b, x))
    return b.finish({});
  auto y = b.def("y", x.type, x.dims,
                 [&](Axes i) { return b.f(FnId::Max, {x(list(i)), b.constant(0, x.type)}); });
  return b.finish({y});
}

Val leakyRelu(const Formula &m, const Val &x, const Attrs &a) {
  return m.pick(m.less(x, m.num(0)), m.num(a.r("alpha")) * x, x);
}
Val elu(const Formula &m, const Val &x, const Attrs &a) {
  return m.pick(m.less(x, m.num(0)), m.num(a.r("alpha")) * m.fn(FnId::Expm1, x), x);
}
Val selu(const Formula &m, const Val &x, const Attrs &a) {
  return m.num(a.r("gamma")) * elu(m, x, a);
}
Val celu(const Formula &m, const Val &x, const Attrs &a) {
  const Val alpha = m.num(a.r("alpha"));
  return m.max(x, 0) + m.min(alpha * m.fn(FnId::Expm1, x / alpha), 0);
}
Val thresholdedRelu(const Formula &m, const Val &x, const Attrs &a) {
  return m.pick(m.less(m.num(a.r("alpha")), x), x, m.num(0));
}
Val softplus(const Formula &m, const Val &x, const Attrs &) { return m.softplus(x); }
Val softsign(const Formula &m, const Val &x, const Attrs &) {
  return x / (m.num(1) + m.fn(FnId::Abs, x));
}
Val hardSigmoid(const Formula &m, const Val &x, const Attrs &a) {
  return m.hardSigmoid(x, a.r("alpha"), a.r("beta"));
}
Val hardSwish(const Formula &m, const Val &x, const Attrs &) {
  return x * m.hardSigmoid(x, 1.0 / 6, 0.5);
}
Val mish(const Formula &m, const Val &x, const Attrs &) {
  return x * m.fn(FnId::Tanh, m.softplus(x));
}
Val swish(const Formula &m, const Val &x, const Attrs &a) {
  return x * m.fn(FnId::Sigmoid, m.num(a.r("alpha")) * x);
}
Val gelu(const Formula &m, const Val &x, const Attrs &a) {
  const Val half = m.num(0.5) * x;
  if (a.s("approximate") == "tanh") {
    const Val inner = x + m.num(0.044715) * (x * x * x);
    return half * (m.num(1) + m.fn(FnId::Tanh, m.num(std::sqrt(2 / std::numbers::pi)) * inner));
  }
  return half * (m.num(1) + m.fn(FnId::Erf, x * m.num(std::numbers::sqrt2 / 2)));
}

Result<Program> geluMeaning(Builder &b, const Attrs &a) {
  const auto &form = a.s("approximate");
  if (form != "none" && form != "tanh")
    return failed(b, "approximate is \"" + form + "\", neither none nor tanh");
  return activation<gelu>(b, a);
}

/// Integers too: the bounds are real numbers, so the comparison is made in f64.
Result<Program> shrink(Builder &b, const Attrs &a) {
  auto x = *b.in(0);
  if (!checkNumeric(b, x))
    return b.finish({});
  const Formula m{b, computeType(x.type)};
  auto y = defComputed(b, "y", x.type, x.dims, [&](Axes i) {
    const Val v = b.cast(x(list(i)), m.type);
    const Val lambd = m.num(a.r("lambd")), bias = m.num(a.r("bias"));
    return m.pick(m.less(v, -lambd), v + bias, m.pick(m.less(lambd, v), v - bias, m.num(0)));
  });
  return b.finish({y});
}

} // namespace

void registerActivations(std::vector<Operator> &ops) {
  auto add = [&](std::string_view name, std::string_view doc, Meaning meaning,
                 std::vector<AttrDecl> attrs = {}) {
    ops.push_back({.name = name, .doc = doc, .attrs = std::move(attrs), .meaning = meaning});
  };
  auto alpha = [](double v) { return realAttr("alpha", v, "the factor in the formula"); };
  add("relu", "max(x, 0).", relu);
  add("leaky_relu", "x where x >= 0, else alpha * x.", activation<leakyRelu>, {alpha(0.01f)});
  add("elu", "x where x >= 0, else alpha * (exp(x) - 1).", activation<elu>, {alpha(1)});
  add("selu", "gamma * elu(x, alpha).", activation<selu>,
      {alpha(1.67326319217681884765625),
       realAttr("gamma", 1.05070102214813232421875, "the scale")});
  add("celu", "max(x, 0) + min(alpha * (exp(x / alpha) - 1), 0).", activation<celu>, {alpha(1)});
  add("thresholded_relu", "x where x > alpha, else 0.", activation<thresholdedRelu>, {alpha(1)});
  add("softplus", "log(1 + exp(x)).", activation<softplus>);
  add("softsign", "x / (1 + |x|).", activation<softsign>);
  add("hard_sigmoid", "alpha * x + beta, clamped to [0, 1].", activation<hardSigmoid>,
      {alpha(0.2f), realAttr("beta", 0.5, "the offset")});
  add("hard_swish", "x * hard_sigmoid(x, 1/6, 1/2).", activation<hardSwish>);
  add("mish", "x * tanh(softplus(x)).", activation<mish>);
  add("swish", "x * sigmoid(alpha * x).", activation<swish>, {alpha(1)});
  add("gelu", "x times the normal distribution function of x.", geluMeaning,
      {wordAttr("approximate", "none", "none, or tanh for the tanh approximation")});
  add("shrink", "x moved towards 0 by bias where |x| > lambd, else 0.", shrink,
      {realAttr("lambd", 0.5, "half the width of the zero band"),
       realAttr("bias", 0, "how far x moves")});
}

} // namespace imbrex::opmeaning
