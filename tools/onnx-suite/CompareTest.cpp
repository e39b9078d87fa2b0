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

TEST(Compare, DrawsAgreeWhereBothAreKept) {
  std::vector<float> a(1000), b(1000), c(1000, 0);
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = i % 2 ? 2 : 0;
    b[i] = i % 3 % 2 ? 0 : 2;
  }
  auto tensor = [](const std::vector<float> &v) {
    return HostTensor::of<float>(DType::F32, {1000}, v);
  };
  EXPECT_TRUE(unlikeDraw(tensor(a), tensor(c))) << "everything dropped";
  EXPECT_TRUE(unlikeDraw(tensor(a), tensor(b))) << "a half and a third dropped";
  for (size_t i = 0; i < a.size(); ++i)
    b[i] = i < 490 ? 2 : 0;
  EXPECT_FALSE(unlikeDraw(tensor(a), tensor(b)));
  b[1] = 3;
  EXPECT_TRUE(unlikeDraw(tensor(a), tensor(b))) << "another value";
}

} // namespace imbrex::suite
