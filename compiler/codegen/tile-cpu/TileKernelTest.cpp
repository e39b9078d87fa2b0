// Compiled tile kernels do what the interpreter does.
#include "compiler/codegen/tile-cpu/TileTestSupport.h"

#include <cstring>
#include <gtest/gtest.h>

namespace imbrex::codegen::test {
namespace {

template <class T> tile::ViewBytes bytesOf(std::vector<T> data) {
  tile::ViewBytes bytes(data.size() * sizeof(T));
  memcpy(bytes.data(), data.data(), bytes.size());
  return bytes;
}

TEST(TileKernel, ElementWiseUpToARaggedEdge) {
  TileCase c(R"(
tile.kernel @k(%x: !tile.view<[m, n], f32>, %y: !tile.view<[n], f32>, %z: !tile.view<[m, n], f32, write>)
    sizes (m, n) grid [(m + 2) floordiv 3, (n + 99) floordiv 100] {
  %i = tile.block 0
  %j = tile.block 1
  %a = tile.load %x[%i, %j] : !tile.view<[m, n], f32> -> tensor<3x100xf32>
  %r = tile.load %y[%j] pad 1.0 : f32 : !tile.view<[n], f32> -> tensor<100xf32>
  %r1 = tile.reshape %r : tensor<100xf32> -> tensor<1x100xf32>
  %r2 = tile.broadcast %r1 : tensor<1x100xf32> -> tensor<3x100xf32>
  %s = arith.addf %a, %r2 : tensor<3x100xf32>
  %e = math.exp %s : tensor<3x100xf32>
  %two = arith.constant dense<0.5> : tensor<3x100xf32>
  %big = arith.cmpf ogt, %a, %two : tensor<3x100xf32>
  %o = arith.select %big, %e, %s : tensor<3x100xi1>, tensor<3x100xf32>
  tile.store %o into %z[%i, %j] : tensor<3x100xf32>, !tile.view<[m, n], f32, write>
})");
  for (auto [m, n] : {std::pair(6, 200), std::pair(7, 257), std::pair(1, 1), std::pair(3, 99)})
    c.run({{"m", m}, {"n", n}});
}

TEST(TileKernel, ShortFloatsIntegersAndTruthValues) {
  TileCase c(R"(
tile.kernel @k(%x: !tile.view<[n], bf16>, %y: !tile.view<[n], f16>, %q: !tile.view<[n], i8>, %t: !tile.view<[n], i1>,
               %z: !tile.view<[n], bf16, write>, %w: !tile.view<[n], i8, write>, %u: !tile.view<[n], i1, write>)
    sizes (n) grid [(n + 39) floordiv 40] {
  %i = tile.block 0
  %a = tile.load %x[%i] : !tile.view<[n], bf16> -> tensor<40xbf16>
  %b = tile.load %y[%i] : !tile.view<[n], f16> -> tensor<40xf16>
  %c = tile.load %q[%i] pad 1 : i8 : !tile.view<[n], i8> -> tensor<40xi8>
  %d = tile.load %t[%i] pad true : !tile.view<[n], i1> -> tensor<40xi1>
  %a1 = arith.extf %a : tensor<40xbf16> to tensor<40xf32>
  %b1 = arith.extf %b : tensor<40xf16> to tensor<40xf32>
  %s = arith.mulf %a1, %b1 : tensor<40xf32>
  %sb = arith.truncf %s : tensor<40xf32> to tensor<40xbf16>
  %r = math.tanh %sb : tensor<40xbf16>
  %three = arith.constant dense<3> : tensor<40xi8>
  %m = arith.divsi %three, %c : tensor<40xi8>
  %p = arith.select %d, %m, %c : tensor<40xi1>, tensor<40xi8>
  %pos = arith.cmpi sgt, %c, %three : tensor<40xi8>
  %f = arith.xori %pos, %d : tensor<40xi1>
  tile.store %r into %z[%i] : tensor<40xbf16>, !tile.view<[n], bf16, write>
  tile.store %p into %w[%i] : tensor<40xi8>, !tile.view<[n], i8, write>
  tile.store %f into %u[%i] : tensor<40xi1>, !tile.view<[n], i1, write>
})");
  for (int64_t n : {80, 83, 7})
    c.run({{"n", n}}, {.relative = 1e-2, .smallest = 1, .largest = 9});
}

TEST(TileKernel, WindowsGathersAndStrides) {
  TileCase c(R"(
tile.kernel @k(%t: !tile.view<[v, 20], f32>, %ids: !tile.view<[n], i32>, %o: !tile.view<[n, 20], f32, write, strides [1, n]>,
               %w: !tile.view<[n, 20], f32, write>)
    sizes (v, n) grid [(n + 4) floordiv 5] {
  %i = tile.block 0
  %z = arith.constant 0 : index
  %r = tile.load %ids[%i] pad -1 : i32 : !tile.view<[n], i32> -> tensor<5xi32>
  %x = tile.gather %t rows %r [%z] pad 9.0 : f32 : !tile.view<[v, 20], f32>, tensor<5xi32> -> tensor<5x20xf32>
  %three = arith.constant 3 : index
  %at = arith.subi %i, %three : index
  %minus = arith.subi %z, %three : index
  %y = tile.window %t at [%at, %minus] pad 2.0 : f32 : !tile.view<[v, 20], f32> -> tensor<5x20xf32>
  %s = arith.addf %x, %y : tensor<5x20xf32>
  tile.store %s into %o[%i, %z] : tensor<5x20xf32>, !tile.view<[n, 20], f32, write, strides [1, n]>
  tile.store %x into %w[%i, %z] : tensor<5x20xf32>, !tile.view<[n, 20], f32, write>
})");
  for (auto [v, n] : {std::pair(7, 10), std::pair(5, 13), std::pair(9, 2)})
    c.run({{"v", v}, {"n", n}});
}

TEST(TileKernel, ReductionsScansAndMovements) {
  TileCase c(R"(
tile.kernel @k(%x: !tile.view<[m, n], f32>, %q: !tile.view<[m, n], i8>, %s: !tile.view<[m], f32, write>, %c: !tile.view<[n], f32, write>,
               %y: !tile.view<[n, m], f32, write>, %d: !tile.view<[m], i32, write>)
    sizes (m: 1 to 7, n: 1 to 200) grid [1] {
  %z = arith.constant 0 : index
  %t = tile.load %x[%z, %z] : !tile.view<[m, n], f32> -> tensor<7x200xf32>
  %sum = tile.reduce sum %t axis 1 : tensor<7x200xf32> -> tensor<7xf32>
  %col = tile.reduce sum %t axis 0 : tensor<7x200xf32> -> tensor<200xf32>
  %max = tile.reduce maximum %t axis 1 : tensor<7x200xf32> -> tensor<7xf32>
  %u = tile.load %q[%z, %z] : !tile.view<[m, n], i8> -> tensor<7x200xi8>
  %dots = tile.reduce sum %u axis 1 : tensor<7x200xi8> -> tensor<7xi32>
  %tot = arith.addf %sum, %max : tensor<7xf32>
  tile.store %tot into %s[%z] : tensor<7xf32>, !tile.view<[m], f32, write>
  tile.store %col into %c[%z] : tensor<200xf32>, !tile.view<[n], f32, write>
  tile.store %dots into %d[%z] : tensor<7xi32>, !tile.view<[m], i32, write>
  %sc = tile.scan sum %t axis 1 : tensor<7x200xf32>
  %sd = tile.scan maximum %sc axis 0 : tensor<7x200xf32>
  %tr = tile.transpose %sd [1, 0] : tensor<7x200xf32> -> tensor<200x7xf32>
  %lo = tile.slice %tr from [0, 0] : tensor<200x7xf32> -> tensor<100x7xf32>
  %hi = tile.slice %tr from [100, 0] : tensor<200x7xf32> -> tensor<100x7xf32>
  %cc = tile.concat %hi, %lo axis 0 : tensor<100x7xf32>, tensor<100x7xf32> -> tensor<200x7xf32>
  %io = tile.iota axis 0 : tensor<200x7xi32>
  %iof = arith.sitofp %io : tensor<200x7xi32> to tensor<200x7xf32>
  %flat = tile.reshape %cc : tensor<200x7xf32> -> tensor<1400xf32>
  %back = tile.reshape %flat : tensor<1400xf32> -> tensor<200x7xf32>
  %o = arith.addf %back, %iof : tensor<200x7xf32>
  tile.store %o into %y[%z, %z] : tensor<200x7xf32>, !tile.view<[n, m], f32, write>
})");
  for (auto [m, n] : {std::pair(7, 200), std::pair(5, 131), std::pair(1, 3)})
    c.run({{"m", m}, {"n", n}}, {.relative = 0, .absolute = 0});
}

TEST(TileKernel, SumsTakeTheSameTreeInEitherDirection) {
  // Elements whose sum depends on the order.
  TileCase c(R"(
tile.kernel @k(%x: !tile.view<[4, 300], f32>, %s: !tile.view<[4], f32, write>, %c: !tile.view<[4], f32, write>) grid [1] {
  %z = arith.constant 0 : index
  %t0 = tile.load %x[%z, %z] : !tile.view<[4, 300], f32> -> tensor<4x300xf32>
  %k = arith.constant dense<0.1> : tensor<4x300xf32>
  %t = arith.mulf %t0, %k : tensor<4x300xf32>
  %sum = tile.reduce sum %t axis 1 : tensor<4x300xf32> -> tensor<4xf32>
  %tr = tile.transpose %t [1, 0] : tensor<4x300xf32> -> tensor<300x4xf32>
  %col = tile.reduce sum %tr axis 0 : tensor<300x4xf32> -> tensor<4xf32>
  tile.store %sum into %s[%z] : tensor<4xf32>, !tile.view<[4], f32, write>
  tile.store %col into %c[%z] : tensor<4xf32>, !tile.view<[4], f32, write>
})");
  c.run({}, {.relative = 0, .absolute = 0, .smallest = -1000003, .largest = 1000003});
}

TEST(TileKernel, ChecksStopABlock) {
  TileCase c(R"(
tile.kernel @k(%t: !tile.view<[v, 4], f32>, %ids: !tile.view<[n], i64>, %o: !tile.view<[n, 4], f32, write>)
    sizes (v, n) grid [n] {
  %i = tile.block 0
  %z = arith.constant 0 : index
  %r = tile.load %ids[%i] : !tile.view<[n], i64> -> tensor<1xi64>
  %first = tile.read %ids[%i] : !tile.view<[n], i64> -> i64
  %zero = arith.constant 0 : i64
  %positive = arith.cmpi sge, %first, %zero : i64
  tile.check %positive, "ids start below zero"
  %x = tile.gather %t rows %r [%z] checked : !tile.view<[v, 4], f32>, tensor<1xi64> -> tensor<1x4xf32>
  tile.store %x into %o[%i, %z] : tensor<1x4xf32>, !tile.view<[n, 4], f32, write>
})");
  c.run({{"v", 3}, {"n", 3}}, {}, {{1, bytesOf<int64_t>({0, 2, 1})}});
  c.run({{"v", 3}, {"n", 3}}, {}, {{1, bytesOf<int64_t>({0, 3, 1})}});
  c.run({{"v", 3}, {"n", 3}}, {}, {{1, bytesOf<int64_t>({0, 2, -1})}});
}

TEST(TileKernel, PersistentPiecesAndGroupedOrder) {
  TileCase c(R"(
tile.kernel @k(%x: !tile.view<[m, n], f32>, %y: !tile.view<[m, n], f32, update, strides [1, m]>)
    sizes (m, n, blocks: 1 to 1024) grid [blocks] {
  tile.each_piece %y by [16, 8] grouped 4 : !tile.view<[m, n], f32, update, strides [1, m]> {
  ^bb0(%i: index, %j: index):
    %t = tile.load %y[%i, %j] : !tile.view<[m, n], f32, update, strides [1, m]> -> tensor<16x8xf32>
    %u = tile.load %x[%i, %j] : !tile.view<[m, n], f32> -> tensor<16x8xf32>
    %s = arith.addf %t, %u : tensor<16x8xf32>
    tile.store %s into %y[%i, %j] : tensor<16x8xf32>, !tile.view<[m, n], f32, update, strides [1, m]>
  }
})");
  for (auto [m, n, blocks] : {std::tuple(64, 64, 3), std::tuple(100, 30, 7), std::tuple(5, 3, 4)})
    c.run({{"m", m}, {"n", n}, {"blocks", blocks}});
}

TEST(TileKernel, LoopsCarryTilesAndScalarsThroughBranches) {
  TileCase c(R"(
tile.kernel @k(%x: !tile.view<[n], f32>, %y: !tile.view<[32], f32, write>, %h: !tile.view<[2], f32, accumulate>)
    sizes (n) grid [1] {
  %z = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %steps = tile.size "(n + 31) floordiv 32"
  %a0 = arith.constant dense<1.0> : tensor<32xf32>
  %b0 = arith.constant dense<2.0> : tensor<32xf32>
  %c0 = arith.constant 0 : i32
  %a, %b, %k = scf.for %q = %z to %steps step %one iter_args(%p = %a0, %r = %b0, %c = %c0) -> (tensor<32xf32>, tensor<32xf32>, i32) {
    %t = tile.load %x[%q] : !tile.view<[n], f32> -> tensor<32xf32>
    %even = arith.remui %q, %two : index
    %is = arith.cmpi eq, %even, %z : index
    %i1 = arith.constant 1 : i32
    %d, %n = scf.if %is -> (tensor<32xf32>, i32) {
      %s = arith.addf %p, %t : tensor<32xf32>
      %c1 = arith.addi %c, %i1 : i32
      scf.yield %s, %c1 : tensor<32xf32>, i32
    } else {
      %s = arith.subf %p, %t : tensor<32xf32>
      scf.yield %s, %c : tensor<32xf32>, i32
    }
    scf.yield %r, %d, %n : tensor<32xf32>, tensor<32xf32>, i32
  }
  %kf = arith.sitofp %k : i32 to f32
  %kt = tile.broadcast %kf : f32 -> tensor<32xf32>
  %ab = arith.mulf %a, %kt : tensor<32xf32>
  %s = arith.subf %ab, %b : tensor<32xf32>
  tile.store %s into %y[%z] : tensor<32xf32>, !tile.view<[32], f32, write>
  %total = tile.reduce sum %b axis 0 : tensor<32xf32> -> tensor<f32>
  %total1 = tile.reshape %total : tensor<f32> -> tensor<1xf32>
  tile.atomic_add %total1 into %h[%one] : tensor<1xf32>, !tile.view<[2], f32, accumulate>
  tile.unsafe "tests raw accesses" {
    %raw, %token = tile.raw_load %x at %z : !tile.view<[n], f32> -> tensor<4xf32>
    %done = tile.raw_store %raw into %y at %two after %token : tensor<4xf32>, !tile.view<[32], f32, write>
  }
})");
  for (int64_t n : {32, 100, 160, 5})
    c.run({{"n", n}});
}

//===-- Products ------------------------------------------------------------===//

std::string product(const std::string &in, const std::string &out, const std::string &tile,
                    const std::string &flags = "", bool transposed = false) {
  auto [m, k, n] = tile == "odd" ? std::tuple("5", "9", "21") : std::tuple("32", "24", "64");
  auto shape = [](auto a, auto b, auto t) {
    return std::string("tensor<") + a + "x" + b + "x" + t + ">";
  };
  std::string zero = out[0] == 'f' ? "0.0" : "0";
  std::string bView =
      transposed ? "!tile.view<[n, k], " + in + ">" : "!tile.view<[k, n], " + in + ">";
  std::string loadB = transposed
                          ? "%y0 = tile.load %b[%j, %q] : " + bView + " -> " + shape(n, k, in) +
                                "\n    %y = tile.transpose %y0 [1, 0] : " + shape(n, k, in) +
                                " -> " + shape(k, n, in)
                          : "%y = tile.load %b[%q, %j] : " + bView + " -> " + shape(k, n, in);
  auto count = [](auto name, auto t) {
    return std::string("(") + name + " + " + t + " - 1) floordiv " + t;
  };
  return "tile.kernel @k(%a: !tile.view<[m, k], " + in + ">, %b: " + bView +
         ", %c: !tile.view<[m, n], " + out + ", write>)\n sizes (m, n, k) grid [" + count("m", m) +
         ", " + count("n", n) + R"(] {
  %i = tile.block 0
  %j = tile.block 1
  %steps = tile.size ")" +
         count("k", k) + R"("
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant dense<)" +
         zero + "> : " + shape(m, n, out) + R"(
  %sum = scf.for %q = %zero to %steps step %one iter_args(%acc = %none) -> )" +
         shape(m, n, out) + R"( {
    %x = tile.load %a[%i, %q] : !tile.view<[m, k], )" +
         in + "> -> " + shape(m, k, in) + "\n    " + loadB + R"(
    %next = tile.mma %x, %y, %acc )" +
         flags + " : " + shape(m, k, in) + ", " + shape(k, n, in) + ", " + shape(m, n, out) + R"(
    scf.yield %next : )" +
         shape(m, n, out) + R"(
  }
  tile.store %sum into %c[%i, %j] : )" +
         shape(m, n, out) + ", !tile.view<[m, n], " + out + ", write>\n}";
}

