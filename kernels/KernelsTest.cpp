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
  compare("transpose_f32", {{{"m", 1}, {"n", 1}}, {{"m", 33}, {"n", 65}}, {{"m", 64}, {"n", 32}}});
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
TEST(Kernels, Attention) {
  compare("attention_f32", {{{"heads", 2}, {"tokens", 1}},
                            {{"heads", 1}, {"tokens", 33}},
                            {{"heads", 2}, {"tokens", 70}}});
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
