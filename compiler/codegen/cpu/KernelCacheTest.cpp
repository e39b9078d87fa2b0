// Units of machine code, and keeping them.
#include "compiler/codegen/cpu/KernelCache.h"
#include "compiler/codegen/cpu/EmitCode.h"
#include "compiler/codegen/cpu/KernelTestSupport.h"
#include "compiler/passes/lower/BuildKernel.h"
#include "compiler/passes/lower/ProgramTestSupport.h"

#include "mlir/Parser/Parser.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace imbrex::codegen {
namespace {

using namespace mlir;
using opmeaning::Program;

DialectRegistry registry() {
  DialectRegistry r;
  registerKernelDialects(r);
  return r;
}

class KernelCacheTest : public testing::Test {
protected:
  KernelCacheTest() : context(registry(), MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
    folder = fs::temp_directory_path() / ("imbrex-kernels-test-" + std::to_string(getpid()));
    fs::remove_all(folder);
  }
  ~KernelCacheTest() override { fs::remove_all(folder); }

  /// A module with the kernels of relu over each shape, called NAME0, NAME1, …
  OwningOpRef<ModuleOp> relus(const std::string &name,
                              const std::vector<std::vector<int64_t>> &of) {
    OwningOpRef<ModuleOp> module(ModuleOp::create(UnknownLoc::get(&context)));
    names.clear();
    for (const auto &shape : of) {
      Program p = lower::test::meaning("relu", {lower::test::random(shape, 1)});
      test::prepare(p, DimFacts());
      for (uint32_t i = 0; i < p.defs.size(); ++i)
        lower::buildKernel(*module, p, i, DimFacts(),
                           names.emplace_back(name + std::to_string(names.size())));
    }
    return module;
  }

  struct Emitted {
    std::vector<char> elf;
    EmitReport report;
  };
  Emitted emit(ModuleOp module, const std::string &cache, unsigned threads = 1,
               const char *target = "cpu:x86-64-v3") {
    Emitted out;
    ImportTable imports;
    auto made = emitVariants(module, cpuTargets(target).take(), names, imports, {cache, threads},
                             &out.report);
    EXPECT_TRUE(made) << made.error().str();
    if (made)
      out.elf = made->front().elf;
    return out;
  }
  std::vector<fs::path> kept() const {
    std::vector<fs::path> files;
    for (const auto &entry : fs::directory_iterator(folder))
      files.push_back(entry.path());
    return files;
  }

