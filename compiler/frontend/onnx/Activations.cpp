// Activations: one operand, formulas with constants.
#include "compiler/frontend/onnx/Converters.h"

namespace imbrex::frontend {

#define PLAIN(op) +[](NodeContext &n) { n.result(n.apply(op, n.all())); }

static void withAlpha(NodeContext &n, const char *op, double fallback) {
  n.result(n.apply(op, n.all(), attrs({{"alpha", n.f("alpha", fallback)}})));
}

static void selu(NodeContext &n) {
  n.result(n.apply("selu", n.all(),
                   attrs({{"alpha", n.f("alpha", 1.67326319217681884765625)},
                          {"gamma", n.f("gamma", 1.05070102214813232421875)}})));
}

static void hardSigmoid(NodeContext &n) {
  n.result(n.apply("hard_sigmoid", n.all(),
                   attrs({{"alpha", n.f("alpha", 0.2f)}, {"beta", n.f("beta", 0.5)}})));
}

static void gelu(NodeContext &n) {
  n.result(n.apply("gelu", n.all(), attrs({{"approximate", n.s("approximate", "none")}})));
}

static void shrink(NodeContext &n) {
  n.result(
      n.apply("shrink", n.all(), attrs({{"lambd", n.f("lambd", 0.5)}, {"bias", n.f("bias", 0)}})));
}

/// As in training: a share of the elements becomes 0, the others grow so that the mean stays.
static void dropping(NodeContext &n, double share) {
  Value x = n.in(0);
  if (!(share > 0 && share < 1))
    return n.invalid("it drops a share of " + std::to_string(share), "ratio");
  Value r = drawn(n, false, n.dims(x), n.dtype(x));
  if (n.failed())
    return;
  Value kept = n.apply("less_equal", {n.scalar(share, n.dtype(r)), r});
  Value grown = n.apply("mul", {x, n.scalar(1 / (1 - share), n.dtype(x))});
  n.results({n.apply("where", {kept, grown, n.scalar(0, n.dtype(x))}), kept});
}

/// Inference: the input, and a mask that is true everywhere; 1 in the input's type before operator
/// set 10.
static void dropout(NodeContext &n) {
  Value x = n.require(0);
  if (n.has(2)) {
    n.needConstant(1, "ratio");
    auto training = n.ints(n.in(2), "training mode");
    if (!training)
      return;
    const auto *ratio = n.constantOf(n.in(1));
    const double share = ratio ? ratio->toDouble(0) : 0.5;
    if ((*training)[0] != 0 && share != 0)
      return dropping(n, share);
  }
  Value mask;
  if (n.wants(1))
    mask = n.apply("equal", {n.cast(x, DType::Bool), n.cast(x, DType::Bool)});
  if (mask.valid() && n.opset() < 10)
    mask = n.cast(mask, n.dtype(x));
  n.results({x, mask});
}

static constexpr ConverterRow kRows[] = {
    {"Celu", 12, [](NodeContext &n) { withAlpha(n, "celu", 1); }},
    {"Dropout", 7, dropout},
    {"Elu", 6, [](NodeContext &n) { withAlpha(n, "elu", 1); }},
    {"Gelu", 20, gelu},
    {"HardSigmoid", 6, hardSigmoid},
    {"HardSwish", 14, PLAIN("hard_swish")},
    {"LeakyRelu", 6, [](NodeContext &n) { withAlpha(n, "leaky_relu", 0.01f); }},
    {"Mish", 18, PLAIN("mish")},
    {"Relu", 6, PLAIN("relu")},
    {"Selu", 6, selu},
    {"Shrink", 9, shrink},
    {"Softplus", 1, PLAIN("softplus")},
    {"Softsign", 1, PLAIN("softsign")},
    {"Swish", 24, [](NodeContext &n) { withAlpha(n, "swish", 1); }},
    {"ThresholdedRelu", 10, [](NodeContext &n) { withAlpha(n, "thresholded_relu", 1); }},
};

ConverterRows activationRows() { return kRows; }

} // namespace imbrex::frontend
