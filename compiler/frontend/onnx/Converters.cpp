#include "compiler/frontend/onnx/Converters.h"

#include <algorithm>

namespace imbrex::frontend {

std::vector<ConverterRow> allConverters() {
  std::vector<ConverterRow> rows;
  for (auto family :
       {elementwiseRows(), activationRows(),    reduceRows(),      constantRows(),
        shapeRows(),       sliceRows(),         gatherRows(),      linearRows(),
        convRows(),        poolRows(),          normalizeRows(),   quantizeRows(),
        lossRows(),        recurrentRows(),     attentionRows(),   signalRows(),
        resizeRows(),      sequenceStateRows(), trainingRows(),    gridSampleRows(),
        placeRows(),       searchingRows(),     regionRows(),      oldFormRows(),
        sequenceRows(),    stringRows(),        deformConvRows(),  randomRows(),
        treeRows(),        mlFeatureRows(),     linearModelRows(), supportVectorRows(),
        mapRows()})
    rows.insert(rows.end(), family.begin(), family.end());
  std::ranges::sort(rows, [](const ConverterRow &a, const ConverterRow &b) {
    return std::pair(a.op, a.since) < std::pair(b.op, b.since);
  });
  return rows;
}

const ConverterRow *findConverter(std::string_view op, int64_t opset, int64_t &first) {
  static const std::vector<ConverterRow> table = allConverters();
  auto [begin, end] = std::ranges::equal_range(table, op, {}, &ConverterRow::op);
  first = begin == end ? 0 : begin->since;
  const ConverterRow *best = nullptr;
  for (auto it = begin; it != end && it->since <= opset; ++it)
    best = &*it;
  return best;
}

} // namespace imbrex::frontend
