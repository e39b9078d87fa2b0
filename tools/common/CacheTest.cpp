#include "tools/common/Cache.h"

#include "runtime/module/format/Layout.h"
#include "tools/common/Files.h"

#include <cstring>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace imbrex;
using namespace imbrex::tools;
namespace fs = std::filesystem;

namespace {

/// Bytes that begin as an artifact of this length does.
std::string artifactOf(const std::string &rest) {
  artifact::FileHeader header = {};
  std::memcpy(header.magic, artifact::fileMagic, sizeof header.magic);
  header.version = artifact::formatVersion;
  header.fileSize = sizeof header + rest.size();
  return std::string(reinterpret_cast<const char *>(&header), sizeof header) + rest;
}

/// A folder with a "model" and a "compiler" that copies it and counts its runs.
class CacheTest : public testing::Test {
protected:
  void SetUp() override {
    root = fs::temp_directory_path() / ("imbrex-cache-test-" + std::to_string(getpid()));
    fs::create_directories(root);
    model = root / "model.onnx";
    compiler = root / "compiler";
    write(model, artifactOf("content"));
    write(compiler, "#!/bin/sh\necho run >>'" + (root / "runs").string() + "'\ncp \"$1\" \"$3\"\n");
    fs::permissions(compiler, fs::perms::owner_all);
  }
  void TearDown() override { fs::remove_all(root); }

  static void write(const fs::path &path, const std::string &text) { std::ofstream(path) << text; }
  int runs() const {
    std::ifstream file(root / "runs");
    int count = 0;
    for (std::string line; std::getline(file, line);)
      ++count;
    return count;
  }
  int kept() const {
    int count = 0;
    for ([[maybe_unused]] const auto &entry : fs::directory_iterator(root / "cache"))
      ++count;
    return count;
  }

