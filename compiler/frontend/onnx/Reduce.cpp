// Reductions over axes, places of extremes, running sums.
#include "compiler/frontend/onnx/Converters.h"

namespace imbrex::frontend {
namespace {

/// No axes: all of them, or none where the model says so.
enum class EmptyAxes : uint8_t { All, None };

void reduced(NodeContext &n, const char *op, std::vector<int64_t> axes, EmptyAxes empty) {
  Value x = n.require(0);
  if (axes.empty() && empty == EmptyAxes::None) {
    // Each element is a reduction of its own: over a new axis of size 1.
    axes = {n.rank(x)};
    return n.result(
        n.apply(op, {n.unsqueeze(x, axes)}, attrs({{"axes", axes}, {"keepdims", int64_t(0)}})));
  }
  n.result(n.apply(op, {x}, attrs({{"axes", std::move(axes)}, {"keepdims", n.i("keepdims", 1)}})));
}

/// Axes as an attribute.
template <const char *const &op> void reduceAttr(NodeContext &n) {
  reduced(n, op, n.is("axes"), EmptyAxes::All);
}

/// Axes as an operand.
template <const char *const &op> void reduceInput(NodeContext &n) {
  auto axes = n.intsIn(1, "axes");
  reduced(n, op, axes.value_or(std::vector<int64_t>{}),
          n.i("noop_with_empty_axes", 0) ? EmptyAxes::None : EmptyAxes::All);
}

constexpr const char *kSum = "reduce_sum", *kProd = "reduce_prod", *kMax = "reduce_max",
                     *kMin = "reduce_min", *kMean = "reduce_mean", *kL1 = "reduce_l1",
                     *kL2 = "reduce_l2", *kSumSquare = "reduce_sum_square",
                     *kLogSum = "reduce_log_sum", *kLogSumExp = "reduce_log_sum_exp";

void place(NodeContext &n, const char *op) {
  n.result(n.apply(op, {n.require(0)},
                   attrs({{"axis", n.i("axis", 0)},
                          {"keepdims", n.i("keepdims", 1)},
                          {"select_last_index", n.i("select_last_index", 0)}})));
}

void scan(NodeContext &n, const char *op) {
  auto axis = n.ints(n.require(1), "axis");
  if (!axis || axis->size() != 1)
    return;
  n.result(n.apply(op, {n.require(0)},
                   attrs({{"axis", (*axis)[0]},
                          {"exclusive", n.i("exclusive", 0)},
                          {"reverse", n.i("reverse", 0)}})));
}

constexpr ConverterRow kRows[] = {
    {"ArgMax", 1, [](NodeContext &n) { place(n, "argmax"); }},
    {"ArgMin", 1, [](NodeContext &n) { place(n, "argmin"); }},
    {"CumProd", 26, [](NodeContext &n) { scan(n, "cumprod"); }},
    {"CumSum", 11, [](NodeContext &n) { scan(n, "cumsum"); }},
    {"ReduceL1", 1, reduceAttr<kL1>},
    {"ReduceL1", 18, reduceInput<kL1>},
    {"ReduceL2", 1, reduceAttr<kL2>},
    {"ReduceL2", 18, reduceInput<kL2>},
    {"ReduceLogSum", 1, reduceAttr<kLogSum>},
    {"ReduceLogSum", 18, reduceInput<kLogSum>},
    {"ReduceLogSumExp", 1, reduceAttr<kLogSumExp>},
    {"ReduceLogSumExp", 18, reduceInput<kLogSumExp>},
    {"ReduceMax", 1, reduceAttr<kMax>},
    {"ReduceMax", 18, reduceInput<kMax>},
    {"ReduceMean", 1, reduceAttr<kMean>},
    {"ReduceMean", 18, reduceInput<kMean>},
    {"ReduceMin", 1, reduceAttr<kMin>},
    {"ReduceMin", 18, reduceInput<kMin>},
    {"ReduceProd", 1, reduceAttr<kProd>},
    {"ReduceProd", 18, reduceInput<kProd>},
    {"ReduceSum", 1, reduceAttr<kSum>},
    {"ReduceSum", 13, reduceInput<kSum>},
    {"ReduceSumSquare", 1, reduceAttr<kSumSquare>},
    {"ReduceSumSquare", 18, reduceInput<kSumSquare>},
};

} // namespace

ConverterRows reduceRows() { return kRows; }

} // namespace imbrex::frontend
