// DeformConv: a convolution whose taps are moved by offsets, between elements and beyond the
// borders, where zeros are. The moved elements are gathered into columns; a matrix product with the
// weights does the rest.
#include "compiler/frontend/onnx/Converters.h"

namespace imbrex::frontend {
namespace {

/// Sizes of one node; all but the batch are numbers.
struct Sizes {
  int64_t channels, height, width, outChannels, kernelH, kernelW, outH, outW;
  int64_t groups, offsetGroups;
  int64_t taps() const { return kernelH * kernelW; }
  int64_t points() const { return outH * outW; }
};

class DeformConv {
public:
  explicit DeformConv(NodeContext &n) : n(n) {}
  void run();

private:
  bool readSizes();
  Value place(int64_t part, const std::vector<float> &base);
  Value corner(Value at, Value part, int64_t size, bool upper, Value &weight);
  Value columns();
  Value num(double v) { return n.scalar(v, type); }
  Value op(const char *name, Value a, Value b) { return n.apply(name, {a, b}); }

  NodeContext &n;
  Sizes s{};
  DType type = DType::F32;
  std::vector<int64_t> strides, dilations, pads;
};

bool DeformConv::readSizes() {
  Value x = n.require(0), w = n.require(1), offset = n.require(2);
  if (n.failed())
    return false;
  if (n.rank(x) != 4 || n.rank(w) != 4 || n.rank(offset) != 4)
    return n.unsupported("only pictures of two dimensions are supported"), false;
  type = n.dtype(x);
  std::vector<int64_t> fixed;
  for (auto [v, from] : {std::pair(x, 1), std::pair(w, 0), std::pair(offset, 2)})
    for (size_t k = size_t(from); k < 4; ++k)
      fixed.push_back(n.dims(v)[k].constant().value_or(-1));
  for (int64_t d : fixed)
    if (d <= 0)
      return n.unsupported("its sizes are not fixed", "fixing them with --dim or --input-shape"),
             false;
  s = {fixed[0], fixed[1], fixed[2], fixed[3],        fixed[5],
       fixed[6], fixed[7], fixed[8], n.i("group", 1), n.i("offset_group", 1)};
  strides = n.is("strides", {1, 1}), dilations = n.is("dilations", {1, 1});
  pads = n.is("pads", {0, 0, 0, 0});
  const auto depth = n.dims(offset)[1].constant();
  if (s.groups < 1 || s.offsetGroups < 1 || s.channels % s.groups || s.outChannels % s.groups ||
      s.channels % s.offsetGroups || fixed[4] != s.channels / s.groups || strides.size() != 2 ||
      dilations.size() != 2 || pads.size() != 4 || depth != 2 * s.offsetGroups * s.taps())
    return n.invalid("its weights, offsets and groups do not fit its input"), false;
  return !n.failed();
}

/// Where each tap of each output lies along one axis: [batch, offset groups, taps, points].
Value DeformConv::place(int64_t part, const std::vector<float> &base) {
  Value moved = n.reshape(n.in(2), {-1, s.offsetGroups, s.taps(), 2, s.points()});
  moved = n.squeeze(n.slice(moved, 3, part, part + 1), {3});
  Value at = n.constant(HostTensor::of<float>(DType::F32, {1, 1, s.taps(), s.points()}, base));
  return op("add", moved, n.cast(at, type));
}

/// One of the two elements around a place, moved inside; `weight` is 0 where it lay outside.
Value DeformConv::corner(Value at, Value part, int64_t size, bool upper, Value &weight) {
  Value element = upper ? op("add", at, num(1)) : at;
  Value inside = n.apply("clip", {element, num(0), num(double(size - 1))});
  weight =
      op("mul", upper ? part : op("sub", num(1), part), n.cast(op("equal", element, inside), type));
  return n.cast(inside, DType::I64);
}

/// The elements under the taps: [batch * offset groups, channels of one, taps * points].
Value DeformConv::columns() {
  std::vector<float> baseY, baseX;
  for (int64_t k = 0; k < s.taps(); ++k)
    for (int64_t p = 0; p < s.points(); ++p) {
      baseY.push_back(float(p / s.outW * strides[0] - pads[0] + k / s.kernelW * dilations[0]));
      baseX.push_back(float(p % s.outW * strides[1] - pads[1] + k % s.kernelW * dilations[1]));
    }
  const int64_t channels = s.channels / s.offsetGroups, all = s.taps() * s.points();
  Value flat = n.reshape(n.in(0), {-1, channels, s.height * s.width});
  Value y = place(0, baseY), x = place(1, baseX);
  Value atY = n.apply("floor", {y}), atX = n.apply("floor", {x});
  Value partY = op("sub", y, atY), partX = op("sub", x, atX), sum;
  for (bool lower : {false, true})
    for (bool right : {false, true}) {
      Value weightY, weightX;
      Value row = corner(atY, partY, s.height, lower, weightY);
      Value column = corner(atX, partX, s.width, right, weightX);
      Value flatPlace = op("add", op("mul", row, n.scalar(double(s.width), DType::I64)), column);
      flatPlace =
          n.apply("expand", {n.reshape(flatPlace, {-1, 1, all}), n.intVector({1, channels, 1})});
      Value taken = n.apply("gather_elements", {flat, flatPlace}, attrs({{"axis", int64_t(2)}}));
      taken = op("mul", taken, n.reshape(op("mul", weightY, weightX), {-1, 1, all}));
      sum = sum.valid() ? op("add", sum, taken) : taken;
    }
  return n.has(4) ? op("mul", sum, n.reshape(n.in(4), {-1, 1, all})) : sum;
}

void DeformConv::run() {
  if (!readSizes())
    return;
  const int64_t depth = s.channels / s.groups * s.taps();
  Value w = n.reshape(n.in(1), {s.groups, s.outChannels / s.groups, depth});
  Value y = op("matmul", w, n.reshape(columns(), {-1, s.groups, depth, s.points()}));
  y = n.reshape(y, {-1, s.outChannels, s.outH, s.outW});
  n.result(n.has(3) ? op("add", y, n.reshape(n.in(3), {s.outChannels, 1, 1})) : y);
}

void deformConv(NodeContext &n) { DeformConv(n).run(); }

constexpr ConverterRow kRows[] = {{"DeformConv", 19, deformConv}};

} // namespace

ConverterRows deformConvRows() { return kRows; }

} // namespace imbrex::frontend
