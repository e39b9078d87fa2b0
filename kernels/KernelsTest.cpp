// Every kernel of the library, compiled for each CPU level, against the interpreter, at sizes with
// remainders.
#include "compiler/codegen/tile-cpu/TileTestSupport.h"
#include "kernels/Library.h"

#include <gtest/gtest.h>

namespace imbrex::kernels {
namespace {

using codegen::test::TileCase;

std::string traced(const std::string &name) {
  for (const edsl::NamedKernel &k : library())
    if (k.name == name) {
      edsl::TraceReport report;
      auto text = edsl::traceKernels({k}, report);
      EXPECT_TRUE(text) << text.error().what;
      EXPECT_EQ(report.unsafeRegions, 0);
      EXPECT_EQ(report.inKernelChecks, 0);
      EXPECT_EQ(report.launchChecks, 0);
      return text ? *text : "";
    }
  ADD_FAILURE() << "no kernel " << name;
  return "";
}

void compare(const std::string &name, const std::vector<tile::SizeValues> &sizes) {
  std::string text = traced(name);
  if (text.empty())
    return;
  TileCase kernel(text);
  for (const tile::SizeValues &s : sizes)
    kernel.run(s, {.relative = 1e-4, .absolute = 1e-5, .smallest = 0, .largest = 3});
}

TEST(Kernels, Add) { compare("add_f32", {{{"n", 0}}, {{"n", 1}}, {{"n", 4096}}, {{"n", 9001}}}); }
TEST(Kernels, Gelu) { compare("gelu_f32", {{{"n", 1}}, {{"n", 5000}}}); }
TEST(Kernels, SiluMultiply) { compare("silu_multiply_f32", {{{"n", 4097}}}); }
TEST(Kernels, Softmax) {
  compare("softmax_f32", {{{"rows", 3}, {"columns", 1}},
                          {{"rows", 2}, {"columns", 512}},
                          {{"rows", 5}, {"columns", 1025}}});
}
TEST(Kernels, RmsNorm) {
  compare("rms_norm_f32", {{{"rows", 1}, {"columns", 1}},
                           {{"rows", 4}, {"columns", 1024}},
                           {{"rows", 3}, {"columns", 700}}});
}
TEST(Kernels, LayerNorm) {
  compare("layer_norm_f32", {{{"rows", 1}, {"columns", 3}}, {{"rows", 3}, {"columns", 1023}}});
}
TEST(Kernels, Transpose) {
  compare("transpose_f32",
          {{{"m", 1}, {"n", 1}}, {{"m", 65}, {"n", 130}}, {{"m", 128}, {"n", 64}}});
}
TEST(Kernels, Embedding) {
  compare("embedding_f32", {{{"tokens", 9}, {"words", 3}, {"width", 300}}});
}
TEST(Kernels, RotaryEmbedding) { compare("rotary_embedding_f32", {{{"tokens", 5}, {"heads", 3}}}); }
TEST(Kernels, Matmul) {
  compare("matmul_f32", {{{"m", 1}, {"n", 1}, {"d", 1}},
                         {{"m", 65}, {"n", 129}, {"d", 33}},
                         {{"m", 64}, {"n", 128}, {"d", 257}}});
}
TEST(Kernels, BatchedMatmul) {
  compare("batched_matmul_f32", {{{"g", 3}, {"m", 33}, {"n", 65}, {"d", 129}}});
}
TEST(Kernels, GroupNorm) {
  compare("group_norm_f32", {{{"rows", 4}, {"groups", 2}, {"channels", 3}, {"space", 515}}});
}
TEST(Kernels, Reductions) {
  tile::SizeValues sizes{{"rows", 19}, {"columns", 515}};
  for (const char *name : {"sum_rows_f32", "maximum_rows_f32", "sum_columns_f32", "argmax_rows_f32",
                           "sample_rows_f32"})
    compare(name, {sizes});
  compare("top_rows_f32", {{{"rows", 2}, {"columns", 515}, {"k", 7}}});
}
TEST(Kernels, AppendToCache) {
  compare("append_to_cache_f32", {{{"tokens", 9}, {"heads", 2}, {"capacity", 10}},
                                  {{"tokens", 0}, {"heads", 2}, {"capacity", 1}}});
}
TEST(Kernels, ProductsOfShortTypes) {
  for (const char *name : {"matmul_bf16", "matmul_f16", "matmul_u8s8"})
    compare(name, {{{"m", 3}, {"n", 130}, {"d", 70}}});
}
TEST(Kernels, ProductsOfQuantizedWeights) {
  compare("quantize_rows", {{{"m", 3}, {"blocks", 2}}, {{"m", 2}, {"blocks", 9}}});
  for (const char *name : {"matmul_q4", "matmul_q4_least", "matmul_q5", "matmul_q5_least",
                           "matmul_q6", "matmul_q8", "matvec_q4", "matvec_q6", "matvec_q8"})
    compare(name, {{{"m", 17}, {"panels", 2}, {"blocks", 2}}});
  compare("matmul_q4", {{{"m", 131}, {"panels", 1}, {"blocks", 2}}});
  compare("matvec_q4_least", {{{"m", 1}, {"panels", 5}, {"blocks", 3}}});
  compare("matvec_q5_least", {{{"m", 1}, {"panels", 9}, {"blocks", 1}}});
}
TEST(Kernels, ProductsOfBf16Weights) {
  for (const char *name : {"matmul_bf16_weights", "matvec_bf16_weights"})
    compare(name,
            {{{"m", 3}, {"panels", 5}, {"pairs", 517}}, {{"m", 1}, {"panels", 8}, {"pairs", 3}}});
}
TEST(Kernels, Images) {
  tile::SizeValues sizes{{"n", 1},   {"c", 2},  {"h", 5},  {"w", 70},  {"oh", 3},
                         {"ow", 35}, {"kh", 3}, {"kw", 2}, {"top", 1}, {"left", 1}};
  for (const char *name : {"depthwise_convolution_f32", "depthwise_convolution_by2_f32",
                           "maximum_pool_f32", "maximum_pool_by2_f32", "average_pool_f32"})
    compare(name, {sizes});
  sizes["groups"] = 2;
  sizes["filters"] = 33;
  compare("grouped_convolution_f32", {sizes});
}
TEST(Kernels, AttentionWithACache) {
  compare("attention_prefill_64_f32",
          {{{"kv_heads", 1}, {"group", 2}, {"tokens", 33}, {"past", 40}, {"window", 50}}});
  compare("attention_decode_64_f32", {{{"kv_heads", 1}, {"group", 9}, {"keys", 257}}});
  compare("attention_combine_64_f32", {{{"kv_heads", 1}, {"group", 2}, {"splits", 3}}});
}

TEST(Kernels, NoneIsUnsafe) {
  edsl::TraceReport report;
  auto text = edsl::traceKernels(library(), report);
  ASSERT_TRUE(text) << text.error().what;
  EXPECT_EQ(report.kernels, library().size());
  EXPECT_EQ(report.unsafeRegions, 0);
}

} // namespace
} // namespace imbrex::kernels
