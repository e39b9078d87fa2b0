// Softmax and normalizations.
#include "compiler/frontend/onnx/Converters.h"

namespace imbrex::frontend {
namespace {

void alongAxis(NodeContext &n, const char *op) {
  n.result(n.apply(op, {n.require(0)}, attrs({{"axis", n.i("axis", -1)}})));
}

/// Before operator set 13 the axes from `axis` on were one: the operator works on a matrix. Until
/// operator set 11 there may be none of them.
void coerced(NodeContext &n, const char *op) {
  Value x = n.require(0);
  int64_t rank = n.rank(x), axis = n.i("axis", 1);
  if (axis != rank || n.opset() >= 11)
    axis = n.axis(axis, rank);
  if (axis == rank - 1)
    return n.result(n.apply(op, {x}, attrs({{"axis", int64_t(-1)}})));
  Value matrix = n.apply("flatten", {x}, attrs({{"axis", axis}}));
  Value y = n.apply(op, {matrix}, attrs({{"axis", int64_t(1)}}));
  n.result(n.reshapeTo(y, n.dims(x)));
}

void lpNormalization(NodeContext &n) {
  n.result(n.apply("lp_normalization", {n.require(0)},
                   attrs({{"axis", n.i("axis", -1)}, {"p", n.i("p", 2)}})));
}

void layerNorm(NodeContext &n) {
  n.results(n.applyMany("layer_norm", {n.require(0), n.in(1), n.in(2)},
                        attrs({{"axis", n.i("axis", -1)}, {"epsilon", n.f("epsilon", 1e-5f)}}), 3));
}

void rmsNorm(NodeContext &n) {
  n.result(n.apply("rms_norm", {n.require(0), n.in(1)},
                   attrs({{"axis", n.i("axis", -1)}, {"epsilon", n.f("epsilon", 1e-5f)}})));
}

/// Statistics of the batch, and the running ones moved towards them.
void batchNormTraining(NodeContext &n) {
  Value x = n.require(0);
  std::vector<int64_t> axes = {0};
  for (int64_t k = 2; k < n.rank(x); ++k)
    axes.push_back(k);
  auto mean = [&](Value v) {
    return n.apply("reduce_mean", {v}, attrs({{"axes", axes}, {"keepdims", int64_t(1)}}));
  };
  Value wide = n.cast(x, n.dtype(n.require(3)));
  Value center = mean(wide);
  Value off = n.apply("sub", {wide, center});
  Value variance = n.squeeze(mean(n.apply("mul", {off, off})), axes);
  center = n.squeeze(center, axes);
  Value y = n.apply("batch_norm", {x, n.require(1), n.require(2), center, variance},
                    attrs({{"epsilon", n.f("epsilon", 1e-5f)}}));
  double momentum = n.f("momentum", 0.9f);
  auto moved = [&](Value old, Value now) {
    DType t = n.dtype(old);
    return n.apply("add", {n.apply("mul", {old, n.scalar(momentum, t)}),
                           n.apply("mul", {n.cast(now, t), n.scalar(1 - momentum, t)})});
  };
  n.results({y, moved(n.in(3), center), moved(n.require(4), variance)});
}

/// Until operator set 8 statistics may be those of each place, not of each channel.
void batchNormOfPlaces(NodeContext &n) {
  auto apply = [&](const char *op, Value a, Value b) { return n.apply(op, {a, b}); };
  Value x = n.require(0), variance = n.require(4);
  if (n.wants(1))
    return n.unsupported("statistics for each place are not made in training", "", "spatial");
  Value wide = apply("add", variance, n.scalar(n.f("epsilon", 1e-5f), n.dtype(variance)));
  Value y = apply("div", apply("sub", x, n.require(3)), n.apply("sqrt", {wide}));
  n.result(apply("add", apply("mul", y, n.require(1)), n.require(2)));
}

void batchNorm(NodeContext &n) {
  if (n.opset() < 9 && n.i("spatial", 1) == 0)
    return batchNormOfPlaces(n);
  bool training = n.opset() >= 14  ? n.i("training_mode", 0) != 0
                  : n.opset() >= 7 ? n.wants(1)
                                   : n.i("is_test", 0) == 0 && n.wants(1);
  if (training)
    return batchNormTraining(n);
  n.result(n.apply("batch_norm",
                   {n.require(0), n.require(1), n.require(2), n.require(3), n.require(4)},
                   attrs({{"epsilon", n.f("epsilon", 1e-5f)}})));
}

void instanceNorm(NodeContext &n) {
  n.result(n.apply("instance_norm", n.all(), attrs({{"epsilon", n.f("epsilon", 1e-5f)}})));
}

void groupNorm(NodeContext &n, Value scale, Value bias) {
  n.result(n.apply("group_norm", {n.require(0), scale, bias},
                   attrs({{"groups", n.i("num_groups", 0)}, {"epsilon", n.f("epsilon", 1e-5f)}})));
}

/// Operator set 18 scales groups: each channel takes its group's number.
void groupNorm18(NodeContext &n) {
  Value x = n.require(0), scale = n.require(1), bias = n.require(2);
  const int64_t groups = n.i("num_groups", 0);
  if (n.failed() || groups < 1 || n.rank(x) < 2)
    return n.invalid("its input has no channels, or it has no groups");
  const DimExpr each = floorDiv(n.dims(x)[1], groups);
  auto ofChannels = [&](Value v) {
    Value rows = n.apply("expand", {n.reshape(v, {groups, 1}), n.sizes({groups, each})});
    return n.reshape(rows, {-1});
  };
  groupNorm(n, ofChannels(scale), ofChannels(bias));
}
void groupNorm21(NodeContext &n) { groupNorm(n, n.require(1), n.require(2)); }

void meanVariance(NodeContext &n) {
  n.result(n.apply("mean_variance_normalization", {n.require(0)},
                   attrs({{"axes", n.is("axes", {0, 2, 3})}})));
}

void lrn(NodeContext &n) {
  n.result(n.apply("lrn", {n.require(0)},
                   attrs({{"size", n.i("size", 0)},
                          {"alpha", n.f("alpha", 1e-4f)},
                          {"beta", n.f("beta", 0.75)},
                          {"bias", n.f("bias", 1)}})));
}

constexpr ConverterRow kRows[] = {
    {"BatchNormalization", 6, batchNorm},
    {"GroupNormalization", 18, groupNorm18},
    {"GroupNormalization", 21, groupNorm21},
    {"Hardmax", 1, [](NodeContext &n) { coerced(n, "hardmax"); }},
    {"Hardmax", 13, [](NodeContext &n) { alongAxis(n, "hardmax"); }},
    {"InstanceNormalization", 6, instanceNorm},
    {"LRN", 1, lrn},
    {"LayerNormalization", 17, layerNorm},
    {"LogSoftmax", 1, [](NodeContext &n) { coerced(n, "log_softmax"); }},
    {"LogSoftmax", 13, [](NodeContext &n) { alongAxis(n, "log_softmax"); }},
    {"LpNormalization", 1, lpNormalization},
    {"MeanVarianceNormalization", 9, meanVariance},
    {"RMSNormalization", 23, rmsNorm},
    {"Softmax", 1, [](NodeContext &n) { coerced(n, "softmax"); }},
    {"Softmax", 13, [](NodeContext &n) { alongAxis(n, "softmax"); }},
};

} // namespace

ConverterRows normalizeRows() { return kRows; }

} // namespace imbrex::frontend
