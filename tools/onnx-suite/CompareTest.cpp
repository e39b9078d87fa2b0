#include "tools/onnx-suite/Compare.h"

#include <gtest/gtest.h>

#include <cmath>

namespace imbrex::suite {

static HostTensor floats(std::vector<float> v) {
  return HostTensor::of<float>(DType::F32, {int64_t(v.size())}, v);
}
static HostTensor ints(std::vector<int64_t> v) {
  return HostTensor::of<int64_t>(DType::I64, {int64_t(v.size())}, v);
}

TEST(Compare, AcceptsWithinTolerance) {
  EXPECT_FALSE(difference(floats({1.0005f, 0}), floats({1, 0})));
  EXPECT_FALSE(difference(floats({NAN, INFINITY}), floats({NAN, INFINITY})));
  EXPECT_FALSE(difference(ints({1, 2}), ints({1, 2})));
}

TEST(Compare, RejectsOutsideTolerance) {
  EXPECT_TRUE(difference(floats({1.002f}), floats({1})));
  EXPECT_TRUE(difference(floats({1e-6f}), floats({0})));
  EXPECT_TRUE(difference(floats({1}), floats({NAN})));
  EXPECT_TRUE(difference(floats({NAN}), floats({1})));
  EXPECT_TRUE(difference(floats({INFINITY}), floats({-INFINITY})));
  EXPECT_TRUE(difference(ints({1000001}), ints({1000000})));
}

TEST(Compare, RejectsOtherTypesAndShapes) {
  EXPECT_TRUE(difference(floats({1}), ints({1})));
  EXPECT_TRUE(difference(floats({1, 1}), floats({1})));
  EXPECT_EQ(*difference(floats({1, 1}), floats({1})), "got f32[2], expected f32[1]");
}

TEST(Compare, NarrowFloatsAreComparedByValue) {
  auto codes = [](std::vector<uint8_t> v) {
    return HostTensor::of<uint8_t>(DType::F8E4M3FN, {int64_t(v.size())}, v);
  };
  EXPECT_TRUE(difference(codes({0x01}), codes({0x02}), {}).has_value()); // both truncate to 0
  EXPECT_FALSE(difference(codes({0x7f}), codes({0xff}), {}).has_value());
  EXPECT_FALSE(difference(codes({0x38}), codes({0x38}), {}).has_value());
}

} // namespace imbrex::suite