  MLIRContext context;
  fs::path folder;
  std::vector<std::string> names;
};

TEST_F(KernelCacheTest, AUnitNamesNoKernel) {
  auto a = relus("a", {{3, 40}, {7}}), b = relus("other", {{7}, {3, 40}});
  auto x = splitUnits(*a), y = splitUnits(*b);
  ASSERT_EQ(x.size(), 2u);
  ASSERT_EQ(y.size(), 2u);
  EXPECT_EQ(x[0].text, y[1].text);
  EXPECT_EQ(x[1].hash, y[0].hash);
  EXPECT_NE(x[0].hash, x[1].hash);
  EXPECT_EQ(x[0].text.find("a0"), std::string::npos) << x[0].text;
}

TEST_F(KernelCacheTest, PartsOfTheSameTextAreOneUnit) {
  auto module = relus("k", {{3, 40}, {3, 40}});
  auto units = splitUnits(*module);
  ASSERT_EQ(units.size(), 1u);
  EXPECT_EQ(units[0].functions.size(), 2u);
  EXPECT_EQ(emit(*module, "").report.units, 1u);
}

TEST_F(KernelCacheTest, EachTileKernelIsAUnit) {
  auto doubling = [](const std::string &name, const std::string &width) {
    const std::string tile = "tensor<" + width + "xf32>";
    return "tile.kernel @" + name +
           "(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>) sizes (n) "
           "grid [(n + " +
           width + " - 1) floordiv " + width + "] {\n%i = tile.block 0\n" +
           "%a = tile.load %x[%i] : !tile.view<[n], f32> -> " + tile +
           "\n%s = arith.addf %a, %a : " + tile + "\ntile.store %s into %y[%i] : " + tile +
           ", !tile.view<[n], f32, write>\n}\n";
  };
  const std::string text = doubling("a", "64") + doubling("b", "32") + doubling("c", "64");
  auto module = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(module);
  auto units = splitUnits(*module);
  ASSERT_EQ(units.size(), 2u);
  // The function and the plan of each kernel.
  EXPECT_EQ(units[0].functions.size(), 4u);
  EXPECT_EQ(units[1].functions.size(), 2u);
  names = {"a", "b", "c"};
  EXPECT_EQ(emit(*module, "").report.units, 2u);
}

TEST_F(KernelCacheTest, CompilesOnceAndMakesTheSameFile) {
  auto module = relus("k", {{3, 40}, {7}, {1000}});
  Emitted without = emit(*module, "");
  Emitted first = emit(*module, folder);
  EXPECT_EQ(first.report.compiled, 3u);
  Emitted second = emit(*module, folder, 2);
  EXPECT_EQ(second.report.compiled, 0u);
  EXPECT_EQ(second.report.remarks, std::vector<std::string>());
  EXPECT_EQ(without.elf, first.elf);
  EXPECT_EQ(first.elf, second.elf);
  EXPECT_EQ(emit(*module, "", 3).elf, first.elf);
}

TEST_F(KernelCacheTest, AnotherTargetIsAnotherFile) {
  auto module = relus("k", {{3, 40}});
  emit(*module, folder);
  EXPECT_EQ(emit(*module, folder, 1, "cpu:x86-64-v4").report.compiled, 1u);
  EXPECT_EQ(emit(*module, folder, 1, "cpu").report.compiled, 0u);
  EXPECT_EQ(kept().size(), 2u);
}

TEST_F(KernelCacheTest, WhatIsDamagedIsCompiledAgain) {
  auto module = relus("k", {{3, 40}});
  Emitted first = emit(*module, folder);
  ASSERT_EQ(kept().size(), 1u);
  const fs::path file = kept()[0];
  std::ifstream in(file, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(in)), {});
  std::string flipped = whole;
  flipped[whole.size() / 2] ^= 1;
  for (const std::string &damaged : {std::string(), std::string("imbrex kernel 1\n"),
                                     whole.substr(0, whole.size() - 1), whole + "x", flipped}) {
    std::ofstream(file, std::ios::binary) << damaged;
    Emitted again = emit(*module, folder);
    EXPECT_EQ(again.report.compiled, 1u);
    ASSERT_EQ(again.report.remarks.size(), 1u);
    EXPECT_NE(again.report.remarks[0].find("damaged"), std::string::npos);
    EXPECT_EQ(again.elf, first.elf);
  }
  EXPECT_EQ(emit(*module, folder).report.compiled, 0u);
}

TEST_F(KernelCacheTest, CodeUnderAnotherNameIsDamagedToo) {
  auto module = relus("k", {{3, 40}});
  emit(*module, folder);
  const fs::path first = kept()[0];
  emit(*relus("k", {{9}}), folder);
  for (const fs::path &file : kept())
    if (file != first)
      fs::copy_file(first, file, fs::copy_options::overwrite_existing);
  EXPECT_EQ(emit(*relus("k", {{9}}), folder).report.compiled, 1u);
}

TEST_F(KernelCacheTest, AFolderThatOthersCanWriteIsNotUsed) {
  auto module = relus("k", {{3, 40}});
  fs::create_directories(folder);
  fs::permissions(folder, fs::perms::others_write, fs::perm_options::add);
  Emitted done = emit(*module, folder);
  EXPECT_EQ(done.report.compiled, 1u);
  EXPECT_EQ(done.report.remarks.size(), 1u);
  EXPECT_TRUE(kept().empty());
}

TEST_F(KernelCacheTest, TheIdentityIsOfThisProgram) {
  EXPECT_EQ(compilerIdentity().size(), 64u);
  EXPECT_EQ(compilerIdentity(), compilerIdentity());
}

} // namespace
} // namespace imbrex::codegen