void checkProduct(const std::string &text) {
  TileCase c(text);
  for (auto [m, n, k] : {std::tuple(64, 128, 48), std::tuple(65, 100, 50), std::tuple(3, 5, 7),
                         std::tuple(33, 64, 25)})
    c.run({{"m", m}, {"n", n}, {"k", k}}, {.relative = 0, .absolute = 0});
}

TEST(TileProduct, Floats) { checkProduct(product("f32", "f32", "even")); }
TEST(TileProduct, FloatsInOddTiles) { checkProduct(product("f32", "f32", "odd")); }
TEST(TileProduct, ShortFloats) { checkProduct(product("bf16", "f32", "even")); }
TEST(TileProduct, ShortFloatsInOddTiles) { checkProduct(product("bf16", "f32", "odd")); }
TEST(TileProduct, Halves) { checkProduct(product("f16", "f32", "even")); }
TEST(TileProduct, Doubles) { checkProduct(product("f64", "f64", "odd")); }
TEST(TileProduct, FloatsInDoubles) { checkProduct(product("f32", "f64", "even")); }
TEST(TileProduct, Bytes) { checkProduct(product("i8", "i32", "even")); }
TEST(TileProduct, UnsignedBytes) { checkProduct(product("i8", "i32", "even", "unsigned_left")); }
TEST(TileProduct, UnsignedBytesOnTheRight) {
  checkProduct(product("i8", "i32", "odd", "unsigned_right"));
}
TEST(TileProduct, UnsignedBytesOnBothSides) {
  checkProduct(product("i8", "i32", "even", "unsigned_left unsigned_right"));
}
TEST(TileProduct, UnsignedBytesInOddTiles) {
  checkProduct(product("i8", "i32", "odd", "unsigned_left"));
}
TEST(TileProduct, TransposedRightSide) {
  checkProduct(product("f32", "f32", "even", "", true));
  checkProduct(product("bf16", "f32", "odd", "", true));
}

