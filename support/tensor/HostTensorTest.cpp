#include "support/tensor/HostTensor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace imbrex {

TEST(ElementCount, RefusesWhatDoesNotFit) {
  EXPECT_EQ(*elementCount(std::vector<int64_t>{2, 3}), 6);
  EXPECT_EQ(*elementCount(std::vector<int64_t>{}), 1);
  EXPECT_EQ(*elementCount(std::vector<int64_t>{INT64_MAX, INT64_MAX, 0}), 0);
  EXPECT_EQ(elementCount(std::vector<int64_t>{2, -1}).error().code, 500);
  EXPECT_EQ(elementCount(std::vector<int64_t>{INT64_MAX, 2}).error().code, 500);
}

TEST(HostTensor, CopiesShareUntilWritten) {
  std::vector<float> v{1, 2};
  HostTensor a = HostTensor::of<float>(DType::F32, {2}, v);
  HostTensor b = a;
  EXPECT_EQ(a.bytes().data(), b.bytes().data());
  b.mutableData<float>()[0] = 9;
  EXPECT_EQ(a.toDouble(0), 1);
  EXPECT_EQ(b.toDouble(0), 9);
}

TEST(HostTensor, BorrowedBytesAreNotWritten) {
  static const int32_t kData[] = {1, 2};
  HostTensor a(DType::I32, {2}, std::as_bytes(std::span(kData)), nullptr);
  a.mutableData<int32_t>()[0] = 5;
  EXPECT_EQ(a.toInt(0), 5);
  EXPECT_EQ(kData[0], 1);
}

TEST(HostTensor, ElementsAsNumbers) {
  std::vector<uint64_t> u{~uint64_t{0}};
  EXPECT_EQ(HostTensor::of<uint64_t>(DType::U64, {1}, u).toDouble(0), 0x1p64);
  std::vector<double> d{std::numeric_limits<double>::quiet_NaN(), 1e300, -2.9};
  HostTensor t = HostTensor::of<double>(DType::F64, {3}, d);
  EXPECT_EQ(t.toInts(), (std::vector<int64_t>{0, INT64_MAX, -2}));
}

TEST(DTypeNames, RoundTrip) {
  for (int i = 1; i <= 13; ++i)
    EXPECT_EQ(dtypeFromName(name(static_cast<DType>(i))), static_cast<DType>(i));
  EXPECT_EQ(dtypeFromName("f128"), std::nullopt);
}

TEST(HalfFloats, RoundHalfToEven) {
  EXPECT_EQ(floatToBfloat16(1.00390625f), 0x3f80); // 1 + 2^-8: half way, to even
  EXPECT_EQ(floatToBfloat16(1.01171875f), 0x3f82);
  EXPECT_EQ(floatToHalf(65519), 0x7bff);
  EXPECT_EQ(floatToHalf(65520), 0x7c00);
  EXPECT_TRUE(std::isnan(bfloat16ToFloat(floatToBfloat16(NAN))));
  EXPECT_TRUE(std::isnan(halfToFloat(floatToHalf(NAN))));
}

TEST(ErrorText, SaysWhatWhyAndWhatToTry) {
  Error e = badInput(7, "no x", "y", "z", {"f", 3, 4});
  EXPECT_EQ(e.str(), "f:3:4: error[E0007]: no x; because y; try z");
  EXPECT_EQ(e.exitCode(), ExitCode::BadInput);
  EXPECT_NE(internalError(1, "w").str().find("please report"), std::string::npos);
}

} // namespace imbrex
