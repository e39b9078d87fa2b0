// Losses of classification, out of gathers and reductions.
#include "compiler/frontend/onnx/Converters.h"

namespace imbrex::frontend {
namespace {

struct Weighted {
  Value loss, weight; // one a target; the weight is invalid where all are 1
};

/// -x[n, target[n, …], …] times the weight of the target's class; 0 where the target is ignored.
Weighted weightedLoss(NodeContext &n, Value x, Value target, Value classWeight) {
  DType t = n.dtype(x);
  Value ignored, place = target;
  if (n.hasAttr("ignore_index")) {
    Value index = n.scalar(double(n.i("ignore_index", 0)), n.dtype(target));
    ignored = n.apply("equal", {target, index});
    place = n.apply("where", {ignored, n.scalar(0, n.dtype(target)), target});
  }
  Value picked =
      n.apply("gather_elements", {x, n.unsqueeze(place, {1})}, attrs({{"axis", int64_t(1)}}));
  Weighted w{n.apply("neg", {n.squeeze(picked, {1})}), {}};
  if (classWeight.valid())
    w.weight = n.apply("gather", {classWeight, place}, attrs({{"axis", int64_t(0)}}));
  if (ignored.valid())
    w.weight =
        n.apply("where", {ignored, n.scalar(0, t), w.weight.valid() ? w.weight : n.scalar(1, t)});
  if (w.weight.valid())
    w.loss = n.apply("mul", {w.loss, w.weight});
  return w;
}

Value reducedLoss(NodeContext &n, Value x, Value target, Value classWeight) {
  std::string reduction = n.s("reduction", "mean");
  Weighted w = weightedLoss(n, x, target, classWeight);
  auto none = attrs({{"keepdims", int64_t(0)}});
  if (reduction == "none")
    return w.loss;
  if (reduction != "sum" && reduction != "mean") {
    n.invalid("its attribute reduction is '" + reduction + "'", "reduction");
    return {};
  }
  if (reduction == "mean" && !w.weight.valid())
    return n.apply("reduce_mean", {w.loss}, none);
  Value sum = n.apply("reduce_sum", {w.loss}, none);
  return reduction == "sum" ? sum : n.apply("div", {sum, n.apply("reduce_sum", {w.weight}, none)});
}

void negativeLogLikelihood(NodeContext &n) {
  n.result(reducedLoss(n, n.require(0), n.require(1), n.in(2)));
}

void softmaxCrossEntropy(NodeContext &n) {
  Value logs = n.apply("log_softmax", {n.require(0)}, attrs({{"axis", int64_t(1)}}));
  n.results({reducedLoss(n, logs, n.require(1), n.in(2)), logs});
}

constexpr ConverterRow kRows[] = {
    {"NegativeLogLikelihoodLoss", 12, negativeLogLikelihood},
    {"SoftmaxCrossEntropyLoss", 12, softmaxCrossEntropy},
};

} // namespace

ConverterRows lossRows() { return kRows; }

} // namespace imbrex::frontend
