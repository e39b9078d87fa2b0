// The kernel library: every kernel by name. Kernels are written in the language of compiler/edsl,
// one file each; the build traces and proves them (trace-kernels), so a kernel that could race or
// leave its views does not build.
#pragma once

#include "compiler/edsl/Kernel.h"

namespace imbrex::kernels {

// Element by element.
void add(edsl::Kernel &k);
void gelu(edsl::Kernel &k);
void siluMultiply(edsl::Kernel &k);
// Rows: each block owns whole rows, in chunks of a fixed size, so a row's result does not depend on
// which other rows there are.
void softmax(edsl::Kernel &k);
void rmsNorm(edsl::Kernel &k);
void layerNorm(edsl::Kernel &k);
void groupNorm(edsl::Kernel &k);
// Reductions and choices.
void sumRows(edsl::Kernel &k);
void maximumRows(edsl::Kernel &k);
void sumColumns(edsl::Kernel &k);
void argmaxRows(edsl::Kernel &k);
void topRows(edsl::Kernel &k);
void sampleRows(edsl::Kernel &k);
// Places.
void transpose(edsl::Kernel &k);
void embedding(edsl::Kernel &k);
void rotaryEmbedding(edsl::Kernel &k);
void appendToCache(edsl::Kernel &k);
// Products.
void matmul(edsl::Kernel &k);
void matmulBf16(edsl::Kernel &k);
void matmulF16(edsl::Kernel &k);
void matmulBf16Weights(edsl::Kernel &k);
void matvecBf16Weights(edsl::Kernel &k);
void matmulU8S8(edsl::Kernel &k);
void batchedMatmul(edsl::Kernel &k);
// Products with quantized weights.
void quantizeRows(edsl::Kernel &k);
void matmulQ4(edsl::Kernel &k);
void matmulQ4Least(edsl::Kernel &k);
void matmulQ5(edsl::Kernel &k);
void matmulQ5Least(edsl::Kernel &k);
void matmulQ6(edsl::Kernel &k);
void matmulQ8(edsl::Kernel &k);
// The same results, bit by bit, for one row or few.
void matvecQ4(edsl::Kernel &k);
void matvecQ4Least(edsl::Kernel &k);
void matvecQ5(edsl::Kernel &k);
void matvecQ5Least(edsl::Kernel &k);
void matvecQ6(edsl::Kernel &k);
void matvecQ8(edsl::Kernel &k);
// Images.
void depthwiseConvolution(edsl::Kernel &k);
void depthwiseConvolutionBy2(edsl::Kernel &k);
void groupedConvolution(edsl::Kernel &k);
void maximumPool(edsl::Kernel &k);
void maximumPoolBy2(edsl::Kernel &k);
void averagePool(edsl::Kernel &k);
// Attention.
void attentionPrefill64(edsl::Kernel &k);
void attentionPrefill128(edsl::Kernel &k);
void attentionDecode64(edsl::Kernel &k);
void attentionDecode128(edsl::Kernel &k);
void attentionCombine64(edsl::Kernel &k);
void attentionCombine128(edsl::Kernel &k);

/// All of them, under the names that their symbols have.
std::vector<edsl::NamedKernel> library();

} // namespace imbrex::kernels