/// The right side in panels of 32 columns, as weights are packed: used where it lies on AVX-512.
std::string packedProduct(const std::string &in, const std::string &out, int group,
                          const std::string &flags = "") {
  std::string g = std::to_string(group), rows = std::to_string(32 / group);
  std::string view = "!tile.view<[p, kg, 32, " + g + "], " + in + ">";
  std::string zero = out[0] == 'f' ? "0.0" : "0";
  return "tile.kernel @k(%a: !tile.view<[m, k], " + in + ">, %b: " + view +
         ", %c: !tile.view<[m, n], " + out + R"(, write>)
    sizes (m, n, k, p, kg) grid [(m + 29) floordiv 30, (n + 63) floordiv 64]
    assume ["p == (n + 31) floordiv 32", "k == )" +
         g + R"(*kg"] {
  %i = tile.block 0
  %j = tile.block 1
  %steps = tile.size "(k + 31) floordiv 32"
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant dense<)" +
         zero + "> : tensor<30x64x" + out + R"(>
  %sum = scf.for %q = %zero to %steps step %one iter_args(%acc = %none) -> tensor<30x64x)" +
         out + R"(> {
    %x = tile.load %a[%i, %q] : !tile.view<[m, k], )" +
         in + "> -> tensor<30x32x" + in + R"(>
    %w = tile.load %b[%j, %q, %zero, %zero] : )" +
         view + " -> tensor<2x" + rows + "x32x" + g + "x" + in + R"(>
    %t = tile.transpose %w [1, 3, 0, 2] : tensor<2x)" +
         rows + "x32x" + g + "x" + in + "> -> tensor<" + rows + "x" + g + "x2x32x" + in + R"(>
    %y = tile.reshape %t : tensor<)" +
         rows + "x" + g + "x2x32x" + in + "> -> tensor<32x64x" + in + R"(>
    %next = tile.mma %x, %y, %acc )" +
         flags + " : tensor<30x32x" + in + ">, tensor<32x64x" + in + ">, tensor<30x64x" + out + R"(>
    scf.yield %next : tensor<30x64x)" +
         out + R"(>
  }
  tile.store %sum into %c[%i, %j] : tensor<30x64x)" +
         out + ">, !tile.view<[m, n], " + out + ", write>\n}";
}

