// Linear regressors and classifiers of the ai.onnx.ml domain: a matrix product, and what becomes of
// its scores.
#include "compiler/frontend/onnx/ml/Scores.h"

namespace imbrex::frontend {
namespace {

/// Scores [rows, outputs]: x times the coefficients, which are one row an output, and intercepts.
Value scores(NodeContext &n, Value x, int64_t outputs) {
  const auto coefficients = n.fs("coefficients"), intercepts = n.fs("intercepts");
  const auto count = static_cast<int64_t>(coefficients.size());
  if (n.failed())
    return {};
  if (outputs < 1 || count == 0 || count % outputs)
    return n.invalid("its coefficients do not divide into " + std::to_string(outputs) + " rows",
                     "coefficients"),
           Value{};
  const auto extra = static_cast<int64_t>(intercepts.size());
  if (extra != 0 && extra != outputs)
    return n.invalid("it has " + std::to_string(extra) + " intercepts for " +
                         std::to_string(outputs) + " outputs",
                     "intercepts"),
           Value{};
  const DType type = n.dtype(x);
  Value w = realTensor(n, coefficients, type, {outputs, count / outputs});
  Value y = n.apply("matmul", {x, w}, attrs({{"trans_b", int64_t(1)}}));
  return extra ? n.apply("add", {y, realTensor(n, intercepts, type, {outputs})}) : y;
}

void regressor(NodeContext &n) {
  const PostTransform how = postTransform(n);
  Value y = scores(n, featureRows(n), n.i("targets", 1));
  // One target has nothing to be compared with.
  if (n.i("targets", 1) == 1 && how != PostTransform::Probit && how != PostTransform::Logistic)
    return n.result(n.cast(y, DType::F32));
  n.result(n.cast(transformed(n, y, how), DType::F32));
}

void classifier(NodeContext &n) {
  const PostTransform how = postTransform(n);
  const int64_t named = labelCount(n, "classlabels");
  const auto intercepts = static_cast<int64_t>(n.fs("intercepts").size());
  const int64_t outputs = intercepts ? intercepts : named;
  Value y = scores(n, featureRows(n), outputs);
  if (n.failed())
    return;
  if (outputs > 1) {
    if (named && named != outputs)
      return n.invalid("it has " + std::to_string(named) + " labels for " +
                           std::to_string(outputs) + " classes",
                       "classlabels_ints");
    Value best = n.apply("argmax", {y}, attrs({{"axis", int64_t(1)}, {"keepdims", int64_t(0)}}));
    return classified(n, best, labels(n, "classlabels", outputs), transformed(n, y, how));
  }
  if (named && named != 2)
    return n.invalid("one score decides between two classes, and it has " + std::to_string(named) +
                         " labels",
                     "classlabels_ints");
  Value zero = n.scalar(0, n.dtype(y));
  Value second = n.cast(n.squeeze(n.apply("greater", {y, zero}), {1}), DType::I64);
  Value both = named ? bothClasses(n, y, how, SecondClass::Complement) : y;
  classified(n, second, labels(n, "classlabels", 2), both);
}

constexpr ConverterRow kRows[] = {
    {"ai.onnx.ml.LinearClassifier", 1, classifier},
    {"ai.onnx.ml.LinearRegressor", 1, regressor},
};

} // namespace

ConverterRows linearModelRows() { return kRows; }

} // namespace imbrex::frontend
