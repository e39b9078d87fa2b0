// Reading back what was written, and refusing what is damaged.
#include "runtime/module/Module.h"
#include "runtime/module/format/ArtifactWriter.h"
#include "runtime/module/format/Layout.h"
#include "runtime/testing/Repair.h"
#include "runtime/testing/TestModels.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace imbrex::runtime {
namespace {

using artifact::ArtifactSpec;
using testing::TestModel;

bool sameBytes(std::span<const std::byte> a, std::span<const std::byte> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

bool same(const ArtifactSpec &a, const ArtifactSpec &b) {
  bool equal = a.producer == b.producer && a.model == b.model && a.modelHash == b.modelHash &&
               a.functions == b.functions && a.entry == b.entry && a.kernels == b.kernels &&
               a.sizes == b.sizes && a.externals == b.externals && a.imports == b.imports &&
               a.nodes == b.nodes && a.rewrites == b.rewrites && a.hostOps == b.hostOps &&
               a.remarks == b.remarks && a.kernelAbi == b.kernelAbi &&
               a.constants.size() == b.constants.size() && a.variants.size() == b.variants.size();
  for (size_t i = 0; equal && i < a.constants.size(); ++i)
    equal = a.constants[i].name == b.constants[i].name &&
            a.constants[i].dtype == b.constants[i].dtype &&
            a.constants[i].shape == b.constants[i].shape &&
            a.constants[i].gathered == b.constants[i].gathered &&
            sameBytes(a.constants[i].bytes, b.constants[i].bytes);
  for (size_t i = 0; equal && i < a.variants.size(); ++i)
    equal = a.variants[i].target == b.variants[i].target &&
            a.variants[i].features == b.variants[i].features &&
            a.variants[i].priority == b.variants[i].priority &&
            sameBytes(a.variants[i].code, b.variants[i].code);
  return equal;
}

/// Opens bytes; the error text, or "" when they are accepted and equal `original`, or "different".
std::string open(const std::vector<std::byte> &bytes, const ArtifactSpec &original) {
  auto module = Module::fromMemory(bytes, {ConstantsCheck::Verify, ConstantsPlace::Automatic});
  if (!module)
    return module.error().str();
  return same((*module)->spec(), original) ? "" : "different";
}

TEST(RoundTripTest, ReadsWhatWasWritten) {
  for (const TestModel &m : testing::allTestModels())
    EXPECT_EQ(open(m.bytes(), m.spec), "") << m.name;
}

TEST(RoundTripTest, KeepsWhatNothingUsesYet) {
  TestModel m = testing::addModel();
  m.spec.kernels[0].aliases = {{0, 1}};
  m.spec.functions[0].inputs[1].donated = true;
  m.spec.kernels[0].group = 0;
  m.spec.kernels[0].clampedReads = 2;
  m.spec.kernels[0].proven = true;
  m.spec.kernels[0].work = "2*n";
  m.spec.kernels[0].form = "elementwise: plain loop nest";
  m.spec.functions[0].facts = {"n = 2*m"};
  m.spec.functions[0].results = {{1, 0}};
  m.spec.nodes = {
      {"c\x1b", "conv", "strides = [2, 2]", 0, -1, 0, 0, {{-1, 0}, {-3, 0}}, {"f32[n]"}, {}},
      {"", "if", "", 0, 0, 1, -1, {{0, 0}}, {"f32[n]"}, {{0, 0}}}};
  m.spec.rewrites = {{"drop-identity", "exact bits", "c"}};
  EXPECT_EQ(open(m.bytes(), m.spec), "");
}

TEST(DamageTest, EveryTruncationIsRefused) {
  TestModel m = testing::branchModel();
  std::vector<std::byte> whole = m.bytes();
  for (size_t n = 0; n < whole.size(); n += n < 4096 ? 1 : 61)
    ASSERT_NE(open({whole.begin(), whole.begin() + static_cast<ptrdiff_t>(n)}, m.spec), "") << n;
  whole.push_back(std::byte{0});
  EXPECT_NE(open(whole, m.spec), "");
}

TEST(DamageTest, EveryFlippedByteIsRefusedOrIsPadding) {
  TestModel m = testing::branchModel();
  std::vector<std::byte> file = m.bytes();
  size_t accepted = 0;
  for (size_t i = 0; i < file.size(); ++i) {
    file[i] ^= std::byte{0x41};
    std::string outcome = open(file, m.spec);
    ASSERT_NE(outcome, "different") << "byte " << i;
    accepted += outcome.empty();
    file[i] ^= std::byte{0x41};
  }
  EXPECT_LT(accepted, 3 * artifact::pageBytes) << "only gaps between sections are not checked";
}

/// Behind the checksums: whatever is said must be judged without a crash. The sanitizers watch.
TEST(DamageTest, RepairedChecksumsDoNotHideDamage) {
  for (const TestModel &m : {testing::branchModel(), testing::matmulModel()}) {
    std::vector<std::byte> whole = m.bytes();
    size_t refused = 0, differs = 0;
    for (size_t i = 0; i < whole.size(); i += i < 8192 ? 1 : 3)
      for (std::byte flip : {std::byte{0xff}, std::byte{0x01}, std::byte{0x80}}) {
        std::vector<std::byte> file = whole;
        file[i] ^= flip;
        testing::repairChecksums(file);
        std::string outcome = open(file, m.spec);
        refused += !outcome.empty() && outcome != "different";
        differs += outcome == "different";
      }
    EXPECT_GT(refused, 1000u);
    EXPECT_GT(differs, 100u) << "names and machine code may differ";
  }
}

TEST(DamageTest, TruncatedMetadataIsRefused) {
  TestModel m = testing::branchModel();
  std::vector<std::byte> file = m.bytes();
  artifact::SectionRecord s;
  std::memcpy(&s, file.data() + sizeof(artifact::FileHeader), sizeof s);
  std::span<const std::byte> metadata(file.data() + s.offset, s.size);
  EXPECT_EQ(open(testing::wrapMetadata(metadata), m.spec).substr(0, 5), "diffe")
      << "other constants, the rest equal";
  for (size_t n = 0; n < metadata.size(); ++n)
    open(testing::wrapMetadata(metadata.first(n)), m.spec);
}

/// Opens a changed add model.
template <class Change> std::string opened(Change change) {
  TestModel m = testing::addModel();
  change(m.spec);
  return open(m.bytes(), m.spec);
}

void expectRefused(const std::string &outcome, const std::string &because) {
  EXPECT_NE(outcome.find(because), std::string::npos) << outcome;
}

TEST(RecordTest, InconsistentRecordsAreRefused) {
  expectRefused(opened([](auto &s) { s.entry = 1; }), "its entry function does not exist");
  expectRefused(opened([](auto &s) { s.kernels[0].entry = "system"; }), "does not define 'system'");
  expectRefused(opened([](auto &s) { s.kernels[0].plan = "system"; }), "does not define 'system'");
  expectRefused(opened([](auto &s) { s.kernels[0].grid = -1; }), "its grid or its scratch memory");
  expectRefused(opened([](auto &s) { s.kernels[0].args.pop_back(); }),
                "it types 2 of its arguments");
  expectRefused(opened([](auto &s) { s.kernels[0].args[0].dims[0].size.slot = 1; }), "is no type");
  expectRefused(opened([](auto &s) { s.functions[0].registers = 1; }), "do not fit its inputs");
  expectRefused(opened([](auto &s) { s.functions[0].sizes = 0; }), "sizes function does not exist");
  expectRefused(opened([](auto &s) { s.functions[0].symbols = {{"n", 0, 0}}; }), "size vector");
  expectRefused(opened([](auto &s) {
                  s.functions[0].symbols = {{"n", 0, 2}};
                  s.functions[0].sizeSlots = 1;
                }),
                "refers to no input's axis");
  expectRefused(opened([](auto &s) { s.functions[0].inputs[0].type.dtype = DType::Invalid; }),
                "the type of 'x' is no type");
  expectRefused(opened([](auto &s) { s.functions[0].arena.value = -1; }), "its arena has no size");
  expectRefused(opened([](auto &s) { s.kernelAbi = 2; }), "ABI version 2");
  expectRefused(opened([](auto &s) { s.kernels[0].aliases = {{0, 2}}; }), "shares the storage");
  expectRefused(opened([](auto &s) { s.externals = {{"gemm", "libvendor.so"}}; }),
                "error[E0115]: the artifact calls kernels of the library 'libvendor.so'");
}

/// The test kernels with a change, as the code of the add model.
template <class Change> std::string openedCode(Change change) {
  std::vector<std::byte> elf = testing::testKernels();
  change(elf);
  return opened([&](auto &s) { s.variants[0].code = elf; });
}

template <class T> T &at(std::vector<std::byte> &bytes, size_t offset) {
  return *reinterpret_cast<T *>(bytes.data() + offset);
}

/// Applies `change(type, flags, offset)` to each program header.
template <class Change> void eachSegment(std::vector<std::byte> &elf, Change change) {
  for (uint16_t i = 0; i < at<uint16_t>(elf, 56); ++i) {
    size_t header = 64 + size_t{i} * 56;
    change(at<uint32_t>(elf, header), at<uint32_t>(elf, header + 4), at<uint64_t>(elf, header + 8));
  }
}

void setDynamicTag(std::vector<std::byte> &elf, int64_t tag) {
  eachSegment(elf, [&](uint32_t type, uint32_t &, uint64_t offset) {
    if (type == 2)
      at<int64_t>(elf, offset) = tag;
  });
}

TEST(CodeTest, CodeThatBreaksARuleIsRefused) {
  expectRefused(openedCode([](auto &elf) { elf.clear(); }), "no ELF shared object");
  expectRefused(openedCode([](auto &elf) { elf[4] = std::byte{1}; }), "no ELF shared object");
  expectRefused(openedCode([](auto &elf) { at<uint16_t>(elf, 18) = 3; }), "machine 3");
  for (int64_t tag : {1, 12, 15, 22, 25, 29})
    expectRefused(openedCode([&](auto &elf) { setDynamicTag(elf, tag); }),
                  "tag " + std::to_string(tag));
  expectRefused(openedCode([](auto &elf) {
                  eachSegment(elf, [](uint32_t type, uint32_t &flags, uint64_t) {
                    flags |= type == 1 ? 3 : 0;
                  });
                }),
                "both writable and executable");
  expectRefused(openedCode([](auto &elf) {
                  eachSegment(elf, [](uint32_t &type, uint32_t &flags, uint64_t) {
                    flags |= type == 0x6474e551 ? 1 : 0;
                  });
                }),
                "executable stack");
  for (size_t n = 0; n < testing::testKernels().size(); n += 7)
    openedCode([n](auto &elf) { elf.resize(n); });
}

TEST(CodeTest, TheBestVariantIsChosen) {
  TestModel m = testing::addModel();
  m.spec.variants.push_back({testing::hostKind, "better", {}, 7, testing::testKernels()});
  m.spec.variants.push_back(
      {testing::hostKind, "impossible", {"warp-drive"}, 9, testing::testKernels()});
  auto module = Module::fromMemory(m.bytes(), {});
  ASSERT_TRUE(module.ok());
  auto code = (*module)->executable();
  ASSERT_TRUE(code.ok()) << code.error().str();
  EXPECT_EQ((*code)->target, "better");
}

TEST(CodeTest, OtherKindsAreSkippedAndListed) {
  TestModel m = testing::addModel();
  const char text[] = ".version 8.0";
  m.spec.variants.push_back({"ptx", "sm_90", {}, 9, std::as_bytes(std::span(text))});
  auto module = Module::fromMemory(m.bytes(), {});
  ASSERT_TRUE(module.ok()) << module.error().str();
  auto code = (*module)->executable();
  ASSERT_TRUE(code.ok()) << code.error().str();
  EXPECT_EQ((*code)->target, "generic");
  EXPECT_NE((*module)->info().find("\"target\":\"sm_90\",\"kind\":\"ptx\""), std::string::npos);
}

TEST(CodeTest, CodeForOtherMachinesIsUnsupportedNotCorrupt) {
  TestModel m = testing::addModel();
  m.spec.variants[0].kind = "ptx";
  auto module = Module::fromMemory(m.bytes(), {});
  ASSERT_TRUE(module.ok()) << module.error().str();
  auto code = (*module)->executable();
  ASSERT_FALSE(code.ok());
  EXPECT_EQ(code.error().code, 110);
  EXPECT_EQ(code.error().kind, ErrorKind::Unsupported);
}

/// What this machine does not load may lack kernels; what it loads may not.
TEST(CodeTest, OnlyTheChosenVariantMustBeComplete) {
  TestModel m = testing::addModel();
  std::vector<std::byte> other = testing::testKernels();
  const std::string name = "add_f32", changed = "sub_f32";
  for (auto at = other.begin();;) {
    at = std::search(at, other.end(), std::as_bytes(std::span(name)).begin(),
                     std::as_bytes(std::span(name)).end());
    if (at == other.end())
      break;
    std::memcpy(&*at, changed.data(), changed.size());
  }
  m.spec.variants.push_back({testing::hostKind, "partial", {"warp-drive"}, 9, other});
  EXPECT_EQ(open(m.bytes(), m.spec), "");
  m.spec.variants.back().features.clear();
  expectRefused(open(m.bytes(), m.spec), "does not define 'add_f32'");
  m.spec.variants.pop_back();
  m.spec.variants[0].kind =
      testing::hostKind == std::string("elf-aarch64") ? "elf-x86-64" : "elf-aarch64";
  expectRefused(open(m.bytes(), m.spec), "not of the kind");
}

TEST(HeaderTest, NewerFormatsAndOtherFilesAreTold) {
  TestModel m = testing::addModel();
  std::vector<std::byte> file = m.bytes();
  file[8] = std::byte{99};
  expectRefused(open(file, m.spec), "format version 99");
  expectRefused(open({}, m.spec), "not an Imbrex artifact");
}

TEST(ConstantsTest, LargeOnesMoveToHugePagesAndAreCheckedOnRequest) {
  std::vector<float> weights(3 << 20, 0.25f);
  TestModel m = testing::branchModel();
  m.spec.constants[0] = {"c", DType::F32, {3 << 20}, std::as_bytes(std::span(weights))};
  std::string path = ::testing::TempDir() + "imbrex-module-test.imx";
  ASSERT_TRUE(artifact::writeArtifact(m.spec, path).ok());
  for (auto place : {ConstantsPlace::Automatic, ConstantsPlace::InPlace}) {
    auto module = Module::open(path, {ConstantsCheck::Verify, place});
    ASSERT_TRUE(module.ok()) << module.error().str();
    auto code = (*module)->executable();
    ASSERT_TRUE(code.ok()) << code.error().str();
    const std::byte *c = (*code)->constants[0];
    EXPECT_EQ(std::memcmp(c, weights.data(), weights.size() * 4), 0);
    EXPECT_EQ(c == (*module)->spec().constants[0].bytes.data(), place == ConstantsPlace::InPlace);
  }
  std::FILE *file = std::fopen(path.c_str(), "r+b");
  ASSERT_NE(file, nullptr);
  std::fseek(file, -100, SEEK_END);
  std::fputc(1, file);
  std::fclose(file);
  EXPECT_TRUE(Module::open(path, {}).ok()) << "not read when not asked for";
  auto checked = Module::open(path, {ConstantsCheck::Verify, ConstantsPlace::Automatic});
  ASSERT_FALSE(checked.ok());
  EXPECT_EQ(checked.error().code, 104);
  EXPECT_EQ(checked.error().where.file, path);
  std::filesystem::remove(path);
}

/// Whether an address lies in a mapping of this file.
bool isMapped(const void *address, const std::string &path) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    uintptr_t begin = 0, end = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx", &begin, &end) == 2 &&
        reinterpret_cast<uintptr_t>(address) - begin < end - begin)
      return line.find(std::filesystem::path(path).filename()) != std::string::npos;
  }
  return false;
}