void checkPacked(const std::string &text, int64_t group) {
  TileCase c(text);
  for (auto [m, n, kg] : {std::tuple(60, 128, 64), std::tuple(65, 100, 50), std::tuple(3, 5, 7),
                          std::tuple(33, 64, 25)})
    c.run({{"m", m}, {"n", n}, {"k", kg * group}, {"p", (n + 31) / 32}, {"kg", kg}},
          {.relative = 0, .absolute = 0});
}

TEST(TileProduct, PackedFloats) { checkPacked(packedProduct("f32", "f32", 1), 1); }
TEST(TileProduct, PackedShortFloats) { checkPacked(packedProduct("bf16", "f32", 2), 2); }
TEST(TileProduct, PackedBytes) { checkPacked(packedProduct("i8", "i32", 4, "unsigned_left"), 4); }

//===-- Kernels as a library has them ---------------------------------------===//

TEST(TileKernel, SoftmaxOfRows) {
  TileCase c(R"(
tile.kernel @softmax(%x: !tile.view<[m, n], f32>, %y: !tile.view<[m, n], f32, write>)
    sizes (m, n: 1 to 512) grid [(m + 3) floordiv 4] {
  %i = tile.block 0
  %z = arith.constant 0 : index
  %t = tile.load %x[%i, %z] pad 0xFF800000 : f32 : !tile.view<[m, n], f32> -> tensor<4x512xf32>
  %m = tile.reduce maximum %t axis 1 : tensor<4x512xf32> -> tensor<4xf32>
  %m1 = tile.reshape %m : tensor<4xf32> -> tensor<4x1xf32>
  %mb = tile.broadcast %m1 : tensor<4x1xf32> -> tensor<4x512xf32>
  %d = arith.subf %t, %mb : tensor<4x512xf32>
  %e = math.exp %d : tensor<4x512xf32>
  %s = tile.reduce sum %e axis 1 : tensor<4x512xf32> -> tensor<4xf32>
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %r = arith.divf %one, %s : tensor<4xf32>
  %r1 = tile.reshape %r : tensor<4xf32> -> tensor<4x1xf32>
  %rb = tile.broadcast %r1 : tensor<4x1xf32> -> tensor<4x512xf32>
  %o = arith.mulf %e, %rb : tensor<4x512xf32>
  tile.store %o into %y[%i, %z] : tensor<4x512xf32>, !tile.view<[m, n], f32, write>
})");
  for (auto [m, n] : {std::pair(8, 512), std::pair(5, 77), std::pair(1, 1)})
    c.run({{"m", m}, {"n", n}});
}

