// Elementwise and broadcasting operators, casts and comparisons.
#include "compiler/frontend/onnx/Converters.h"

#include <limits>

namespace imbrex::frontend {

/// Operators whose operands and meaning are those of ours, without attributes.
#define PLAIN(op) +[](NodeContext &n) { n.result(n.apply(op, n.all())); }

/// op over `operands`, from left to right, in steps.
static Value inSteps(NodeContext &n, const char *op, const std::vector<Value> &operands) {
  Value y = operands.front();
  for (size_t k = 1; k < operands.size(); k += opmeaning::kMaxOperands - 1) {
    std::vector<Value> step = {y};
    for (size_t i = k; i < std::min(operands.size(), k + opmeaning::kMaxOperands - 1); ++i)
      step.push_back(operands[i]);
    y = n.apply(op, std::move(step));
  }
  return y;
}

void variadic(NodeContext &n, const char *op) {
  std::vector<Value> all = n.all();
  if (all.size() <= opmeaning::kMaxOperands)
    return n.result(all.size() == 1 ? all.front() : n.apply(op, all));
  // A sum of short floats is rounded once, behind its last operand.
  const DType type = n.dtype(n.require(0)), wide = opmeaning::accumulatorFor(type);
  const bool mean = std::string_view(op) == "mean", adds = mean || std::string_view(op) == "sum";
  if (adds && wide != type)
    for (Value &v : all)
      v = n.cast(v, wide);
  Value y = inSteps(n, mean ? "sum" : op, all);
  if (mean)
    y = n.apply("div", {y, n.scalar(static_cast<double>(all.size()), wide)});
  n.result(adds ? n.cast(y, type) : y);
}

static void mod(NodeContext &n) {
  n.result(n.apply("mod", n.all(), attrs({{"fmod", n.i("fmod", 0)}})));
}

static void bitShift(NodeContext &n) {
  std::string way = n.s("direction", "");
  n.result(n.apply("shift", n.all(),
                   attrs({{"direction", std::string(way == "LEFT" ? "left" : "right")}})));
}

static void isInf(NodeContext &n) {
  n.result(n.apply("is_inf", n.all(),
                   attrs({{"detect_negative", n.i("detect_negative", 1)},
                          {"detect_positive", n.i("detect_positive", 1)}})));
}

/// The largest finite number of a type of floats; nothing for others, which a missing bound does
/// not limit.
static std::optional<double> largest(DType t) {
  switch (t) {
  case DType::F16:
    return 65504;
  case DType::BF16:
    return 0x1.fep127;
  case DType::F32:
    return std::numeric_limits<float>::max();
  case DType::F64:
    return std::numeric_limits<double>::max();
  default:
    return std::nullopt;
  }
}

static void clip6(NodeContext &n) {
  DType t = n.dtype(n.require(0));
  const double most = std::numeric_limits<float>::max();
  n.result(
      n.apply("clip", {n.in(0), n.scalar(n.f("min", -most), t), n.scalar(n.f("max", most), t)}));
}

/// A bound that is missing is the lowest or largest finite number, so that infinities are limited.
static void clip11(NodeContext &n) {
  Value x = n.require(0);
  if (n.failed())
    return;
  auto bound = [&](size_t i, double sign) {
    const auto most = largest(n.dtype(x));
    return n.has(i) || !most ? n.in(i) : n.scalar(sign * *most, n.dtype(x));
  };
  n.result(n.apply("clip", {x, bound(1, -1), bound(2, 1)}));
}

Value castValue(NodeContext &n, Value v, DType to) {
  if (n.failed() || n.dtype(v) == to)
    return v;
  if (to == DType::String)
    return n.apply("to_strings", {v});
  if (n.dtype(v) == DType::String)
    return n.apply("from_strings", {v}, attrs({{"dtype", int64_t(to)}}));
  return n.apply(
      "cast", {v},
      attrs(
          {{"to", to}, {"saturate", n.i("saturate", 1)}, {"round_mode", n.s("round_mode", "up")}}));
}

static void castTo(NodeContext &n, DType to) { n.result(castValue(n, n.require(0), to)); }

static void cast(NodeContext &n) {
  if (!n.hasAttr("to"))
    return n.invalid("its attribute 'to' is missing", "to");
  castTo(n, n.type("to", DType::F32));
}

static void castLike(NodeContext &n) { castTo(n, n.dtype(n.require(1))); }

static constexpr ConverterRow kRows[] = {
    {"Abs", 6, PLAIN("abs")},
    {"Acos", 7, PLAIN("acos")},
    {"Acosh", 9, PLAIN("acosh")},
    {"Add", 7, PLAIN("add")},
    {"And", 7, PLAIN("and")},
    {"Asin", 7, PLAIN("asin")},
    {"Asinh", 9, PLAIN("asinh")},
    {"Atan", 7, PLAIN("atan")},
    {"Atanh", 9, PLAIN("atanh")},
    {"BitCast", 26,
     [](NodeContext &n) {
       n.result(n.apply("bitcast", n.all(), attrs({{"to", n.type("to", DType::F32)}})));
     }},
    {"BitShift", 11, bitShift},
    {"BitwiseAnd", 18, PLAIN("bitwise_and")},
    {"BitwiseNot", 18, PLAIN("bitwise_not")},
    {"BitwiseOr", 18, PLAIN("bitwise_or")},
    {"BitwiseXor", 18, PLAIN("bitwise_xor")},
    {"Cast", 6, cast},
    {"CastLike", 15, castLike},
    {"Ceil", 6, PLAIN("ceil")},
    {"Clip", 6, clip6},
    {"Clip", 11, clip11},
    {"Cos", 7, PLAIN("cos")},
    {"Cosh", 9, PLAIN("cosh")},
    {"Div", 7, PLAIN("div")},
    {"Equal", 7, PLAIN("equal")},
    {"Erf", 9, PLAIN("erf")},
    {"Exp", 6, PLAIN("exp")},
    {"Floor", 6, PLAIN("floor")},
    {"Greater", 7, PLAIN("greater")},
    {"GreaterOrEqual", 12, PLAIN("greater_equal")},
    {"IsInf", 10, isInf},
    {"IsNaN", 9, PLAIN("is_nan")},
    {"Less", 7, PLAIN("less")},
    {"LessOrEqual", 12, PLAIN("less_equal")},
    {"Log", 6, PLAIN("log")},
    {"Max", 8, [](NodeContext &n) { variadic(n, "max"); }},
    {"Mean", 8, [](NodeContext &n) { variadic(n, "mean"); }},
    {"Min", 8, [](NodeContext &n) { variadic(n, "min"); }},
    {"Mod", 10, mod},
    {"Mul", 7, PLAIN("mul")},
    {"Neg", 6, PLAIN("neg")},
    {"Not", 1, PLAIN("logical_not")},
    {"Or", 7, PLAIN("or")},
    {"PRelu", 7, PLAIN("prelu")},
    {"Pow", 7, PLAIN("pow")},
    {"Reciprocal", 6, PLAIN("recip")},
    {"Round", 11, PLAIN("round")},
    {"Sigmoid", 6, PLAIN("sigmoid")},
    {"Sign", 9, PLAIN("sign")},
    {"Sin", 7, PLAIN("sin")},
    {"Sinh", 9, PLAIN("sinh")},
    {"Sqrt", 6, PLAIN("sqrt")},
    {"Sub", 7, PLAIN("sub")},
    {"Sum", 8, [](NodeContext &n) { variadic(n, "sum"); }},
    {"Tan", 7, PLAIN("tan")},
    {"Tanh", 6, PLAIN("tanh")},
    {"Where", 9, PLAIN("where")},
    {"Xor", 7, PLAIN("xor")},
};

ConverterRows elementwiseRows() { return kRows; }

} // namespace imbrex::frontend
