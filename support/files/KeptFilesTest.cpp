#include "support/files/KeptFiles.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace imbrex;
namespace fs = std::filesystem;

namespace {

std::span<const std::byte> bytesOf(const std::string &text) {
  return std::as_bytes(std::span(text));
}

class KeptFilesTest : public testing::Test {
protected:
  void SetUp() override {
    root = fs::temp_directory_path() / ("imbrex-kept-test-" + std::to_string(getpid()));
    fs::remove_all(root);
  }
  void TearDown() override { fs::remove_all(root); }
  KeptFiles kept(uint64_t limit = 1 << 20) const { return {root / "a/b", limit}; }

  fs::path root;
};

TEST_F(KeptFilesTest, ReadsWhatWasWritten) {
  KeptFiles files = kept();
  ASSERT_TRUE(files.prepare());
  EXPECT_FALSE(files.read("x"));
  EXPECT_TRUE(files.write("x", bytesOf("one")));
  EXPECT_TRUE(files.write("x", bytesOf("two")));
  EXPECT_EQ(files.read("x"), "two");
  EXPECT_TRUE(files.write("empty", {}));
  EXPECT_EQ(files.read("empty"), "");
  EXPECT_EQ(folderUse(root / "a/b").files, 2u);
  EXPECT_EQ(folderUse(root / "a/b").bytes, 3u);
}

TEST_F(KeptFilesTest, TrustsWhatTheUserAloneCanWrite) {
  KeptFiles files = kept();
  ASSERT_TRUE(files.prepare());
  files.write("x", bytesOf("x"));
  fs::permissions(files.path("x"), fs::perms::others_write, fs::perm_options::add);
  EXPECT_FALSE(files.read("x"));
  std::ofstream(root / "elsewhere") << "text";
  fs::create_symlink(root / "elsewhere", files.path("link"));
  EXPECT_FALSE(files.read("link"));
  fs::permissions(root / "a/b", fs::perms::group_write, fs::perm_options::add);
  Status trusted = files.prepare();
  ASSERT_FALSE(trusted);
  EXPECT_EQ(trusted.error().code, 731);
}

TEST_F(KeptFilesTest, NeitherFoldersNorPipesAreFiles) {
  KeptFiles files = kept();
  ASSERT_TRUE(files.prepare());
  fs::create_directory(files.path("folder"));
  EXPECT_FALSE(files.read("folder"));
  EXPECT_FALSE(files.write("folder", bytesOf("x")));
  EXPECT_FALSE(fs::exists(files.path("missing")));
  EXPECT_EQ(folderUse(root / "a/b").files, 0u);
  EXPECT_EQ(folderUse(root / "none").files, 0u);
}

TEST_F(KeptFilesTest, RemovesWhatWasUsedLongestAgo) {
  KeptFiles files = kept(25);
  ASSERT_TRUE(files.prepare());
  const std::string ten(10, 'x');
  auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
  for (const char *name : {"a", "b", "c"}) {
    files.write(name, bytesOf(ten));
    fs::last_write_time(files.path(name), old += std::chrono::minutes(1));
  }
  EXPECT_TRUE(files.read("a")); // now the newest
  files.evict();
  EXPECT_TRUE(fs::exists(files.path("a")));
  EXPECT_FALSE(fs::exists(files.path("b")));
  EXPECT_TRUE(fs::exists(files.path("c")));
  KeptFiles(root / "a/b", 0).evict("c");
  EXPECT_FALSE(fs::exists(files.path("a")));
  EXPECT_TRUE(fs::exists(files.path("c")));
}

TEST_F(KeptFilesTest, ReadersSeeWholeFilesOnly) {
  KeptFiles files = kept();
  ASSERT_TRUE(files.prepare());
  const std::string first(50000, 'a'), second(70000, 'b');
  files.write("x", bytesOf(first));
  std::vector<std::thread> writers;
  for (const std::string *text : {&first, &second, &first})
    writers.emplace_back([&files, text] {
      for (int i = 0; i < 30; ++i)
        EXPECT_TRUE(files.write("x", bytesOf(*text)));
    });
  for (int i = 0; i < 100; ++i) {
    auto content = files.read("x");
    ASSERT_TRUE(content);
    EXPECT_TRUE(*content == first || *content == second);
  }
  for (std::thread &t : writers)
    t.join();
  EXPECT_EQ(folderUse(root / "a/b").files, 1u);
}

} // namespace
