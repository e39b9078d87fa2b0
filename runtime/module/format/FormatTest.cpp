// Checksums, the assembler and the disassembler. Reading back what the writer wrote is tested in
// runtime/module.
#include "runtime/module/format/ArtifactWriter.h"
#include "runtime/module/format/Assembler.h"
#include "runtime/module/format/Crc32c.h"
#include "runtime/module/format/Disassembler.h"
#include "runtime/module/format/Layout.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace imbrex::artifact {
namespace {

std::span<const std::byte> bytesOf(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

TEST(Crc32cTest, KnownValue) {
  EXPECT_EQ(crc32c(0, bytesOf("123456789")), 0xe3069283u);
  EXPECT_EQ(crc32cPortable(0, bytesOf("123456789")), 0xe3069283u);
}

TEST(Crc32cTest, ContinuesAndAgreesWithTheTables) {
  std::string text;
  for (int i = 0; i < 1000; ++i)
    text += static_cast<char>(i * 7 + i / 3);
  for (size_t cut : {0u, 1u, 7u, 8u, 9u, 500u, 1000u}) {
    auto all = bytesOf(text);
    uint32_t parts = crc32c(crc32c(0, all.first(cut)), all.subspan(cut));
    EXPECT_EQ(parts, crc32c(0, all));
    EXPECT_EQ(parts, crc32cPortable(0, all));
  }
}

TEST(AssemblerTest, LabelsAndText) {
  Assembler a;
  auto end = a.newLabel();
  SizeSpec shape[] = {SizeSpec::literal(1ll << 33), SizeSpec::inSlot(2)};
  uint32_t in[] = {0}, out[] = {1};
  a.allocate(1, DType::F32, shape);
  a.branchIfZero(0, end);
  a.launch(0, in, out, {});
  a.place(end);
  a.ret(out);
  ArtifactSpec artifact;
  artifact.kernels.emplace_back().name = "relu";
  FunctionSpec f;
  f.code = a.take();
  EXPECT_EQ(disassemble(f, artifact), "    0: Allocate %1 f32 0 [8589934592 $2]\n"
                                      "    9: BranchIfZero %0 @19\n"
                                      "   12: Launch k0 \"relu\" [%0] [%1] []\n"
                                      "   19: Return [%1]\n");
  f.code.back() = 7;
  f.code.pop_back();
  EXPECT_NE(disassemble(f, artifact).find("<bad code>"), std::string::npos);
}

TEST(ArtifactWriterTest, FileEqualsBytesAndSharesEqualSpans) {
  std::vector<float> weights(1000, 1.5f);
  auto bytes = std::as_bytes(std::span(weights));
  ArtifactSpec spec;
  spec.model = "test";
  spec.constants.push_back({"a", DType::F32, {1000}, bytes});
  spec.constants.push_back({"b", DType::F32, {10, 100}, bytes});
  auto memory = serializeArtifact(spec);
  ASSERT_TRUE(memory.ok());
  FileHeader header;
  std::memcpy(&header, memory->data(), sizeof header);
  EXPECT_EQ(header.fileSize, memory->size());
  EXPECT_EQ(header.sectionCount, 2u);
  EXPECT_LT(memory->size(), 4096u + 4096u + 64u);

  std::string path = testing::TempDir() + "imbrex-format-test.imx";
  ASSERT_TRUE(writeArtifact(spec, path).ok());
  std::ifstream file(path, std::ios::binary);
  std::string read((std::istreambuf_iterator<char>(file)), {});
  ASSERT_EQ(read.size(), memory->size());
  EXPECT_EQ(std::memcmp(read.data(), memory->data(), read.size()), 0);
  std::filesystem::remove(path);
}

TEST(ArtifactWriterTest, RefusesConstantsThatDoNotFit) {
  std::vector<float> weights(3);
  ArtifactSpec spec;
  spec.constants.push_back({"a", DType::F32, {4}, std::as_bytes(std::span(weights))});
  auto result = serializeArtifact(spec);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, 101);
}

TEST(ArtifactWriterTest, NamesTheFileThatCannotBeWritten) {
  auto result = writeArtifact({}, "/nonexistent-folder/model.imx");
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().str().find("/nonexistent-folder/model.imx"), std::string::npos);
}

} // namespace
} // namespace imbrex::artifact
