#include "compiler/reference/TileInterpreter.h"

#include <gtest/gtest.h>

#include <cstring>

namespace imbrex::tile {
namespace {

using namespace mlir;

/// A kernel in text form, run on buffers of one element type.
struct KernelRun {
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::vector<ViewBytes> memory;
  TileRun result;
  std::string error;

  explicit KernelRun(const std::string &text) {
    context.loadDialect<TileDialect, math::MathDialect>();
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
  }
  KernelOp kernel() { return *module->getOps<KernelOp>().begin(); }

  template <class T> KernelRun &with(std::vector<T> data) {
    memory.emplace_back(data.size() * sizeof(T));
    memcpy(memory.back().data(), data.data(), memory.back().size());
    return *this;
  }
  KernelRun &run(const SizeValues &sizes, TileRunOptions options = {}) {
    auto r = interpret(kernel(), sizes, memory, options);
    if (r)
      result = r.take();
    else
      error = r.error().str();
    return *this;
  }
  template <class T> std::vector<T> view(size_t i) {
    std::vector<T> data(memory[i].size() / sizeof(T));
    memcpy(data.data(), memory[i].data(), memory[i].size());
    return data;
  }
};

const char *const kScale = R"(
tile.kernel @scale(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>) sizes (n) grid [(n + 3) floordiv 4] {
  %i = tile.block 0
  %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<4xf32>
  %two = arith.constant dense<2.0> : tensor<4xf32>
  %s = arith.mulf %t, %two : tensor<4xf32>
  tile.store %s into %y[%i] : tensor<4xf32>, !tile.view<[n], f32, write>
})";

TEST(TileInterpreter, WritesEachElementOnceUpToARaggedEdge) {
  KernelRun r(kScale);
  r.with<float>({1, 2, 3, 4, 5, 6}).with<float>(std::vector<float>(6)).run({{"n", 6}});
  EXPECT_EQ(r.view<float>(1), (std::vector<float>{2, 4, 6, 8, 10, 12}));
  EXPECT_EQ(r.result.badAccesses, 0u);
  for (const ElementUse &use : r.result.views[1])
    EXPECT_TRUE(use.writes == 1 && use.reads == 0 && !use.raced);
  for (const ElementUse &use : r.result.views[0])
    EXPECT_TRUE(use.reads == 1 && use.writes == 0);
}

TEST(TileInterpreter, RecordsAnAccessOutsideAndDoesNotDoIt) {
  std::string text = kScale;
  text.replace(text.find("tile.block 0"), 12, "tile.size \"n\"");
  KernelRun r(text);
  r.with<float>({1, 2, 3}).with<float>({7, 7, 7}).run({{"n", 3}});
  EXPECT_EQ(r.result.badAccesses, 2u); // the load's tile and the store's
  EXPECT_EQ(r.view<float>(1), (std::vector<float>{7, 7, 7}));
  ASSERT_EQ(r.result.firstBad.size(), 2u);
  EXPECT_NE(r.result.firstBad[0].find("tile 3 of axis 0, which has 1"), std::string::npos)
      << r.result.firstBad[0];
}

TEST(TileInterpreter, CountsWritesOfTwoBlocksAsARace) {
  std::string text = kScale;
  text.replace(text.find("tile.block 0"), 12, "arith.constant 0 : index");
  KernelRun r(text);
  r.with<float>(std::vector<float>(8)).with<float>(std::vector<float>(8)).run({{"n", 8}});
  EXPECT_EQ(r.result.views[1][0].writes, 2u);
  EXPECT_TRUE(r.result.views[1][0].raced);
  EXPECT_EQ(r.result.views[1][4].writes, 0u);
}

TEST(TileInterpreter, MultipliesThroughALoopOverRaggedTiles) {
  KernelRun r(R"(
tile.kernel @matmul(%a: !tile.view<[m, k], f32>, %b: !tile.view<[k, n], f32>, %c: !tile.view<[m, n], f32, write>)
    sizes (m, n, k) grid [((m + 1) floordiv 2) * ((n + 1) floordiv 2)] {
  %p = tile.block 0
  %i, %j = tile.unravel %p over ["(m + 1) floordiv 2", "(n + 1) floordiv 2"] grouped 2 : index, index
  %steps = tile.size "(k + 1) floordiv 2"
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant dense<0.0> : tensor<2x2xf32>
  %sum = scf.for %q = %zero to %steps step %one iter_args(%acc = %none) -> tensor<2x2xf32> {
    %x = tile.load %a[%i, %q] : !tile.view<[m, k], f32> -> tensor<2x2xf32>
    %y = tile.load %b[%q, %j] : !tile.view<[k, n], f32> -> tensor<2x2xf32>
    %next = tile.mma %x, %y, %acc : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
    scf.yield %next : tensor<2x2xf32>
  }
  tile.store %sum into %c[%i, %j] : tensor<2x2xf32>, !tile.view<[m, n], f32, write>
})");
  const int64_t m = 5, n = 3, k = 5;
  std::vector<float> a, b, expected(m * n);
  for (int i = 0; i < m * k; ++i)
    a.push_back(float(i % 7 - 3));
  for (int i = 0; i < k * n; ++i)
    b.push_back(float(i % 5 - 2));
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      for (int q = 0; q < k; ++q)
        expected[i * n + j] += a[i * k + q] * b[q * n + j];
  r.with(a).with(b).with(std::vector<float>(m * n)).run({{"m", m}, {"n", n}, {"k", k}});
  EXPECT_EQ(r.error, "");
  EXPECT_EQ(r.view<float>(2), expected);
  EXPECT_EQ(r.result.badAccesses, 0u);
  for (const ElementUse &use : r.result.views[2])
    EXPECT_TRUE(use.writes == 1 && !use.raced);
}

TEST(TileInterpreter, DealsPiecesOutInGroupsAndInAnyOrder) {
  KernelRun r(R"(
tile.kernel @persistent(%y: !tile.view<[m, n], i32, update, strides [1, m]>) sizes (m, n, blocks: 1 to 1024) grid [blocks] {
  %b = tile.block 0
  tile.each_piece %y by [2, 3] grouped 2 : !tile.view<[m, n], i32, update, strides [1, m]> {
  ^bb0(%i: index, %j: index):
    %t = tile.load %y[%i, %j] : !tile.view<[m, n], i32, update, strides [1, m]> -> tensor<2x3xi32>
    %one = arith.constant dense<1> : tensor<2x3xi32>
    %s = arith.addi %t, %one : tensor<2x3xi32>
    tile.store %s into %y[%i, %j] : tensor<2x3xi32>, !tile.view<[m, n], i32, update, strides [1, m]>
  }
})");
  std::vector<int32_t> y(7 * 8), expected(7 * 8);
  for (int i = 0; i < 56; ++i)
    y[i] = i, expected[i] = i + 1;
  r.with(y).run({{"m", 7}, {"n", 8}, {"blocks", 3}}, {.order = {2, 0, 1}});
  EXPECT_EQ(r.error, "");
  EXPECT_EQ(r.view<int32_t>(0), expected);
  for (const ElementUse &use : r.result.views[0])
    EXPECT_TRUE(use.writes == 1 && use.reads == 1 && !use.raced);
}

TEST(TileInterpreter, StopsABlockAtAFailedCheck) {
  KernelRun r(R"(
tile.kernel @pick(%t: !tile.view<[v, 2], f32>, %ids: !tile.view<[n], i32>, %o: !tile.view<[n, 2], f32, write>)
    sizes (v, n) grid [n] {
  %i = tile.block 0
  %z = arith.constant 0 : index
  %first = tile.read %ids[%i] : !tile.view<[n], i32> -> i32
  %zero = arith.constant 0 : i32
  %positive = arith.cmpi sge, %first, %zero : i32
  tile.check %positive, "ids start below zero"
  %r = tile.load %ids[%i] : !tile.view<[n], i32> -> tensor<1xi32>
  %x = tile.gather %t rows %r [%z] checked : !tile.view<[v, 2], f32>, tensor<1xi32> -> tensor<1x2xf32>
  tile.store %x into %o[%i, %z] : tensor<1x2xf32>, !tile.view<[n, 2], f32, write>
})");
  r.with<float>({1, 2, 3, 4}).with<int32_t>({1, 2, -1}).with<float>({0, 0, 9, 9, 9, 9});
  r.run({{"v", 2}, {"n", 3}});
  EXPECT_EQ(r.error, "");
  EXPECT_EQ(r.result.failedCheck, 2); // the second block's gather, before the third's sign
  EXPECT_EQ(r.view<float>(2), (std::vector<float>{3, 4, 9, 9, 9, 9}));
  EXPECT_EQ(inKernelChecks(r.kernel()).size(), 2u);
}

TEST(TileInterpreter, ComputesWithTiles) {
  KernelRun r(R"(
tile.kernel @values(%x: !tile.view<[2, 3], f32>, %y: !tile.view<[2, 2], f32, write>) sizes () grid [1] {
  %z = arith.constant 0 : index
  %t = tile.load %x[%z, %z] : !tile.view<[2, 3], f32> -> tensor<2x3xf32>
  %m = tile.reduce maximum %t axis 1 : tensor<2x3xf32> -> tensor<2xf32>
  %m1 = tile.reshape %m : tensor<2xf32> -> tensor<2x1xf32>
  %mb = tile.broadcast %m1 : tensor<2x1xf32> -> tensor<2x3xf32>
  %s = tile.scan sum %t axis 1 : tensor<2x3xf32>
  %d = arith.subf %s, %mb : tensor<2x3xf32>
  %tr = tile.transpose %d [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
  %lo = tile.slice %tr from [1, 0] : tensor<3x2xf32> -> tensor<1x2xf32>
  %hi = tile.slice %tr from [2, 0] : tensor<3x2xf32> -> tensor<1x2xf32>
  %c = tile.concat %hi, %lo axis 0 : tensor<1x2xf32>, tensor<1x2xf32> -> tensor<2x2xf32>
  %io = tile.iota axis 0 : tensor<2x2xi32>
  %f = arith.sitofp %io : tensor<2x2xi32> to tensor<2x2xf32>
  %o = arith.addf %c, %f : tensor<2x2xf32>
  tile.store %o into %y[%z, %z] : tensor<2x2xf32>, !tile.view<[2, 2], f32, write>
})");
  r.with<float>({1, 5, 2, 10, 20, 30}).with(std::vector<float>(4)).run({});
  EXPECT_EQ(r.error, "");
  // sums: 1 6 8 / 10 30 60; less maxima 5 / 30: -4 1 3 / -20 0 30
  EXPECT_EQ(r.view<float>(1), (std::vector<float>{3, 30, 2, 1}));
}

TEST(TileInterpreter, GivesUpOnALoopWithoutEnd) {
  KernelRun r(R"(
tile.kernel @long() sizes () grid [1] {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 1000000000000 : index
  scf.for %i = %zero to %many step %one { }
})");
  r.run({}, {.maxSteps = 1000});
  EXPECT_NE(r.error.find("E0545"), std::string::npos) << r.error;
}

} // namespace
} // namespace imbrex::tile