TEST(ConstantsTest, GatheredOnesStayInTheFile) {
  std::vector<float> table(3 << 20, 0.5f), weights(3 << 20, 0.25f);
  TestModel m = testing::branchModel();
  m.spec.constants[0] = {"table", DType::F32, {3 << 20}, std::as_bytes(std::span(table)), true};
  m.spec.constants.push_back({"w", DType::F32, {3 << 20}, std::as_bytes(std::span(weights))});
  m.spec.constants.push_back(
      {"w", DType::F32, {1 << 20}, m.spec.constants[1].bytes.first(4 << 20), true});
  std::string path = ::testing::TempDir() + "imbrex-gathered-test.imx";
  ASSERT_TRUE(artifact::writeArtifact(m.spec, path).ok());
  auto module = Module::open(path, {ConstantsCheck::Verify, ConstantsPlace::Automatic});
  ASSERT_TRUE(module.ok()) << module.error().str();
  auto code = (*module)->executable();
  ASSERT_TRUE(code.ok()) << code.error().str();
  const auto &spec = (*module)->spec();
  EXPECT_TRUE(same(spec, m.spec));
  EXPECT_NE((*code)->constants[1], spec.constants[1].bytes.data()) << "in huge pages";
  EXPECT_TRUE(isMapped((*code)->constants[0], path));
  EXPECT_FALSE(isMapped((*code)->constants[1], path));
  EXPECT_EQ(reinterpret_cast<uintptr_t>((*code)->constants[0]) % 64, 0u);
  EXPECT_GT(spec.constants[0].bytes.data(), spec.constants[1].bytes.data());
  EXPECT_EQ(std::memcmp((*code)->constants[0], table.data(), table.size() * 4), 0);
  EXPECT_EQ(std::memcmp((*code)->constants[1], weights.data(), weights.size() * 4), 0);
  EXPECT_EQ(std::memcmp((*code)->constants[2], weights.data(), weights.size()), 0);
  std::filesystem::remove(path);

  m.spec.kernels[0].gathered = {9};
  expectRefused(open(m.bytes(), m.spec), "gathers from an operand");
}

} // namespace
} // namespace imbrex::runtime
