#include "tools/imbrex-run/Outputs.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace imbrex;
using namespace imbrex::tools;

namespace {

std::vector<Port> portsOf(const std::vector<std::string> &names) {
  std::vector<Port> ports;
  for (const std::string &name : names)
    ports.push_back({name, DType::F32, {2}, {""}});
  return ports;
}

/// The error's text; "" when the outputs have places.
std::string problem(const std::vector<std::string> &outputs, const std::vector<std::string> &texts,
                    const std::vector<std::string> &read = {}) {
  Result<Destinations> d = Destinations::parse(texts);
  if (!d)
    return d.error().str();
  Status status = d->check(portsOf(outputs), read);
  return status ? "" : status.error().str();
}

TEST(Destinations, FolderAndFiles) {
  Result<Destinations> d = Destinations::parse({"out", "y=z.npy"});
  ASSERT_TRUE(d.ok());
  EXPECT_EQ(d->of("y"), "z.npy");
  EXPECT_EQ(d->of("a/b"), "out/a_b.npy");
  EXPECT_EQ(problem({"y", "a/b"}, {"out", "y=z.npy"}), "");
  EXPECT_EQ(problem({"y"}, {}), "");
}

TEST(Destinations, RefusesTwoOutputsInOneFile) {
  EXPECT_NE(problem({"a/b", "a_b"}, {"out"}).find("two outputs would go to out/a_b.npy"),
            std::string::npos);
  EXPECT_EQ(problem({"a/b", "a_b"}, {"out", "a_b=other.npy"}), "");
  EXPECT_NE(problem({"a", "b"}, {"a=x.npy", "b=./x.npy"}).find("E0726"), std::string::npos);
  EXPECT_NE(problem({"a", "b"}, {"out", "b=out/a.npy"}).find("E0726"), std::string::npos);
}

TEST(Destinations, RefusesWhatNamesNothingOrTwoPlaces) {
  for (const std::vector<std::string> &texts :
       std::vector<std::vector<std::string>>{{""}, {"=x"}, {"b=x.npy"}, {"p", "q"}, {"a=x", "a=y"}})
    EXPECT_NE(problem({"a"}, texts).find("E0726"), std::string::npos) << texts[0];
}

TEST(Destinations, RefusesWhatTheRunReads) {
  auto folder =
      std::filesystem::temp_directory_path() / ("imbrex-outputs-test-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::string model = folder / "m.imx", link = folder / "link";
  std::ofstream(model) << "model";
  std::filesystem::create_symlink(model, link);
  EXPECT_NE(problem({"a"}, {"a=" + link}, {model}).find("reads that file"), std::string::npos);
  EXPECT_EQ(problem({"a"}, {"a=" + link + "2"}, {model}), "");
  std::filesystem::remove_all(folder);
}

TEST(Destinations, ReplacesFilesAndWritesToDevices) {
  namespace fs = std::filesystem;
  fs::path folder = fs::temp_directory_path() / ("imbrex-write-test-" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "old.npy") << "old";
  fs::create_symlink("old.npy", folder / "link.npy");
  auto put = [&](const std::string &file) {
    return Destinations::parse({"a=" + file})->write(portsOf({"a"}), {HostTensor(DType::F32, {2})});
  };
  EXPECT_TRUE(put((folder / "link.npy").string()).ok());
  EXPECT_TRUE(fs::is_symlink(folder / "link.npy"));
  EXPECT_GT(fs::file_size(folder / "old.npy"), 3u);
  EXPECT_TRUE(put("/dev/null").ok());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_FALSE(put((folder / "none" / "x.npy").string()).ok());
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 2);
  fs::remove_all(folder);
}

} // namespace
