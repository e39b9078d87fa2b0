// Matrix products and what is made of them.
#include "compiler/frontend/onnx/Converters.h"

namespace imbrex::frontend {
namespace {

void matmul(NodeContext &n) { n.result(n.apply("matmul", n.all())); }

void gemm(NodeContext &n) {
  n.result(n.apply("gemm", n.all(),
                   attrs({{"alpha", n.f("alpha", 1)},
                          {"beta", n.f("beta", 1)},
                          {"trans_a", n.i("transA", 0)},
                          {"trans_b", n.i("transB", 0)}})));
}

void matmulInteger(NodeContext &n) { n.result(n.apply("matmul_integer", n.all())); }

void einsum(NodeContext &n) {
  n.result(n.apply("einsum", n.all(), attrs({{"equation", n.s("equation", "")}})));
}

constexpr ConverterRow kRows[] = {
    {"Einsum", 12, einsum},
    {"Gemm", 6, gemm},
    {"MatMul", 1, matmul},
    {"MatMulInteger", 10, matmulInteger},
};

} // namespace

ConverterRows linearRows() { return kRows; }

} // namespace imbrex::frontend
