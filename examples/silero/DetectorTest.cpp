#include "examples/silero/Detector.h"
#include "runtime/testing/TestModels.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace imbrex::silero {
namespace {

TEST(DetectorOpen, SaysHowToMakeAMissingModel) {
  Result<Detector> detector = Detector::open(::testing::TempDir() + "/no-such-model.imx");
  ASSERT_FALSE(detector.ok());
  EXPECT_NE(detector.error().because.find("No such file"), std::string::npos);
  EXPECT_NE(detector.error().remedy.find("--input-shape state=2x1x128"), std::string::npos);
}

TEST(DetectorOpen, RefusesAModelWithOtherPorts) {
  std::filesystem::path path = std::filesystem::path(::testing::TempDir()) / "detector-test.imx";
  std::vector<std::byte> bytes = imbrex::testing::addModel().bytes();
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char *>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  Result<Detector> detector = Detector::open(path);
  std::filesystem::remove(path);
  ASSERT_FALSE(detector.ok());
  EXPECT_EQ(detector.error().because, "its ports are not input, state, sr and output, stateN");
}

} // namespace
} // namespace imbrex::silero
