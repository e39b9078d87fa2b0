// DeformConv: a convolution whose taps are moved by offsets, between elements and beyond the
// borders, where zeros are. The moved elements are gathered into columns; a matrix product with the
// weights does the rest.
#include "compiler/frontend/onnx/Converters.h"

namespace imbrex::frontend {
namespace {

/// Sizes of one node, which a run may decide.
struct Sizes {
  DimExpr batch, channels, height, width, outChannels, kernelH, kernelW, outH, outW;
  int64_t groups, offsetGroups;
  DimExpr taps() const { return kernelH * kernelW; }
  DimExpr points() const { return outH * outW; }
};

class DeformConv {
public:
  explicit DeformConv(NodeContext &n) : n(n) {}
  void run();

private:
  bool readSizes();
  bool fit(const DimExpr &depth) const;
  Value place(int64_t axis);
  Value corner(Value at, Value part, const DimExpr &size, bool upper, Value &weight);
  Value columns();
  Value num(double v) { return n.scalar(v, type); }
  Value op(const char *name, Value a, Value b) { return n.apply(name, {a, b}); }

  NodeContext &n;
  Sizes s{};
  DType type = DType::F32;
  std::vector<int64_t> strides, dilations, pads;
};

/// What is known of the sizes does not contradict itself.
bool DeformConv::fit(const DimExpr &depth) const {
  auto divides = [](const DimExpr &size, int64_t by) {
    return size.constant().value_or(by) % by == 0;
  };
  const auto channels = s.channels.constant(), perGroup = n.dims(n.in(1))[1].constant();
  const auto taps = s.taps().constant(), offsets = depth.constant();
  return s.groups >= 1 && s.offsetGroups >= 1 && divides(s.channels, s.groups) &&
         divides(s.outChannels, s.groups) && divides(s.channels, s.offsetGroups) &&
         (!channels || !perGroup || *channels == *perGroup * s.groups) &&
         (!taps || !offsets || *offsets == 2 * s.offsetGroups * *taps) && strides.size() == 2 &&
         dilations.size() == 2 && pads.size() == 4;
}

bool DeformConv::readSizes() {
  Value x = n.require(0), w = n.require(1), offset = n.require(2);
  if (n.failed())
    return false;
  if (n.rank(x) != 4 || n.rank(w) != 4 || n.rank(offset) != 4)
    return n.unsupported("only pictures of two dimensions are supported"), false;
  type = n.dtype(x);
  const auto &dx = n.dims(x), &dw = n.dims(w), &d = n.dims(offset);
  s = {dx[0],
       dx[1],
       dx[2],
       dx[3],
       dw[0],
       dw[2],
       dw[3],
       d[2],
       d[3],
       n.i("group", 1),
       n.i("offset_group", 1)};
  strides = n.is("strides", {1, 1}), dilations = n.is("dilations", {1, 1});
  pads = n.is("pads", {0, 0, 0, 0});
  if (!fit(d[1]))
    return n.invalid("its weights, offsets and groups do not fit its input"), false;
  return !n.failed();
}

/// Where each tap of each output lies along one axis: [batch, offset groups, taps, points].
Value DeformConv::place(int64_t axis) {
  const auto a = static_cast<size_t>(axis);
  auto scaled = [&](const DimExpr &count, int64_t by) {
    return op("mul", n.places(count), n.scalar(double(by), DType::I64));
  };
  Value taps = scaled(axis ? s.kernelW : s.kernelH, dilations[a]);
  Value outs = scaled(axis ? s.outW : s.outH, strides[a]);
  outs = op("sub", outs, n.scalar(double(pads[a]), DType::I64));
  taps = n.reshape(taps, axis ? std::vector<int64_t>{-1, 1, 1} : std::vector<int64_t>{-1, 1, 1, 1});
  outs = n.reshape(outs, axis ? std::vector<int64_t>{-1} : std::vector<int64_t>{-1, 1});
  Value moved =
      n.reshapeTo(n.in(2), {s.batch, s.offsetGroups, s.kernelH, s.kernelW, 2, s.outH, s.outW});
  moved = n.squeeze(n.slice(moved, 4, axis, axis + 1), {4});
  moved = op("add", moved, n.cast(op("add", taps, outs), type));
  return n.reshapeTo(moved, {s.batch, s.offsetGroups, s.taps(), s.points()});
}

/// One of the two elements around a place, moved inside; `weight` is 0 where it lay outside.
Value DeformConv::corner(Value at, Value part, const DimExpr &size, bool upper, Value &weight) {
  Value element = upper ? op("add", at, num(1)) : at;
  Value last = size.constant() ? num(double(*size.constant() - 1)) : n.cast(n.size(size - 1), type);
  Value inside = n.apply("clip", {element, num(0), last});
  weight =
      op("mul", upper ? part : op("sub", num(1), part), n.cast(op("equal", element, inside), type));
  return n.cast(inside, DType::I64);
}

/// The elements under the taps: [batch * offset groups, channels of one, taps * points].
Value DeformConv::columns() {
  const DimExpr rows = s.batch * s.offsetGroups, all = s.taps() * s.points();
  const DimExpr channels = floorDiv(s.channels, s.offsetGroups);
  Value flat = n.reshapeTo(n.in(0), {rows, channels, s.height * s.width});
  Value y = place(0), x = place(1);
  Value atY = n.apply("floor", {y}), atX = n.apply("floor", {x});
  Value partY = op("sub", y, atY), partX = op("sub", x, atX), sum;
  auto alone = [&](Value v) { return n.reshapeTo(v, {rows, 1, all}); };
  for (bool lower : {false, true})
    for (bool right : {false, true}) {
      Value weightY, weightX;
      Value row = corner(atY, partY, s.height, lower, weightY);
      Value column = corner(atX, partX, s.width, right, weightX);
      Value flatPlace = alone(op("add", op("mul", row, n.size(s.width)), column));
      flatPlace = n.apply("expand", {flatPlace, n.sizes({1, channels, 1})});
      Value taken = n.apply("gather_elements", {flat, flatPlace}, attrs({{"axis", int64_t(2)}}));
      taken = op("mul", taken, alone(op("mul", weightY, weightX)));
      sum = sum.valid() ? op("add", sum, taken) : taken;
    }
  return n.has(4) ? op("mul", sum, alone(n.in(4))) : sum;
}

void DeformConv::run() {
  if (!readSizes())
    return;
  const DimExpr depth = floorDiv(s.channels, s.groups) * s.taps();
  Value w = n.reshapeTo(n.in(1), {s.groups, floorDiv(s.outChannels, s.groups), depth});
  Value y = op("matmul", w, n.reshapeTo(columns(), {s.batch, s.groups, depth, s.points()}));
  y = n.reshapeTo(y, {s.batch, s.outChannels, s.outH, s.outW});
  n.result(n.has(3) ? op("add", y, n.reshapeTo(n.in(3), {s.outChannels, 1, 1})) : y);
}

void deformConv(NodeContext &n) { DeformConv(n).run(); }

constexpr ConverterRow kRows[] = {{"DeformConv", 19, deformConv}};

} // namespace

ConverterRows deformConvRows() { return kRows; }

} // namespace imbrex::frontend
