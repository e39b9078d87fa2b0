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
// Places.
void transpose(edsl::Kernel &k);
void embedding(edsl::Kernel &k);
void rotaryEmbedding(edsl::Kernel &k);
// Products.
void matmul(edsl::Kernel &k);
void batchedMatmul(edsl::Kernel &k);
void attention(edsl::Kernel &k);

/// All of them, under the names that their symbols have.
std::vector<edsl::NamedKernel> library();

} // namespace imbrex::kernels
