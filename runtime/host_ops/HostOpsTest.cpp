#include "runtime/host_ops/HostOps.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

namespace imbrex::runtime {
namespace {

class TestCall final : public HostCall {
public:
  TestCall(DType type, std::vector<int64_t> shape, const void *data) {
    Tensor *t = Tensor::create(type, shape, const_cast<void *>(data));
    in = Value(static_cast<Object *>(t));
    operand = t;
  }
  std::span<Tensor *const> operands() const override { return {&operand, 1}; }
  size_t resultCount() const override { return 1; }
  Tensor *makeResult(size_t, DType type, std::span<const int64_t> shape) override {
    uint64_t bytes = 0;
    denseBytes(type, shape, bytes);
    storage.resize(bytes / 8);
    Tensor *t = Tensor::create(type, shape, storage.data());
    out = Value(static_cast<Object *>(t));
    return t;
  }
  Value in, out;
  std::vector<int64_t> storage;

private:
  Tensor *operand;
};

TEST(HostOpsTest, NamesAreSortedAndFound) {
  auto names = hostOpNames();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  for (auto name : names)
    EXPECT_NE(hostOpByName(name), nullptr);
  EXPECT_EQ(hostOpByName("no such thing"), nullptr);
}

TEST(NonZeroTest, PlacesInRowMajorOrder) {
  float x[] = {0, 1, -0.0f, 2, std::nanf(""), 0};
  TestCall call(DType::F32, {2, 3}, x);
  ASSERT_TRUE(hostOpByName("non_zero")(call).ok());
  EXPECT_EQ(call.out.tensor()->shape()[0], 2);
  EXPECT_EQ(call.storage, (std::vector<int64_t>{0, 1, 1, 1, 0, 1}));
}

TEST(NonZeroTest, ScalarAndEmpty) {
  int32_t one = 1;
  TestCall scalar(DType::I32, {}, &one);
  ASSERT_TRUE(hostOpByName("non_zero")(scalar).ok());
  EXPECT_EQ(scalar.out.tensor()->shape()[0], 0);
  EXPECT_EQ(scalar.out.tensor()->shape()[1], 1);
  TestCall empty(DType::I32, {0, 4}, &one);
  ASSERT_TRUE(hostOpByName("non_zero")(empty).ok());
  EXPECT_EQ(empty.out.tensor()->shape()[1], 0);
}

} // namespace
} // namespace imbrex::runtime