TEST(TileKernel, RootMeanSquareNormInShortFloats) {
  TileCase c(R"(
tile.kernel @norm(%x: !tile.view<[m, n], bf16>, %w: !tile.view<[n], bf16>, %y: !tile.view<[m, n], bf16, write>)
    sizes (m, n: 1 to 256) grid [m] {
  %i = tile.block 0
  %z = arith.constant 0 : index
  %b = tile.load %x[%i, %z] : !tile.view<[m, n], bf16> -> tensor<1x256xbf16>
  %t = arith.extf %b : tensor<1x256xbf16> to tensor<1x256xf32>
  %sq = arith.mulf %t, %t : tensor<1x256xf32>
  %sum = tile.reduce sum %sq axis 1 : tensor<1x256xf32> -> tensor<1xf32>
  %count = tile.size "n"
  %ci = arith.index_cast %count : index to i64
  %cf = arith.sitofp %ci : i64 to f32
  %ct = tile.broadcast %cf : f32 -> tensor<1xf32>
  %mean = arith.divf %sum, %ct : tensor<1xf32>
  %eps = arith.constant dense<1.0e-6> : tensor<1xf32>
  %v = arith.addf %mean, %eps : tensor<1xf32>
  %r = math.rsqrt %v : tensor<1xf32>
  %r1 = tile.reshape %r : tensor<1xf32> -> tensor<1x1xf32>
  %rb = tile.broadcast %r1 : tensor<1x1xf32> -> tensor<1x256xf32>
  %n = arith.mulf %t, %rb : tensor<1x256xf32>
  %wl = tile.load %w[%z] : !tile.view<[n], bf16> -> tensor<256xbf16>
  %wr = tile.reshape %wl : tensor<256xbf16> -> tensor<1x256xbf16>
  %wf = arith.extf %wr : tensor<1x256xbf16> to tensor<1x256xf32>
  %o = arith.mulf %n, %wf : tensor<1x256xf32>
  %ob = arith.truncf %o : tensor<1x256xf32> to tensor<1x256xbf16>
  tile.store %ob into %y[%i, %z] : tensor<1x256xbf16>, !tile.view<[m, n], bf16, write>
})");
  for (auto [m, n] : {std::pair(3, 256), std::pair(2, 100), std::pair(1, 7)})
    c.run({{"m", m}, {"n", n}}, {.relative = 1e-2});
}

