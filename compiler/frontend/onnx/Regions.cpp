// Regions of pictures.
#include "compiler/frontend/onnx/Converters.h"

namespace imbrex::frontend {
namespace {

void roiAlign(NodeContext &n, bool halfPixel) {
  const int64_t samples = n.i("sampling_ratio", 0);
  if (samples <= 0)
    return n.unsupported("the number of samples depends on the size of each box",
                         "sampling_ratio of 1 or more", "sampling_ratio");
  n.result(n.apply("roi_align", {n.require(0), n.require(1), n.require(2)},
                   attrs({{"output_height", n.i("output_height", 1)},
                          {"output_width", n.i("output_width", 1)},
                          {"samples", samples},
                          {"scale", n.f("spatial_scale", 1)},
                          {"half_pixel", int64_t(halfPixel)},
                          {"mode", n.s("mode", "avg")}})));
}

void roiAlign10(NodeContext &n) { roiAlign(n, false); }
void roiAlign16(NodeContext &n) {
  const std::string mode = n.s("coordinate_transformation_mode", "half_pixel");
  if (mode != "half_pixel" && mode != "output_half_pixel")
    return n.invalid("the coordinates are '" + mode + "'", "coordinate_transformation_mode");
  roiAlign(n, mode == "half_pixel");
}

constexpr ConverterRow kRows[] = {
    {"RoiAlign", 10, roiAlign10},
    {"RoiAlign", 16, roiAlign16},
};

} // namespace

ConverterRows regionRows() { return kRows; }

} // namespace imbrex::frontend
