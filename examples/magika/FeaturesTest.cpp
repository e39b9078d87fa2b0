#include "examples/magika/Features.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace imbrex::magika {
namespace {

namespace fs = std::filesystem;

constexpr FeatureConfig small{4, 3, 8, 2, 256};
using Tokens = std::vector<int32_t>;

TEST(Features, TakesTheBeginningAndTheEnd) {
  EXPECT_EQ(featuresOfBytes("abcdefgh", small).tokens, (Tokens{'a', 'b', 'c', 'd', 'f', 'g', 'h'}));
}

TEST(Features, PadsAfterTheBeginningAndBeforeTheEnd) {
  EXPECT_EQ(featuresOfBytes("ab", small).tokens, (Tokens{'a', 'b', 256, 256, 256, 'a', 'b'}));
}

TEST(Features, DropsWhiteSpaceOutside) {
  EXPECT_EQ(featuresOfBytes(" \t\n\r\v\fab", small).tokens,
            (Tokens{'a', 'b', 256, 256, '\f', 'a', 'b'}));
  EXPECT_EQ(featuresOfBytes("ab c\n\n", small).tokens, (Tokens{'a', 'b', ' ', 'c', 'b', ' ', 'c'}));
}

TEST(Features, KeepsBytesAbove127AndZero) {
  EXPECT_EQ(featuresOfBytes(std::string_view("\xFF\0\x80", 3), small).tokens,
            (Tokens{255, 0, 128, 256, 255, 0, 128}));
}

TEST(Features, ReadsOneBlockFromEitherEnd) {
  // White space fills the first block: the beginning has nothing, whatever follows.
  Features features = featuresOfBytes("        abcdefghijk", small);
  EXPECT_EQ(features.answer, "txt");
  EXPECT_EQ(featuresOfBytes("abcdefghijk        ", small).tokens,
            (Tokens{'a', 'b', 'c', 'd', 256, 256, 256}));
}

TEST(Features, AnswersSmallContentsItself) {
  EXPECT_EQ(featuresOfBytes("", small).answer, "empty");
  EXPECT_EQ(featuresOfBytes("a", small).answer, "txt");
  EXPECT_EQ(featuresOfBytes("\xFF", small).answer, "unknown");
  EXPECT_EQ(featuresOfBytes("  \n  ", small).answer, "txt");
  EXPECT_TRUE(featuresOfBytes("", small).tokens.empty());
}

TEST(Features, KnowsUtf8) {
  for (const char *good : {"", "abc", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF",
                           "\xEE\x80\x80", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"})
    EXPECT_TRUE(isUtf8(good)) << good;
  for (const char *bad :
       {"\x80", "\xC0\x80", "\xC1\xBF", "\xC2", "\xC2 ", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xE2\x82",
        "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF"})
    EXPECT_FALSE(isUtf8(bad)) << bad;
}

class FeaturesOfFile : public testing::Test {
protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "features-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder = name;
  }
  void TearDown() override { fs::remove_all(folder); }

  std::string path(const char *name) const { return folder / name; }
  std::string write(const char *name, const std::string &bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  static Features of(const std::string &path, Symlinks symlinks = Symlinks::Follow) {
    Result<Features> features = featuresOfFile(path, {}, symlinks);
    EXPECT_TRUE(features.ok()) << path;
    return features.ok() ? features.take() : Features();
  }

  fs::path folder;
};

TEST_F(FeaturesOfFile, EqualsTheBytes) {
  std::string bytes;
  for (int i = 0; i < 10000; ++i)
    bytes.push_back(static_cast<char>(i * 31 >> 3));
  EXPECT_EQ(of(write("f", bytes)).tokens, featuresOfBytes(bytes, {}).tokens);
  EXPECT_EQ(of(path("f")).tokens.size(), 2048u);
}

TEST_F(FeaturesOfFile, AnswersWhatIsNoFile) {
  EXPECT_EQ(of(folder).answer, "directory");
  EXPECT_EQ(of(write("empty", "")).answer, "empty");
  fs::create_symlink(write("f", "#!/bin/sh\necho hello\n"), path("link"));
  EXPECT_FALSE(of(path("link")).answer.has_value());
  EXPECT_EQ(of(path("link"), Symlinks::Name).answer, "symlink");
  fs::create_directory_symlink(folder, path("folder-link"));
  EXPECT_EQ(of(path("folder-link")).answer, "directory");
}

TEST_F(FeaturesOfFile, DoesNotWaitForAFifoSocketOrDevice) {
  ASSERT_EQ(mkfifo(path("fifo").c_str(), 0600), 0);
  EXPECT_EQ(of(path("fifo")).answer, "unknown");
  EXPECT_EQ(of(path("fifo")).note, "a FIFO: not read");
  EXPECT_EQ(of("/dev/zero").answer, "unknown");
  EXPECT_EQ(of("/dev/zero").note, "a character device: not read");
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address = {AF_UNIX, {}};
  path("s").copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(bind(fd, reinterpret_cast<sockaddr *>(&address), sizeof address), 0);
  EXPECT_EQ(of(path("s")).note, "a socket: not read");
  close(fd);
}

TEST_F(FeaturesOfFile, ReadsOnlyTheEndsOfAHugeFile) {
  std::string huge = write("huge", "%PDF-1.7 beginning");
  fs::resize_file(huge, 10ull << 30); // sparse
  auto start = std::chrono::steady_clock::now();
  Features features = of(huge);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
  ASSERT_EQ(features.tokens.size(), 2048u);
  EXPECT_EQ(features.tokens[0], '%');
  EXPECT_EQ(features.tokens[2047], 0);
}

TEST_F(FeaturesOfFile, TakesFilesThatAreShorterThanTheyAnnounce) {
  if (!fs::exists("/sys/kernel/mm/transparent_hugepage/enabled"))
    GTEST_SKIP() << "this machine has no such file";
  EXPECT_FALSE(of("/sys/kernel/mm/transparent_hugepage/enabled").tokens.empty());
}

TEST_F(FeaturesOfFile, SaysWhyAFileCannotBeRead) {
  Result<Features> missing = featuresOfFile(path("none"), {}, Symlinks::Follow);
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().exitCode(), ExitCode::BadInput);
  EXPECT_NE(missing.error().str().find("none"), std::string::npos);
  fs::create_symlink("nowhere", path("dangling"));
  EXPECT_FALSE(featuresOfFile(path("dangling"), {}, Symlinks::Follow).ok());
  EXPECT_EQ(of(path("dangling"), Symlinks::Name).answer, "symlink");
  fs::create_symlink("loop", path("loop"));
  EXPECT_FALSE(featuresOfFile(path("loop"), {}, Symlinks::Follow).ok());
  EXPECT_FALSE(featuresOfFile(std::string(5000, 'x'), {}, Symlinks::Follow).ok());
}

TEST_F(FeaturesOfFile, SaysThatAFileMayNotBeRead) {
  std::string secret = write("secret", "nothing to see here");
  fs::permissions(folder, fs::perms::owner_all | fs::perms::others_exec);
  fs::permissions(secret, fs::perms::none);
  // Root may read everything, so be nobody for a moment.
  constexpr uid_t nobody = 65534;
  const uid_t self = geteuid();
  if (self == 0)
    ASSERT_EQ(seteuid(nobody), 0);
  Result<Features> features = featuresOfFile(secret, {}, Symlinks::Follow);
  ASSERT_EQ(seteuid(self), 0);
  ASSERT_FALSE(features.ok());
  EXPECT_EQ(features.error().because, "Permission denied");
}

} // namespace
} // namespace imbrex::magika