TEST(TileProduct, ScaledSumsGoAroundALoop) {
  TileCase c(R"(
tile.kernel @k(%qv: !tile.view<[16, 32], f32>, %kv: !tile.view<[n, 32], f32>, %o: !tile.view<[16, 32], f32, write>)
    sizes (n: 1 to 4096 by 16) grid [1] {
  %z = arith.constant 0 : index
  %one = arith.constant 1 : index
  %steps = tile.size "n floordiv 16"
  %qt = tile.load %qv[%z, %z] : !tile.view<[16, 32], f32> -> tensor<16x32xf32>
  %acc0 = arith.constant dense<0.0> : tensor<16x32xf32>
  %m0 = arith.constant dense<-1.0e30> : tensor<16x1xf32>
  %l0 = arith.constant dense<0.0> : tensor<16x1xf32>
  %acc, %m, %l = scf.for %b = %z to %steps step %one iter_args(%a = %acc0, %mp = %m0, %lp = %l0)
      -> (tensor<16x32xf32>, tensor<16x1xf32>, tensor<16x1xf32>) {
    %kt = tile.load %kv[%b, %z] : !tile.view<[n, 32], f32> -> tensor<16x32xf32>
    %kT = tile.transpose %kt [1, 0] : tensor<16x32xf32> -> tensor<32x16xf32>
    %s0 = arith.constant dense<0.0> : tensor<16x16xf32>
    %s = tile.mma %qt, %kT, %s0 : tensor<16x32xf32>, tensor<32x16xf32>, tensor<16x16xf32>
    %rm = tile.reduce maximum %s axis 1 : tensor<16x16xf32> -> tensor<16xf32>
    %rm1 = tile.reshape %rm : tensor<16xf32> -> tensor<16x1xf32>
    %mn = arith.maximumf %mp, %rm1 : tensor<16x1xf32>
    %mb = tile.broadcast %mn : tensor<16x1xf32> -> tensor<16x16xf32>
    %sd = arith.subf %s, %mb : tensor<16x16xf32>
    %p = math.exp %sd : tensor<16x16xf32>
    %md = arith.subf %mp, %mn : tensor<16x1xf32>
    %alpha = math.exp %md : tensor<16x1xf32>
    %rs = tile.reduce sum %p axis 1 : tensor<16x16xf32> -> tensor<16xf32>
    %rs1 = tile.reshape %rs : tensor<16xf32> -> tensor<16x1xf32>
    %ls = arith.mulf %lp, %alpha : tensor<16x1xf32>
    %ln = arith.addf %ls, %rs1 : tensor<16x1xf32>
    %ab = tile.broadcast %alpha : tensor<16x1xf32> -> tensor<16x32xf32>
    %as = arith.mulf %a, %ab : tensor<16x32xf32>
    %an = tile.mma %p, %kt, %as : tensor<16x16xf32>, tensor<16x32xf32>, tensor<16x32xf32>
    scf.yield %an, %mn, %ln : tensor<16x32xf32>, tensor<16x1xf32>, tensor<16x1xf32>
  }
  %lb = tile.broadcast %l : tensor<16x1xf32> -> tensor<16x32xf32>
  %r = arith.divf %acc, %lb : tensor<16x32xf32>
  tile.store %r into %o[%z, %z] : tensor<16x32xf32>, !tile.view<[16, 32], f32, write>
})");
  for (int64_t n : {16, 64, 160})
    c.run({{"n", n}}, {.relative = 1e-4, .absolute = 1e-5, .smallest = -4, .largest = 4});
}

} // namespace
} // namespace imbrex::codegen::test
