// Elements picked by index, and put by index.
#include "compiler/frontend/onnx/Converters.h"

namespace imbrex::frontend {
namespace {

void picked(NodeContext &n, const char *op) {
  n.result(n.apply(op, n.all(), attrs({{"axis", n.i("axis", 0)}})));
}

void gatherNd(NodeContext &n) {
  n.result(n.apply("gather_nd", n.all(), attrs({{"batch_dims", n.i("batch_dims", 0)}})));
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
