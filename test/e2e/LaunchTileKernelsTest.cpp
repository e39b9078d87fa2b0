// From a C++ function to launches with owners, in one process.
#include "compiler/jit/Jit.h"

#include "kernels/Library.h"
#include "runtime/launch/Launch.h"

#include <cmath>
#include <gtest/gtest.h>

namespace imbrex {
namespace {

using namespace edsl;
using launch::Device;
using Floats = std::vector<float>;

template <class T> std::string errorOf(const Result<T> &r) { return r ? "" : r.error().str(); }
#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

launch::Kernel compiled(const std::string &name, const KernelFunction &f) {
  auto kernel = jit::compile(name, f);
  EXPECT_TRUE(kernel) << errorOf(kernel);
  return launch::Kernel(kernel.take());
}

/// y[i] = factor * x[i + first]: that x is long enough is for the launch to check.
void scale(edsl::Kernel &k) {
  Size n = k.size("n"), m = k.size("m");
  Input x = k.input("x", DType::F32, {m}), factor = k.input("factor", DType::F32, {1});
  Output y = k.output("y", DType::F32, {n});
  Piece p = k.own(y, {256});
  p.store(x.load({p[0]}, {256}) * factor.load({0}, {1}));
}

TEST(LaunchTileKernels, AFunctionIsLaunchedWithOwners) {
  auto kernel = compiled("scale", scale);
  Device cpu = Device::cpu(2);
  Floats values(1000);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(i);
  auto x = cpu.from<float>({1000}, values).take(), f = cpu.from<float>({1}, Floats{3}).take();
  auto y = kernel(x.read(), f.read(), cpu.empty<float>({1000}).take().give()).sync();
  ASSERT_TRUE(y) << errorOf(y);
  auto got = y->values();
  for (size_t i = 0; i < values.size(); ++i)
    ASSERT_EQ((*got)[i], 3 * values[i]);
}

TEST(LaunchTileKernels, ChecksOfTheVerifierAreEnforcedAtTheLaunch) {
  auto kernel = compiled("scale", scale);
  ASSERT_EQ(kernel.contract().facts.size(), 1u);
  Device cpu = Device::cpu(1);
  auto x = cpu.filled<float>({256}, 1).take(), f = cpu.filled<float>({1}, 2).take();
  auto y = cpu.empty<float>({257}).take();
  auto r = kernel(x.read(), f.read(), y.write()).sync();
  EXPECT_HAS(errorOf(r), "error[E0282]: kernel 'scale' is not launched: it takes ");
  EXPECT_HAS(errorOf(r), "sizes are n = 257, m = 256");
  auto shorter = kernel(x.read(), f.read(), y.write().part(0, 0, 200)).sync();
  EXPECT_TRUE(shorter) << errorOf(shorter);
  // At an address of no particular alignment.
  auto odd = kernel(x.read().part(0, 3, 203), f.read(), y.write().part(0, 1, 201)).sync();
  EXPECT_TRUE(odd) << errorOf(odd);
}

TEST(LaunchTileKernels, WhatIsNotSafeIsRefusedWithItsLine) {
  auto bad = jit::compile("bad", [](edsl::Kernel &k) {
    Size n = k.size("n");
    Input x = k.input("x", DType::F32, {n});
    Output y = k.output("y", DType::F32, {n});
    Piece p = k.own(y, {64});
    p.store(x.load({p[0] + 1}, {64}));
  });
  EXPECT_HAS(errorOf(bad), "LaunchTileKernelsTest.cpp:");
  EXPECT_HAS(errorOf(bad), "kernel @bad reads tile block.0+1 of axis 0 of 'x'");
}

TEST(LaunchTileKernels, AFailedCheckInTheKernelReachesWhoReads) {
  auto pick = compiled("pick", [](edsl::Kernel &k) {
    Size n = k.size("n"), m = k.size("m");
    Input x = k.input("x", DType::F32, {m}), ids = k.input("ids", DType::I64, {n});
    Output y = k.output("y", DType::F32, {n});
    Piece p = k.own(y, {1});
    p.store(x.load({ids.read({p[0]})}, {1}));
  });
  Device cpu = Device::cpu(2);
  auto x = cpu.filled<float>({4}, 1).take();
  auto ids = cpu.from<int64_t>({2}, std::vector<int64_t>{1, 4}).take();
  auto y = cpu.empty<float>({2}).take();
  EXPECT_HAS(errorOf(pick(x.read(), ids.read(), y.write()).sync()),
             "kernel 'pick' stopped: a check of it failed; because reads element");
  EXPECT_HAS(errorOf(y.values()), "because kernel 'pick' stopped");
  ASSERT_TRUE(ids.assign(std::vector<int64_t>{3, 0}));
  EXPECT_TRUE(pick(x.read(), ids.read(), y.write()).sync());
}

TEST(LaunchTileKernels, TargetsThatCannotBe) {
  EXPECT_HAS(errorOf(jit::compile("scale", scale, "cpu")), "names several kinds of machine");
  EXPECT_HAS(errorOf(jit::compile("scale", scale, "gpu")), "error[E0600]");
}

TEST(LaunchTileKernels, KernelsOfTheLibraryInAGraph) {
  // softmax(a . b) of the library, recorded and replayed with other values.
  auto all = jit::compile({{"matmul", kernels::matmul}, {"softmax", kernels::softmax}});
  ASSERT_TRUE(all) << errorOf(all);
  launch::Kernel matmul((*all)[0]), softmax((*all)[1]);
  Device cpu = Device::cpu(2);
  auto a = cpu.filled<float>({3, 5}, 1).take(), b = cpu.filled<float>({5, 4}, 2).take();
  auto graph = matmul(a.read(), b.read(), cpu.empty<float>({3, 4}).take().give())
                   .then([&](launch::Tensor<float> c) {
                     return softmax(c.read(), cpu.empty<float>({3, 4}).take().give());
                   })
                   .graph();
  ASSERT_TRUE(graph) << errorOf(graph);
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(graph->replay().sync());
    auto values = graph->value().values();
    ASSERT_TRUE(values) << errorOf(values);
    for (float v : *values)
      EXPECT_NEAR(v, 0.25, 1e-6);
    ASSERT_TRUE(a.assign(Floats(15, static_cast<float>(round))));
  }
}

} // namespace
} // namespace imbrex
