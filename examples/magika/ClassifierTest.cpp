#include "examples/magika/Classifier.h"
#include "runtime/testing/TestModels.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace imbrex::magika {
namespace {

namespace fs = std::filesystem;

class ClassifierOpen : public ::testing::Test {
protected:
  void SetUp() override { path = fs::path(::testing::TempDir()) / "classifier-test.imx"; }
  void TearDown() override { fs::remove(path); }

  void write(std::span<const std::byte> bytes) const {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char *>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
  Error error() const {
    Result<Classifier> classifier = Classifier::open(path, {{}, {Label(), Label()}}, 1);
    EXPECT_FALSE(classifier.ok());
    return classifier.ok() ? Error() : classifier.takeError();
  }

  fs::path path;
};

TEST_F(ClassifierOpen, SaysHowToMakeAMissingModel) {
  EXPECT_EQ(error().code, 24);
  EXPECT_NE(error().str().find("No such file"), std::string::npos) << error().str();
  EXPECT_NE(error().remedy.find("imbrex compile"), std::string::npos);
}

TEST_F(ClassifierOpen, RefusesWhatIsNoArtifact) {
  write(std::vector<std::byte>(5000, std::byte{'x'}));
  EXPECT_NE(error().because.find("not an Imbrex artifact"), std::string::npos) << error().str();
}

TEST_F(ClassifierOpen, RefusesAModelWithOtherPorts) {
  write(imbrex::testing::addModel().bytes());
  EXPECT_EQ(error().because, "its ports are not one input i32[1,2048] and one output f32[1,2]");
}

} // namespace
} // namespace imbrex::magika
