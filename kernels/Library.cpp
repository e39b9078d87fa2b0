#include "kernels/Library.h"

namespace imbrex::kernels {

std::vector<edsl::NamedKernel> library() {
  return {{"add_f32", add},
          {"gelu_f32", gelu},
          {"silu_multiply_f32", siluMultiply},
          {"softmax_f32", softmax},
          {"rms_norm_f32", rmsNorm},
          {"layer_norm_f32", layerNorm},
          {"transpose_f32", transpose},
          {"embedding_f32", embedding},
          {"rotary_embedding_f32", rotaryEmbedding},
          {"matmul_f32", matmul},
          {"batched_matmul_f32", batchedMatmul},
          {"attention_f32", attention}};
}

} // namespace imbrex::kernels
