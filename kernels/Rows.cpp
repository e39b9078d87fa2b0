// Kernels over rows of any length: a block owns one row and walks over it in chunks.
//
// A row is an output of two axes cut as [1, chunk]; its chunks are stored in a loop. Sums are kept
// by place within the chunk and joined at the end, so the order depends on the row's length alone.
// What a loop sums fits in a few registers, and one loop over a row fetches the next one.
#include "kernels/Library.h"

#include <limits>

namespace imbrex::kernels {

using namespace edsl;

constexpr DType f32 = DType::F32;
constexpr int64_t kChunk = 64, kStored = 512;

/// 1 within the row, 0 in the part of the last chunk that is beyond it, as a tile [1, chunk].
static Tile inside(Kernel &k, const Size &columns, const Index &j) {
  Tile place = k.iota(DType::I32, {1, kChunk}, 1) + k.splat(j * kChunk, DType::I32, {1, kChunk});
  return less(place, k.splat(columns, DType::I32, {1, kChunk}));
}

static Tile plus(const Tile &before, const Tile &v) { return before + v; }
static Tile plusSquare(const Tile &before, const Tile &v) { return fma(v, v, before); }

/// The sum over row r of what `of` makes of its elements, as a tile [1, 1]; `add` makes the next of
/// the sums by place. Only the last chunk, where it is not whole, needs to know where the row ends.
static Tile rowSum(
    Kernel &k, const Input &x, const Index &r, const Size &columns,
    Tile (*add)(const Tile &, const Tile &),
    const std::function<Tile(Tile)> &of = [](const Tile &v) { return v; }) {
  const Size whole = floorDiv(columns.expr, DimExpr(kChunk));
  Tile sums = k.loop(whole, k.zeros(f32, {1, kChunk}), [&](Index j, Tile before) {
    return add(before, of(x.loadWhole({r, j}, {1, kChunk})));
  });
  sums = k.loop(tiles(columns, kChunk) - whole, sums, [&](Index n, Tile before) {
    Index j = n + whole;
    return add(before, select(inside(k, columns, j), of(x.load({r, j}, {1, kChunk})), 0));
  });
  return sum(sums, 1, Keep::Yes);
}

/// y[r, :] = exp(x[r, :] - max) / sum of it
void softmax(Kernel &k) {
  Size rows = k.size("rows"), columns = k.size("columns", {.least = 1});
  Input x = k.input("x", f32, {rows, columns});
  Output y = k.output("y", f32, {rows, columns});
  // Beyond the end nothing is the greatest, and exp of it is 0.
  constexpr double least = -std::numeric_limits<double>::infinity();
  k.ownRows(y, kChunk, [&](const Index &r, const RowStore &store) {
    auto chunk = [&](const Index &j) { return x.load({r, j}, {1, kChunk}, least); };
    // What is no number need not be the greatest: exp of it makes the whole row the same.
    auto greater = [&](const Tile &a, const Tile &b) { return select(less(a, b), b, a); };
    Tile top = maximumOf(k.loop(tiles(columns, kChunk), k.full(f32, {1, kChunk}, least),
                                [&](Index j, Tile most) { return greater(most, chunk(j)); }),
                         1, Keep::Yes);
    Tile sums =
        k.loop(tiles(columns, kChunk), k.zeros(f32, {1, kChunk}), [&](Index j, Tile before) {
          return before + exp(x.loadAhead({r, j}, {1, kChunk}, 0, least) - top);
        });
    Tile factor = 1 / sum(sums, 1, Keep::Yes);
    store([&](const Index &j) { return exp(chunk(j) - top) * factor; });
  });
}

/// y[r, :] = x[r, :] / sqrt(mean(x[r, :]²) + eps) * weight
void rmsNorm(Kernel &k) {
  Size rows = k.size("rows"), columns = k.size("columns", {.least = 1});
  Input x = k.input("x", f32, {rows, columns}), weight = k.input("weight", f32, {columns});
  Input eps = k.input("eps", f32, {1}), scale = k.input("reciprocal_columns", f32, {1});
  Output y = k.output("y", f32, {rows, columns});
  k.ownRows(y, kStored, [&](const Index &r, const RowStore &store) {
    Tile squares = rowSum(k, x, r, columns, plusSquare);
    Tile factor = rsqrt(squares * scale.load({0}, {1}) + eps.load({0}, {1}));
    store([&](const Index &j) {
      return x.loadAhead({r, j}, {1, kStored}, 0) * factor * weight.load({j}, {kStored});
    });
  });
}

/// y[r, :] = (x[r, :] - mean) / sqrt(variance + eps) * weight + bias
void layerNorm(Kernel &k) {
  Size rows = k.size("rows"), columns = k.size("columns", {.least = 1});
  Input x = k.input("x", f32, {rows, columns}), weight = k.input("weight", f32, {columns}),
        bias = k.input("bias", f32, {columns});
  Input eps = k.input("eps", f32, {1}), scale = k.input("reciprocal_columns", f32, {1});
  Output y = k.output("y", f32, {rows, columns});
  k.ownRows(y, kStored, [&](const Index &r, const RowStore &store) {
    Tile mean = rowSum(k, x, r, columns, plus) * scale.load({0}, {1});
    Tile squares = rowSum(k, x, r, columns, plusSquare, [&](const Tile &v) { return v - mean; });
    Tile factor = rsqrt(squares * scale.load({0}, {1}) + eps.load({0}, {1}));
    store([&](const Index &j) {
      Tile scaled = (x.loadAhead({r, j}, {1, kStored}, 0) - mean) * factor;
      return fma(scaled, weight.load({j}, {kStored}), bias.load({j}, {kStored}));
    });
  });
}

/// y[r, c, :] = (x[r, c, :] - mean) / sqrt(variance + eps) * weight[g, c] + bias[g, c], mean and
/// variance over all of x[r]: row r is group g = r mod groups of an image, c a channel of it
void groupNorm(Kernel &k) {
  Size rows = k.size("rows"), groups = k.size("groups", {.least = 1}),
       channels = k.size("channels", {.least = 1}), space = k.size("space", {.least = 1});
  Input x = k.input("x", f32, {rows, channels, space});
  Input weight = k.input("weight", f32, {groups, channels}),
        bias = k.input("bias", f32, {groups, channels});
  Input eps = k.input("eps", f32, {1}), scale = k.input("reciprocal_elements", f32, {1});
  Output y = k.output("y", f32, {rows, channels, space});
  k.ownSlices(y, {1, 1, kStored}, [&](const Index &r, const SliceStore &store) {
    auto chunk = [&](const Index &c, const Index &j) {
      return reshape(x.load({r, c, j}, {1, 1, kChunk}), {1, kChunk});
    };
    auto sumOf = [&](const std::function<Tile(Index, Index)> &of) {
      Tile parts = k.loop(channels, k.zeros(f32, {1, kChunk}), [&](Index c, Tile sum) {
        return k.loop(tiles(space, kChunk), sum, [&](Index j, Tile s) { return s + of(c, j); });
      });
      return sum(parts, 1, Keep::Yes) * scale.load({0}, {1});
    };
    Tile mean = sumOf(chunk);
    Tile variance = sumOf([&](const Index &c, const Index &j) {
      Tile d = select(inside(k, space, j), chunk(c, j) - mean, 0);
      return d * d;
    });
    Tile factor = rsqrt(variance + eps.load({0}, {1}));
    Index g = r % groups;
    store([&](const std::vector<Index> &at) {
      Tile w = weight.load({g, at[0]}, {1, 1}), b = bias.load({g, at[0]}, {1, 1});
      Tile whole = reshape(x.load({r, at[0], at[1]}, {1, 1, kStored}), {1, kStored});
      return reshape((whole - mean) * factor * w + b, {1, 1, kStored});
    });
  });
}

} // namespace imbrex::kernels
