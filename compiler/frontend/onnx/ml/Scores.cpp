#include "compiler/frontend/onnx/ml/Scores.h"

#include <array>
#include <cmath>
#include <numeric>

namespace imbrex::frontend {

Value featureRows(NodeContext &n) {
  Value x = n.require(0);
  if (n.failed())
    return {};
  if (n.rank(x) != 1 && n.rank(x) != 2)
    return n.invalid("its input is neither a matrix nor a vector"), Value{};
  if (!isFloat(n.dtype(x)))
    x = n.cast(x, DType::F32);
  return n.rank(x) == 1 ? n.unsqueeze(x, {0}) : x;
}

std::vector<double> realsOf(NodeContext &n, const std::string &name) {
  const std::string tensor = name + "_as_tensor";
  if (!n.hasAttr(tensor))
    return n.fs(name);
  std::vector<double> out;
  if (auto t = n.tensor(tensor))
    for (int64_t i = 0; i < t->elems(); ++i)
      out.push_back(t->toDouble(i));
  return out;
}

Value realTensor(NodeContext &n, const std::vector<double> &values, DType type,
                 const std::vector<int64_t> &shape) {
  if (type == DType::F32) { // here, not by an operator: there may be many
    const std::vector<float> narrow(values.begin(), values.end());
    return n.constant(HostTensor::of<float>(type, shape, narrow));
  }
  return n.cast(n.constant(HostTensor::of<double>(DType::F64, shape, values)), type);
}

int64_t labelCount(NodeContext &n, const std::string &stem) {
  if (auto texts = textList(n, stem + "_strings"); texts && !texts->empty())
    return static_cast<int64_t>(texts->size());
  for (const char *kind : {"_ints", "_int64s"})
    if (n.hasAttr(stem + kind))
      return static_cast<int64_t>(n.is(stem + kind).size());
  return 0;
}

Value labels(NodeContext &n, const std::string &stem, int64_t count) {
  if (auto texts = textList(n, stem + "_strings"); texts && !texts->empty())
    return textVector(n, *texts);
  for (const char *kind : {"_ints", "_int64s"})
    if (n.hasAttr(stem + kind))
      return n.intVector(n.is(stem + kind));
  std::vector<int64_t> places(static_cast<size_t>(count));
  std::iota(places.begin(), places.end(), 0);
  return n.intVector(places);
}

PostTransform postTransform(NodeContext &n) {
  constexpr std::array<std::string_view, 5> words = {"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO",
                                                     "PROBIT"};
  const std::string word = n.s("post_transform", "NONE");
  for (size_t k = 0; k < words.size(); ++k)
    if (words[k] == word)
      return static_cast<PostTransform>(k);
  n.invalid("'" + word + "' is not known", "post_transform");
  return PostTransform::None;
}

/// sqrt(2) * erf⁻¹(2p - 1): Winitzki's approximation, refined by two Newton steps.
static Value probit(NodeContext &n, Value p) {
  auto num = [&](double v) { return n.scalar(v, DType::F64); };
  auto op = [&](const char *name, Value a, Value b) { return n.apply(name, {a, b}); };
  Value x = op("sub", op("mul", n.cast(p, DType::F64), num(2)), num(1));
  Value log = n.apply("log", {op("mul", op("sub", num(1), x), op("add", num(1), x))});
  Value v = op("add", op("mul", log, num(0.5)), num(2 / (M_PI * 0.147)));
  Value root = n.apply("sqrt", {op("sub", op("mul", v, v), op("div", log, num(0.147)))});
  Value y = op("mul", n.apply("sign", {x}), n.apply("sqrt", {op("sub", root, v)}));
  for (int k = 0; k < 2; ++k) {
    Value slope =
        op("mul", n.apply("exp", {n.apply("neg", {op("mul", y, y)})}), num(2 / std::sqrt(M_PI)));
    y = op("sub", y, op("div", op("sub", n.apply("erf", {y}), x), slope));
  }
  return n.cast(op("mul", y, num(std::sqrt(2.0))), n.dtype(p));
}

Value transformed(NodeContext &n, Value scores, PostTransform how) {
  if (n.failed())
    return {};
  const auto last = attrs({{"axis", int64_t(-1)}});
  switch (how) {
  case PostTransform::None:
    return scores;
  case PostTransform::Softmax:
    return n.apply("softmax", {scores}, last);
  case PostTransform::Logistic:
    return n.apply("sigmoid", {scores});
  case PostTransform::SoftmaxZero: { // zeros stay, and take no part
    Value zero = n.scalar(0, n.dtype(scores));
    Value isZero = n.apply("equal", {scores, zero});
    Value most = n.apply("reduce_max", {scores},
                         attrs({{"axes", std::vector<int64_t>{-1}}, {"keepdims", int64_t(1)}}));
    Value power = n.apply("exp", {n.apply("sub", {scores, most})});
    power = n.apply("where", {isZero, zero, power});
    Value sum = n.apply("reduce_sum", {power},
                        attrs({{"axes", std::vector<int64_t>{-1}}, {"keepdims", int64_t(1)}}));
    return n.apply("where", {isZero, zero, n.apply("div", {power, sum})});
  }
  case PostTransform::Probit:
    return probit(n, scores);
  }
  return {};
}

Value bothClasses(NodeContext &n, Value score, PostTransform how, SecondClass second) {
  if (how == PostTransform::Probit)
    return n.unsupported("PROBIT of one score for two classes", {}, "post_transform"), Value{};
  Value other = second == SecondClass::Complement && how != PostTransform::Logistic
                    ? n.apply("sub", {n.scalar(1, n.dtype(score)), score})
                    : n.apply("neg", {score});
  Value both = n.concat({other, score}, 1);
  return how == PostTransform::Logistic ? n.apply("sigmoid", {both}) : both;
}

void classified(NodeContext &n, Value places, Value labels, Value scores) {
  Value label = n.apply("gather", {labels, places}, attrs({{"axis", int64_t(0)}}));
  n.results({label, n.cast(scores, DType::F32)});
}

} // namespace imbrex::frontend
