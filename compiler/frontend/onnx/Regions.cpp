// Regions of pictures.
#include "compiler/frontend/onnx/Converters.h"

namespace imbrex::frontend {
namespace {

/// The largest of these numbers, or 1.
Value mostOf(NodeContext &n, Value numbers) {
  Value one = n.reshape(n.scalar(1, DType::F32), {1});
  return n.apply("reduce_max", {n.concat({n.reshape(numbers, {-1}), one}, 0)},
                 attrs({{"axes", std::vector<int64_t>{0}}, {"keepdims", int64_t(0)}}));
}

/// A sample for each element of a box's part: a vector as long as the most that one has. A box that
/// would have more than kMostSamples is refused.
Value samplePlaces(NodeContext &n, bool halfPixel) {
  constexpr double kMostSamples = 4096;
  Value boxes = n.cast(n.require(1), DType::F32);
  if (n.failed() || n.rank(boxes) != 2)
    return n.invalid("its boxes are not a matrix"), Value{};
  auto num = [&](double v) { return n.scalar(v, DType::F32); };
  auto op = [&](const char *name, Value a, Value b) { return n.apply(name, {a, b}); };
  Value scaled = op("mul", boxes, num(n.f("spatial_scale", 1)));
  Value lengths = op("sub", n.slice(scaled, 1, 2, 4), n.slice(scaled, 1, 0, 2)); // x, y
  if (!halfPixel)
    lengths = op("max", lengths, num(1));
  const std::vector<float> sizes = {float(n.i("output_width", 1)), float(n.i("output_height", 1))};
  Value parts = op("div", lengths, n.constant(HostTensor::of<float>(DType::F32, {2}, sizes)));
  Value most = mostOf(n, n.apply("ceil", {parts}));
  Value fits = op("less_equal", most, num(kMostSamples)); // false for NaN
  Value zero = n.apply("refuse", {fits},
                       attrs({{"when", int64_t(0)},
                              {"why", std::string("a box of RoiAlign has too many elements")},
                              {"type", DType::I64}}));
  Value count = op("add", n.cast(op("min", most, num(kMostSamples)), DType::I64), zero);
  return n.apply("range", {n.scalar(0, DType::I64), count, n.scalar(1, DType::I64)});
}

void roiAlign(NodeContext &n, bool halfPixel) {
  const int64_t samples = n.i("sampling_ratio", 0);
  Value places = samples > 0 ? Value{} : samplePlaces(n, halfPixel);
  n.result(n.apply("roi_align", {n.require(0), n.require(1), n.require(2), places},
                   attrs({{"output_height", n.i("output_height", 1)},
                          {"output_width", n.i("output_width", 1)},
                          {"samples", samples > 0 ? samples : 1},
                          {"scale", n.f("spatial_scale", 1)},
                          {"half_pixel", int64_t(halfPixel)},
                          {"mode", n.s("mode", "avg")}})));
}

/// A part is as long as a box divided by their number, and up to two more; none is longer than the
/// picture.
void maxRoiPool(NodeContext &n) {
  Value x = n.require(0), boxes = n.require(1);
  const auto shape = n.is("pooled_shape");
  if (n.failed() || n.rank(x) != 4 || n.rank(boxes) != 2 || shape.size() != 2)
    return n.invalid("it takes pictures of four axes, a list of boxes and two sizes",
                     "pooled_shape");
  auto op = [&](const char *name, Value a, Value b) { return n.apply(name, {a, b}); };
  Value lengths = n.cast(op("sub", n.slice(boxes, 1, 3, 5), n.slice(boxes, 1, 1, 3)), DType::F32);
  lengths = op("mul", lengths, n.scalar(n.f("spatial_scale", 1), DType::F32));
  const std::vector<float> parts = {float(shape[1]), float(shape[0])};
  lengths = op("div", op("add", lengths, n.scalar(2, DType::F32)),
               n.constant(HostTensor::of<float>(DType::F32, {2}, parts)));
  Value most = op("add", mostOf(n, n.apply("ceil", {lengths})), n.scalar(2, DType::F32));
  Value longest = n.cast(op("max", n.size(n.dims(x)[2]), n.size(n.dims(x)[3])), DType::F32);
  longest = n.cast(op("min", most, longest), DType::I64);
  n.result(n.apply(
      "max_roi_pool",
      {x, boxes, n.apply("range", {n.scalar(0, DType::I64), longest, n.scalar(1, DType::I64)})},
      attrs({{"output_height", shape[0]},
             {"output_width", shape[1]},
             {"scale", n.f("spatial_scale", 1)}})));
}

void roiAlign10(NodeContext &n) { roiAlign(n, false); }
void roiAlign16(NodeContext &n) {
  const std::string mode = n.s("coordinate_transformation_mode", "half_pixel");
  if (mode != "half_pixel" && mode != "output_half_pixel")
    return n.invalid("the coordinates are '" + mode + "'", "coordinate_transformation_mode");
  roiAlign(n, mode == "half_pixel");
}

constexpr ConverterRow kRows[] = {
    {"MaxRoiPool", 1, maxRoiPool},
    {"RoiAlign", 10, roiAlign10},
    {"RoiAlign", 16, roiAlign16},
};

} // namespace

ConverterRows regionRows() { return kRows; }

} // namespace imbrex::frontend
