#include "kernels/Library.h"

namespace imbrex::kernels {

std::vector<edsl::NamedKernel> library() {
  return {{"add_f32", add},
          {"gelu_f32", gelu},
          {"silu_multiply_f32", siluMultiply},
          {"softmax_f32", softmax},
          {"rms_norm_f32", rmsNorm},
          {"layer_norm_f32", layerNorm},
          {"group_norm_f32", groupNorm},
          {"sum_rows_f32", sumRows},
          {"maximum_rows_f32", maximumRows},
          {"sum_columns_f32", sumColumns},
          {"argmax_rows_f32", argmaxRows},
          {"top_rows_f32", topRows},
          {"sample_rows_f32", sampleRows},
          {"transpose_f32", transpose},
          {"embedding_f32", embedding},
          {"rotary_embedding_f32", rotaryEmbedding},
          {"append_to_cache_f32", appendToCache},
          {"matmul_f32", matmul},
          {"matmul_bf16", matmulBf16},
          {"matmul_f16", matmulF16},
          {"matmul_u8s8", matmulU8S8},
          {"batched_matmul_f32", batchedMatmul},
          {"quantize_rows", quantizeRows},
          {"matmul_q4", matmulQ4},
          {"matmul_q5", matmulQ5},
          {"matmul_q6", matmulQ6},
          {"matmul_q8", matmulQ8},
          {"depthwise_convolution_f32", depthwiseConvolution},
          {"depthwise_convolution_by2_f32", depthwiseConvolutionBy2},
          {"grouped_convolution_f32", groupedConvolution},
          {"maximum_pool_f32", maximumPool},
          {"maximum_pool_by2_f32", maximumPoolBy2},
          {"average_pool_f32", averagePool},
          {"attention_prefill_64_f32", attentionPrefill64},
          {"attention_prefill_128_f32", attentionPrefill128},
          {"attention_decode_64_f32", attentionDecode64},
          {"attention_decode_128_f32", attentionDecode128},
          {"attention_combine_64_f32", attentionCombine64},
          {"attention_combine_128_f32", attentionCombine128}};
}

} // namespace imbrex::kernels