  fs::path root, model, compiler;
};

TEST_F(CacheTest, CompilesOnce) {
  Cache cache(root / "cache");
  Result<Compiled> first = cache.artifactFor(model, {}, compiler);
  ASSERT_TRUE(first.ok()) << first.error().str();
  EXPECT_TRUE(first->fresh);
  Result<Compiled> second = cache.artifactFor(model, {}, compiler);
  ASSERT_TRUE(second.ok());
  EXPECT_FALSE(second->fresh);
  EXPECT_EQ(first->path, second->path);
  EXPECT_EQ(runs(), 1);
}

TEST_F(CacheTest, CompilesDamagedFilesAgain) {
  Cache cache(root / "cache");
  std::string path = cache.artifactFor(model, {}, compiler)->path;
  std::string whole = artifactOf("content");
  for (const std::string &damaged : {std::string(), std::string("text"), whole + "x",
                                     whole.substr(0, whole.size() - 1), whole.substr(0, 20)}) {
    write(path, damaged);
    Result<Compiled> again = cache.artifactFor(model, {}, compiler);
    ASSERT_TRUE(again.ok()) << again.error().str();
    EXPECT_TRUE(again->fresh);
    EXPECT_EQ(fs::file_size(path), whole.size());
  }
  EXPECT_EQ(runs(), 6);
  EXPECT_EQ(kept(), 1);
}

TEST_F(CacheTest, CompilesAgainWhatTheCheckRefuses) {
  bool good = true;
  Cache cache(root / "cache", Cache::defaultLimit, [&](const std::string &) { return good; });
  ASSERT_TRUE(cache.artifactFor(model, {}, compiler).ok());
  EXPECT_FALSE(cache.artifactFor(model, {}, compiler)->fresh);
  good = false;
  EXPECT_TRUE(cache.artifactFor(model, {}, compiler)->fresh);
  EXPECT_EQ(runs(), 2);
}

TEST_F(CacheTest, LoadsNothingThatOthersCanWrite) {
  Cache cache(root / "cache");
  Result<Compiled> first = cache.artifactFor(model, {}, compiler);
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(fs::status(first->path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  fs::permissions(first->path, fs::perms::group_write, fs::perm_options::add);
  Result<Compiled> again = cache.artifactFor(model, {}, compiler);
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(again->fresh);
  EXPECT_EQ(fs::status(again->path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  fs::permissions(root / "cache", fs::perms::others_write, fs::perm_options::add);
  Result<Compiled> aside = cache.artifactFor(model, {}, compiler);
  ASSERT_TRUE(aside.ok());
  EXPECT_NE(aside->remark.find("other users can write"), std::string::npos) << aside->remark;
  EXPECT_NE(aside->path, again->path);
  EXPECT_EQ(runs(), 3);
}

TEST_F(CacheTest, WorksWithoutAFolder) {
  write(root / "file", "");
  std::string path;
  {
    Result<Compiled> compiled = Cache(root / "file" / "cache").artifactFor(model, {}, compiler);
    ASSERT_TRUE(compiled.ok()) << compiled.error().str();
    EXPECT_NE(compiled->remark, "");
    EXPECT_TRUE(compiled->fresh);
    path = compiled->path;
    EXPECT_TRUE(fs::exists(path));
  }
  EXPECT_FALSE(fs::exists(path)) << "it goes with the result";
}

TEST_F(CacheTest, TellsModelsOptionsAndCompilersApart) {
  Cache cache(root / "cache");
  ASSERT_TRUE(cache.artifactFor(model, {}, compiler).ok());
  ASSERT_TRUE(cache.artifactFor(model, {"--target", "cpu:native"}, compiler).ok());
  write(model, artifactOf("other"));
  ASSERT_TRUE(cache.artifactFor(model, {}, compiler).ok());
  std::ofstream(compiler, std::ios::app) << "# newer\n";
  ASSERT_TRUE(cache.artifactFor(model, {}, compiler).ok());
  EXPECT_EQ(runs(), 4);
  EXPECT_EQ(kept(), 4);
}

TEST_F(CacheTest, KeepsNothingOfAFailedCompilation) {
  write(compiler, "#!/bin/sh\necho half >\"$3\"\nexit 3\n");
  Cache cache(root / "cache");
  Result<Compiled> compiled = cache.artifactFor(model, {}, compiler);
  ASSERT_TRUE(compiled.ok());
  EXPECT_EQ(compiled->exitCode, 3);
  EXPECT_EQ(kept(), 0);
}

TEST_F(CacheTest, StaysUnderItsLimit) {
  Cache cache(root / "cache", 2 * (sizeof(artifact::FileHeader) + 10));
  for (int i = 0; i < 5; ++i) {
    write(model, artifactOf("ten bytes" + std::to_string(i)));
    ASSERT_TRUE(cache.artifactFor(model, {}, compiler).ok());
  }
  EXPECT_EQ(kept(), 2);
  EXPECT_EQ(runs(), 5);
}

TEST_F(CacheTest, SeesChangedExternalData) {
  std::string entry = std::string("\x0a\x08location\x12\x08", 12) + "data.bin";
  write(model, "start" + entry + "end");
  write(root / "data.bin", "1");
  Result<std::string> before = Cache::keyOf(model, {}, compiler);
  write(root / "data.bin", "22");
  Result<std::string> after = Cache::keyOf(model, {}, compiler);
  ASSERT_TRUE(before.ok() && after.ok());
  EXPECT_NE(*before, *after);
}

TEST_F(CacheTest, KnowsTheFilesOfAModelThroughLinks) {
  std::string entry = std::string("\x0a\x08location\x12\x08", 12) + "data.bin";
  write(model, "start" + entry + "end");
  write(root / "data.bin", "1");
  std::vector<std::string> files = filesOf(model);
  ASSERT_EQ(files.size(), 2u);
  fs::create_symlink("data.bin", root / "soft");
  fs::create_hard_link(root / "data.bin", root / "hard");
  EXPECT_TRUE(isSameFile(files[1], root / "soft"));
  EXPECT_TRUE(isSameFile(files[1], root / "hard"));
  EXPECT_FALSE(isSameFile(files[1], files[0]));
  EXPECT_FALSE(isSameFile(root / "none", root / "none"));
}

TEST_F(CacheTest, SaysThatAModelIsMissing) {
  Result<Compiled> compiled = Cache(root / "cache").artifactFor(root / "none.onnx", {}, compiler);
  ASSERT_FALSE(compiled.ok());
  EXPECT_EQ(compiled.error().code, 730);
}

TEST(ExternalNames, SurvivesDamagedEntries) {
  std::string entry("\x0a\x08location\x12", 11);
  EXPECT_TRUE(externalNames(entry).empty());
  EXPECT_TRUE(externalNames(entry + "\xff\xff\xff\xff\xff").empty());
  EXPECT_TRUE(externalNames(entry + "\x7fshort").empty());
  EXPECT_EQ(externalNames(entry + "\x01" + "a" + entry + "\x01" + "a").size(), 1u);
}

} // namespace
