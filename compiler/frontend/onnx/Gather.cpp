// Elements picked by index, and put by index.
#include "compiler/frontend/onnx/Converters.h"

namespace imbrex::frontend {
namespace {

void picked(NodeContext &n, const char *op) {
  n.result(n.apply(op, n.all(), attrs({{"axis", n.i("axis", 0)}})));
}

/// How many axes an index names is the size of the indices' last dimension. Where that is open, the
/// rank that the model declares for the result says it.
void gatherNd(NodeContext &n) {
  Value x = n.require(0), indices = n.require(1);
  const int64_t batch = n.i("batch_dims", 0);
  auto a = attrs({{"batch_dims", batch}});
  if (!n.failed() && n.rank(indices) > 0 && !n.dims(indices).back().constant()) {
    auto rank = n.declaredRank(0);
    if (!rank)
      return n.unsupported("the last dimension of its indices is not known, and the rank of its "
                           "result depends on it",
                           "fixing it with --dim or --input-shape");
    const int64_t names = n.rank(indices) - 1 + n.rank(x) - batch - *rank;
    if (names < 0 || names > n.rank(x) - batch)
      return n.invalid("a result of rank " + std::to_string(*rank) + " does not come of " +
                       n.typeOf(x).str() + " and indices " + n.typeOf(indices).str());
    a.values["names"] = names;
  }
  n.result(n.apply("gather_nd", {x, indices}, std::move(a)));
}

void scatterElements(NodeContext &n) {
  n.result(n.apply("scatter_elements", n.all(),
                   attrs({{"axis", n.i("axis", 0)}, {"reduction", n.s("reduction", "none")}})));
}

void scatterNd(NodeContext &n) {
  n.result(n.apply("scatter_nd", n.all(), attrs({{"reduction", n.s("reduction", "none")}})));
}

void reverseSequence(NodeContext &n) {
  n.result(
      n.apply("reverse_sequence", n.all(),
              attrs({{"batch_axis", n.i("batch_axis", 1)}, {"time_axis", n.i("time_axis", 0)}})));
}

constexpr ConverterRow kRows[] = {
    {"Gather", 1, [](NodeContext &n) { picked(n, "gather"); }},
    {"GatherElements", 11, [](NodeContext &n) { picked(n, "gather_elements"); }},
    {"GatherND", 11, gatherNd},
    {"ReverseSequence", 10, reverseSequence},
    {"Scatter", 9, scatterElements},
    {"ScatterElements", 11, scatterElements},
    {"ScatterND", 11, scatterNd},
};

} // namespace

ConverterRows gatherRows() { return kRows; }

} // namespace imbrex::frontend
