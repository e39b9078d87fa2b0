// Loops that carry tiles in registers or in memory, and functions kept between loops, do what the
// interpreter does; exp gives the same bits however many lanes compute it.
#include "compiler/codegen/tile-cpu/TileTestSupport.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>

namespace imbrex::codegen::test {
namespace {

/// The text with each T as a chunk's extent.
std::string withChunk(std::string text, int64_t chunk) {
  for (size_t at; (at = text.find("T_")) != std::string::npos;)
    text.replace(at, 2, std::to_string(chunk));
  return text;
}

/// exp is computed by two loops alike. Rows end within a chunk, and go beyond what is kept.
const char *const kSoftmax = R"(
tile.kernel @softmax(%x: !tile.view<[m, n], f32>, %y: !tile.view<[m, n], f32, write>)
    sizes (m, n) grid [m] {
  %i = tile.block 0
  %z = arith.constant 0 : index
  %one = arith.constant 1 : index
  %steps = tile.size "(n + T_ - 1) floordiv T_"
  %least = arith.constant dense<-1.0e30> : tensor<1xT_xf32>
  %none = arith.constant dense<0.0> : tensor<1xT_xf32>
  %most = scf.for %j = %z to %steps step %one iter_args(%m = %least) -> tensor<1xT_xf32> {
    %t = tile.load %x[%i, %j] pad 0xFF800000 : f32 : !tile.view<[m, n], f32> -> tensor<1xT_xf32>
    %next = arith.maximumf %m, %t : tensor<1xT_xf32>
    scf.yield %next : tensor<1xT_xf32>
  }
  %top = tile.reduce maximum %most axis 1 : tensor<1xT_xf32> -> tensor<1xf32>
  %top1 = tile.reshape %top : tensor<1xf32> -> tensor<1x1xf32>
  %parts = scf.for %j = %z to %steps step %one iter_args(%s = %none) -> tensor<1xT_xf32> {
    %t = tile.load %x[%i, %j] pad 0xFF800000 : f32 {ahead = 0 : i64} : !tile.view<[m, n], f32> -> tensor<1xT_xf32>
    %b = tile.broadcast %top1 : tensor<1x1xf32> -> tensor<1xT_xf32>
    %d = arith.subf %t, %b : tensor<1xT_xf32>
    %e = math.exp %d : tensor<1xT_xf32>
    %next = arith.addf %s, %e : tensor<1xT_xf32>
    scf.yield %next : tensor<1xT_xf32>
  }
  %total = tile.reduce sum %parts axis 1 : tensor<1xT_xf32> -> tensor<1xf32>
  %total1 = tile.reshape %total : tensor<1xf32> -> tensor<1x1xf32>
  scf.for %j = %z to %steps step %one {
    %t = tile.load %x[%i, %j] pad 0xFF800000 : f32 : !tile.view<[m, n], f32> -> tensor<1xT_xf32>
    %b = tile.broadcast %top1 : tensor<1x1xf32> -> tensor<1xT_xf32>
    %d = arith.subf %t, %b : tensor<1xT_xf32>
    %e = math.exp %d : tensor<1xT_xf32>
    %all = tile.broadcast %total1 : tensor<1x1xf32> -> tensor<1xT_xf32>
    %o = arith.divf %e, %all : tensor<1xT_xf32>
    tile.store %o into %y[%i, %j] : tensor<1xT_xf32>, !tile.view<[m, n], f32, write>
  }
})";

TEST(TileLoops, SoftmaxKeepsWhatFits) {
  for (int64_t chunk : {64, 512}) {
    TileCase c(withChunk(kSoftmax, chunk));
    for (auto [m, n] : {std::pair(3, 1), std::pair(2, 640), std::pair(2, 8192), std::pair(2, 9001)})
      c.run({{"m", m}, {"n", n}});
  }
}

TEST(TileLoops, SeveralTilesInRegisters) {
  // Sums of rows and columns of a block, and the last greater element: one depends on the other.
  TileCase c(R"(
tile.kernel @k(%x: !tile.view<[m, n], f32>, %s: !tile.view<[m], f32, write>, %w: !tile.view<[m], i32, write>)
    sizes (m, n) grid [(m + 1) floordiv 2] {
  %i = tile.block 0
  %z = arith.constant 0 : index
  %one = arith.constant 1 : index
  %steps = tile.size "(n + 31) floordiv 32"
  %first = tile.load %x[%i, %z] : !tile.view<[m, n], f32> -> tensor<2x32xf32>
  %where0 = tile.iota axis 1 : tensor<2x32xi32>
  %best, %where = scf.for %j = %z to %steps step %one iter_args(%b = %first, %at = %where0)
      -> (tensor<2x32xf32>, tensor<2x32xi32>) {
    %t = tile.load %x[%i, %j] pad -9.0 : f32 : !tile.view<[m, n], f32> -> tensor<2x32xf32>
    %more = arith.cmpf olt, %b, %t : tensor<2x32xf32>
    %b1 = arith.select %more, %t, %b : tensor<2x32xi1>, tensor<2x32xf32>
    %ji = arith.index_cast %j : index to i32
    %jt = tile.broadcast %ji : i32 -> tensor<2x32xi32>
    %at1 = arith.select %more, %jt, %at : tensor<2x32xi1>, tensor<2x32xi32>
    scf.yield %b1, %at1 : tensor<2x32xf32>, tensor<2x32xi32>
  }
  %sum = tile.reduce sum %best axis 1 : tensor<2x32xf32> -> tensor<2xf32>
  %places = tile.reduce sum %where axis 1 : tensor<2x32xi32> -> tensor<2xi32>
  tile.store %sum into %s[%i] : tensor<2xf32>, !tile.view<[m], f32, write>
  tile.store %places into %w[%i] : tensor<2xi32>, !tile.view<[m], i32, write>
})");
  for (auto [m, n] : {std::pair(4, 96), std::pair(3, 77), std::pair(1, 5)})
    c.run({{"m", m}, {"n", n}});
}

TEST(TileLoops, ExpOfAVectorIsExpOfEachElement) {
  const std::string text = R"(
tile.kernel @k(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>) sizes (n) grid [(n + T_ - 1) floordiv T_] {
  %i = tile.block 0
  %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<T_xf32>
  %e = math.exp %t : tensor<T_xf32>
  tile.store %e into %y[%i] : tensor<T_xf32>, !tile.view<[n], f32, write>
})";
  std::vector<double> x{0,     -0.0, INFINITY, -INFINITY, NAN,   1e30,
                        -1e30, 88.9, -87.5,    -103.9,    -104.1};
  for (uint64_t bits = 0; bits <= 0xffffffff; bits += 65521) // a prime: all exponents, both signs
    x.push_back(double(std::bit_cast<float>(static_cast<uint32_t>(bits))));
  x.resize(x.size() / 64 * 64);
  const tile::SizeValues sizes{{"n", static_cast<int64_t>(x.size())}};
  auto with = [&](int64_t lanes) {
    return TileCase(withChunk(text, lanes), TileCase::Levels::Best).compute(sizes, {{"x", x}})["y"];
  };
  const std::vector<double> vectors = with(64), elements = with(1);
  for (size_t i = 0; i < x.size(); ++i)
    ASSERT_TRUE(vectors[i] == elements[i] || (std::isnan(vectors[i]) && std::isnan(elements[i])))
        << "exp of " << x[i] << " is " << vectors[i] << " and " << elements[i];
  EXPECT_EQ(vectors[3], 0);
}

} // namespace
} // namespace imbrex::codegen::test
