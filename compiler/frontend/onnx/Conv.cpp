// Convolutions and their transposes.
#include "compiler/frontend/onnx/Converters.h"
#include "compiler/frontend/onnx/Windows.h"

namespace imbrex::frontend {

opmeaning::Attrs windowAttributes(NodeContext &n) {
  auto a = attrs(
      {{"strides", n.is("strides")}, {"dilations", n.is("dilations")}, {"pads", n.is("pads")}});
  std::string mode = n.s("auto_pad", "NOTSET");
  if (mode == "SAME_UPPER" || mode == "SAME_LOWER")
    a.values["auto_pad"] = std::string(mode == "SAME_UPPER" ? "same_upper" : "same_lower");
  else if (mode == "VALID")
    a.values["auto_pad"] = std::string("valid");
  else if (mode != "NOTSET" && !mode.empty())
    n.invalid("its attribute auto_pad is '" + mode + "'", "auto_pad");
  if (mode != "NOTSET")
    a.values["pads"] = std::vector<int64_t>{};
  return a;
}

namespace {

/// The kernel_shape attribute repeats the weight's shape; a contradiction is an error.
void checkKernel(NodeContext &n, Value w) {
  auto kernel = n.is("kernel_shape");
  for (size_t k = 0; k < kernel.size(); ++k) {
    if (k + 2 >= n.dims(w).size())
      return n.invalid("kernel_shape has more entries than the kernel has spatial dimensions",
                       "kernel_shape");
    auto d = n.dims(w)[k + 2].constant();
    if (d && *d != kernel[k])
      return n.invalid("kernel_shape contradicts the kernel " + n.typeOf(w).str(), "kernel_shape");
  }
}

void conv(NodeContext &n) {
  Value x = n.require(0), w = n.require(1);
  checkKernel(n, w);
  auto a = windowAttributes(n);
  a.values["group"] = n.i("group", 1);
  n.result(n.apply("conv", {x, w, n.in(2)}, std::move(a)));
}

void convTranspose(NodeContext &n) {
  Value x = n.require(0), w = n.require(1);
  checkKernel(n, w);
  auto a = windowAttributes(n);
  a.values["group"] = n.i("group", 1);
  a.values["output_padding"] = n.is("output_padding");
  a.values["output_shape"] = n.is("output_shape");
  n.result(n.apply("conv_transpose", {x, w, n.in(2)}, std::move(a)));
}

/// A zero point along the channels as a tensor that broadcasts against a kernel or input of rank
/// `rank`.
Value alongAxis(NodeContext &n, Value v, int64_t axis, int64_t rank) {
  if (!v.valid() || n.rank(v) == 0)
    return v;
  std::vector<int64_t> shape(size_t(rank), 1);
  shape[size_t(axis)] = -1;
  return n.reshape(v, shape);
}

/// The integers less their zero point, as i32: exact, so that padding adds 0.
Value shifted(NodeContext &n, Value v, Value zero, int64_t axis) {
  Value wide = n.cast(v, DType::I32);
  if (!zero.valid())
    return wide;
  return n.apply("sub", {wide, alongAxis(n, n.cast(zero, DType::I32), axis, n.rank(v))});
}

Value integerConv(NodeContext &n, Value x, Value zeroX, Value w, Value zeroW, Value bias) {
  checkKernel(n, w);
  auto a = windowAttributes(n);
  a.values["group"] = n.i("group", 1);
  return n.apply("conv", {shifted(n, x, zeroX, 1), shifted(n, w, zeroW, 0), bias}, std::move(a));
}

void convInteger(NodeContext &n) {
  n.result(integerConv(n, n.require(0), n.in(2), n.require(1), n.in(3), {}));
}

/// x, x scale, x zero, w, w scale, w zero, y scale, y zero, bias.
void qlinearConv(NodeContext &n) {
  Value sum = integerConv(n, n.require(0), n.require(2), n.require(3), n.require(5), n.in(8));
  Value scaleW = alongAxis(n, n.require(4), 1, n.rank(n.in(0)));
  Value scale = n.apply("div", {n.apply("mul", {n.require(1), scaleW}), n.require(6)});
  Value y = n.apply("mul", {n.cast(sum, DType::F32), scale});
  n.result(n.apply("quantize_linear", {y, n.scalar(1, DType::F32), n.require(7)}));
}

constexpr ConverterRow kRows[] = {
    {"Conv", 1, conv},
    {"ConvInteger", 10, convInteger},
    {"ConvTranspose", 1, convTranspose},
    {"QLinearConv", 10, qlinearConv},
};

} // namespace

ConverterRows convRows() { return kRows; }

} // namespace imbrex::frontend
