#include "tools/imbrex-bench/Measure.h"

#include <gtest/gtest.h>

#include <cmath>

namespace imbrex::bench {
namespace {

HostTensor floats(std::vector<float> v) {
  return HostTensor::of<float>(DType::F32, {int64_t(v.size())}, v);
}

TEST(OutputDifference, IsRelativeAboveOneAndAbsoluteBelow) {
  auto d = outputDifference({floats({0.1f, 200})}, {floats({0.0f, 100})});
  ASSERT_TRUE(d.ok());
  EXPECT_DOUBLE_EQ(*d, 1.0);
  EXPECT_EQ(*outputDifference({floats({NAN, INFINITY})}, {floats({NAN, INFINITY})}), 0);
  EXPECT_TRUE(std::isinf(*outputDifference({floats({NAN})}, {floats({1})})));
}

TEST(OutputDifference, ModelsOfOtherTypesAreNotCompared) {
  EXPECT_FALSE(outputDifference({floats({1})}, {floats({1, 2})}).ok());
  EXPECT_FALSE(outputDifference({floats({1})}, {}).ok());
}

} // namespace
} // namespace imbrex::bench
