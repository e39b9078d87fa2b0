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
    operands_[0] = t;
    const int64_t none[] = {0};
    Tensor *p = Tensor::create(DType::I64, none, nullptr);
    parameters = Value(static_cast<Object *>(p));
    operands_[1] = p;
  }
  std::span<Tensor *const> operands() const override { return operands_; }
  size_t resultCount() const override { return 1; }
  Tensor *makeResult(size_t, DType type, std::span<const int64_t> shape) override {
    uint64_t bytes = 0;
    denseBytes(type, shape, bytes);
    storage.resize(bytes / 8);
    Tensor *t = Tensor::create(type, shape, storage.data());
    out = Value(static_cast<Object *>(t));
    return t;
  }
  Value in, parameters, out;
  std::vector<int64_t> storage;

private:
  Tensor *operands_[2];
};

TEST(HostOpsTest, ResultsReachTheCaller) {
  float x[] = {0, 1, -0.0f, 2, std::nanf(""), 0};
  TestCall call(DType::F32, {2, 3}, x);
  ASSERT_TRUE(callHostFunction(*hostFunction("non_zero"), call, ItemHeap::process()).ok());
  EXPECT_EQ(call.out.tensor()->shape()[0], 2);
  EXPECT_EQ(call.storage, (std::vector<int64_t>{0, 1, 1, 1, 0, 1}));
}

TEST(HostOpsTest, EmptyResults) {
  int32_t one = 1;
  TestCall empty(DType::I32, {0, 4}, &one);
  ASSERT_TRUE(callHostFunction(*hostFunction("non_zero"), empty, ItemHeap::process()).ok());
  EXPECT_EQ(empty.out.tensor()->shape()[1], 0);
}

TEST(HostOpsTest, WhatDoesNotFitIsAnError) {
  int32_t one = 1;
  TestCall call(DType::I32, {}, &one);
  Status s = callHostFunction(*hostFunction("determinant"), call, ItemHeap::process());
  ASSERT_FALSE(s.ok());
  EXPECT_EQ(s.error().code, 242);
}

} // namespace
} // namespace imbrex::runtime
