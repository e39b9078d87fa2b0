// Quantization, and arithmetic on quantized matrices.
#include "compiler/frontend/onnx/Converters.h"

namespace imbrex::frontend {
namespace {

opmeaning::Attrs layout(NodeContext &n) {
  return attrs({{"axis", n.i("axis", 1)}, {"block_size", n.i("block_size", 0)}});
}

void quantize(NodeContext &n) {
  auto a = layout(n);
  if (n.i("output_dtype", 0) != 0)
    a.values["to"] = n.type("output_dtype", DType::U8);
  if (n.i("precision", 0) != 0)
    a.values["precision"] = n.type("precision", DType::F32);
  n.result(n.apply("quantize_linear", {n.require(0), n.require(1), n.in(2)}, std::move(a)));
}

void dequantize(NodeContext &n) {
  Value y = n.apply("dequantize_linear", {n.require(0), n.require(1), n.in(2)}, layout(n));
  n.result(n.i("output_dtype", 0) != 0 ? n.cast(y, n.type("output_dtype", DType::F32)) : y);
}

void dynamicQuantize(NodeContext &n) {
  n.results(n.applyMany("dynamic_quantize_linear", {n.require(0)}, {}, 3));
}

/// One number for each row: a vector becomes a column.
Value column(NodeContext &n, Value v) { return n.rank(v) == 1 ? n.unsqueeze(v, {1}) : v; }

/// a, a scale, a zero, b, b scale, b zero, y scale, y zero.
void qlinearMatmul(NodeContext &n) {
  for (size_t i = 0; i < 8; ++i)
    n.require(i);
  auto less = [&](Value v, Value zero) {
    return n.apply("sub", {n.cast(v, DType::I32), n.cast(zero, DType::I32)});
  };
  Value a = less(n.in(0), n.rank(n.in(0)) > 1 ? column(n, n.in(2)) : n.in(2));
  Value sum = n.apply("matmul", {a, less(n.in(3), n.in(5))});
  Value scaleA = n.rank(n.in(0)) > 1 ? column(n, n.in(1)) : n.in(1);
  auto real = [&](Value v) { return n.cast(v, DType::F32); };
  Value scale = n.apply("div", {n.apply("mul", {real(scaleA), real(n.in(4))}), real(n.in(6))});
  Value y = n.apply("mul", {n.cast(sum, DType::F32), scale});
  Value zero = n.reshape(n.in(7), {}); // one number, in some models as a vector of one
  n.result(n.apply("quantize_linear", {y, n.scalar(1, DType::F32), zero}));
}

constexpr ConverterRow kRows[] = {
    {"DequantizeLinear", 10, dequantize},
    {"DynamicQuantizeLinear", 11, dynamicQuantize},
    {"QLinearMatMul", 10, qlinearMatmul},
    {"QuantizeLinear", 10, quantize},
};

} // namespace

ConverterRows quantizeRows() { return kRows; }

} // namespace imbrex::frontend
