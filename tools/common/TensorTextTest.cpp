#include "tools/common/TensorText.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace imbrex;
using namespace imbrex::tools;

TEST(TensorText, ShowsTypeRangeAndElements) {
  const float values[] = {1, -2, 4};
  HostTensor tensor = HostTensor::of<float>(DType::F32, {3}, values);
  EXPECT_EQ(describe("y", tensor), "y  f32[3]  min -2 max 4 mean 1  [1, -2, 4]");
}

TEST(TensorText, CountsNaNApart) {
  const float values[] = {NAN, 2};
  HostTensor tensor = HostTensor::of<float>(DType::F32, {2}, values);
  EXPECT_EQ(describe("y", tensor), "y  f32[2]  min 2 max 2 mean 2  NaN 1  [nan, 2]");
}

TEST(TensorText, CutsLongTensorsAndShowsEmptyOnes) {
  EXPECT_TRUE(describe("y", HostTensor(DType::I8, {20})).ends_with("[0, 0, 0, 0, 0, 0, 0, 0, …]"));
  EXPECT_EQ(describe("y", HostTensor(DType::I8, {0, 3})), "y  i8[0,3]  []");
}

TEST(TensorText, KeepsWholeNumbersExact) {
  const uint64_t values[] = {UINT64_MAX};
  HostTensor tensor = HostTensor::of<uint64_t>(DType::U64, {}, values);
  EXPECT_TRUE(describe("n", tensor).ends_with("[18446744073709551615]"));
  EXPECT_EQ(toJson("n", tensor).at("values").toText(), "[18446744073709551615]");
}

TEST(TensorText, NamesUnknownSizes) {
  EXPECT_EQ(typeText(DType::F32, {-1, 8, -1}, {"batch", "", ""}), "f32[batch,8,?]");
}

TEST(TensorText, CountsBytesInBinaryUnits) {
  EXPECT_EQ(byteText(512), "512 B");
  EXPECT_EQ(byteText(1536), "1.5 KiB");
  EXPECT_EQ(byteText(3ull << 30), "3.0 GiB");
}
