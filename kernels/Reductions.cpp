// Reductions over rows and columns, and choices of one element of a row.
//
// An element's order of additions depends on the length of its own row or column alone.
#include "kernels/Library.h"

#include <limits>

namespace imbrex::kernels {

using namespace edsl;

constexpr DType f32 = DType::F32, i32 = DType::I32;
constexpr int64_t kChunk = 64, kMostColumns = int64_t(1) << 30, kMostChoices = 64;

/// The numbers of the columns of chunk j, as a tile [1, chunk].
static Tile columnsOf(Kernel &k, const Index &j) {
  return k.iota(i32, {1, kChunk}, 1) + k.splat(j * kChunk, i32, {1, kChunk});
}

/// y[r] = sum(c) x[r, c]
void sumRows(Kernel &k) {
  Size rows = k.size("rows"), columns = k.size("columns");
  Input x = k.input("x", f32, {rows, columns});
  Output y = k.output("y", f32, {rows});
  Piece p = k.own(y, {1});
  const Size whole = floorDiv(columns.expr, DimExpr(kChunk));
  Tile parts = k.loop(whole, k.zeros(f32, {1, kChunk}),
                      [&](Index j, Tile sum) { return sum + x.loadWhole({p[0], j}, {1, kChunk}); });
  parts = k.loop(tiles(columns, kChunk) - whole, parts,
                 [&](Index n, Tile sum) { return sum + x.load({p[0], n + whole}, {1, kChunk}); });
  p.store(sum(parts, 1));
}

/// y[r] = max(c) x[r, c], NaN when one of them is; the lowest float of a row without columns
void maximumRows(Kernel &k) {
  constexpr double lowest = -3.4028234663852886e38;
  Size rows = k.size("rows"), columns = k.size("columns");
  Input x = k.input("x", f32, {rows, columns});
  Output y = k.output("y", f32, {rows});
  Piece p = k.own(y, {1});
  Tile parts =
      k.loop(tiles(columns, kChunk), k.full(f32, {1, kChunk}, lowest), [&](Index j, Tile most) {
        return maximum(most, x.load({p[0], j}, {1, kChunk}, lowest));
      });
  p.store(maximumOf(parts, 1));
}

/// y[c] = sum(r) x[r, c]
void sumColumns(Kernel &k) {
  // Whole lines of several rows, far along each: memory likes few streams that last.
  constexpr int64_t width = 1024, height = 8;
  Size rows = k.size("rows"), columns = k.size("columns");
  Input x = k.input("x", f32, {rows, columns});
  Output y = k.output("y", f32, {columns});
  Piece p = k.own(y, {width});
  p.store(k.loop(tiles(rows, height), k.zeros(f32, {width}), [&](Index q, Tile total) {
    return total + sum(x.loadAhead({q, p[0]}, {height, width}, 0), 0);
  }));
}

/// y[r] = the first c with the greatest x[r, c]; NaN is never the greatest, and a row of nothing
/// else has 0
void argmaxRows(Kernel &k) {
  constexpr double lowest = -std::numeric_limits<double>::infinity();
  Size rows = k.size("rows"), columns = k.size("columns", {.least = 1, .most = kMostColumns});
  Input x = k.input("x", f32, {rows, columns});
  Output y = k.output("y", i32, {rows});
  Piece p = k.own(y, {1});
  auto best =
      k.loop(tiles(columns, kChunk), {k.full(f32, {1, kChunk}, lowest), k.zeros(i32, {1, kChunk})},
             [&](Index j, std::vector<Tile> s) {
               Tile v = x.load({p[0], j}, {1, kChunk}, lowest);
               Tile better = less(s[0], v);
               return std::vector{select(better, v, s[0]), select(better, columnsOf(k, j), s[1])};
             });
  Tile top = maximumOf(best[0], 1, Keep::Yes);
  p.store(minimumOf(select(equal(best[0], top), best[1], kMostColumns), 1));
}

/// values[r, i], places[r, i] = the i-th greatest element of row r and its column, the earlier
/// first among equals, for i < k. NaN counts as minus infinity. k is at most the columns and 64.
void topRows(Kernel &k) {
  constexpr double lowest = -std::numeric_limits<double>::infinity(), highest = -lowest;
  Size rows = k.size("rows"), columns = k.size("columns", {.least = 1, .most = kMostColumns}),
       count = k.size("k", {.least = 1, .most = kMostChoices});
  k.assumeAtLeast(columns, count);
  Input x = k.input("x", f32, {rows, columns});
  Output values = k.output("values", f32, {rows, count});
  Output places = k.output("places", i32, {rows, count});
  Piece v = k.own(values, {1, kMostChoices}), c = k.own(places, {1, kMostChoices});
  // What is taken next comes behind the last one taken in the order (greater value, lower column).
  auto taken = k.loop(
      count,
      {k.full(f32, {1, 1}, highest), k.full(i32, {1, 1}, -1), k.zeros(f32, {1, kMostChoices}),
       k.zeros(i32, {1, kMostChoices})},
      [&](Index i, std::vector<Tile> s) {
        auto best =
            k.loop(tiles(columns, kChunk),
                   {k.full(f32, {1, kChunk}, lowest), k.full(i32, {1, kChunk}, kMostColumns)},
                   [&](Index j, std::vector<Tile> b) {
                     Tile raw = x.load({v[0], j}, {1, kChunk}, lowest), place = columnsOf(k, j);
                     Tile value = select(equal(raw, raw), raw, lowest);
                     Tile later = select(equal(value, s[0]), less(s[1], place), less(value, s[0]));
                     Tile free = select(less(place, k.splat(columns, i32, {1, kChunk})), later,
                                        less(place, 0));
                     // Where nothing was taken yet, an element as low as the start must still be
                     // taken.
                     Tile better = select(less(b[0], value), free,
                                          select(equal(b[1], kMostColumns), free, less(place, 0)));
                     return std::vector{select(better, value, b[0]), select(better, place, b[1])};
                   });
        Tile open = equal(best[1], kMostColumns);
        Tile top = maximumOf(select(open, lowest, best[0]), 1, Keep::Yes);
        Tile at = minimumOf(select(equal(best[0], top), best[1], kMostColumns), 1, Keep::Yes);
        Tile here = equal(k.iota(i32, {1, kMostChoices}, 1), k.splat(i, i32, {1, kMostChoices}));
        return std::vector{top, at, select(here, top, s[2]), select(here, at, s[3])};
      });
  v.store(taken[2]);
  c.store(taken[3]);
}

/// y[r] = the first c at which the running sum of p[r, :] exceeds u[r] times its whole sum: a draw
/// from the distribution p, of which u in [0, 1) is the random number. Elements of p are at least
/// 0.
void sampleRows(Kernel &k) {
  Size rows = k.size("rows"), columns = k.size("columns", {.least = 1, .most = kMostColumns});
  Input p = k.input("p", f32, {rows, columns}), u = k.input("u", f32, {rows});
  Output y = k.output("y", i32, {rows});
  Piece piece = k.own(y, {1});
  const auto chunk = [&](const Index &j) { return p.load({piece[0], j}, {1, kChunk}); };
  Tile parts = k.loop(tiles(columns, kChunk), k.zeros(f32, {1, kChunk}),
                      [&](Index j, Tile total) { return total + chunk(j); });
  Tile limit = sum(parts, 1, Keep::Yes) * reshape(u.load({piece[0]}, {1}), {1, 1});
  // Carried: the sum so far, how many elements lie at or below the limit, the last that can be
  // drawn.
  auto s = k.loop(tiles(columns, kChunk),
                  {k.zeros(f32, {1, 1}), k.zeros(i32, {1, 1}), k.zeros(i32, {1, 1})},
                  [&](Index j, std::vector<Tile> before) {
                    Tile here = chunk(j), running = scanSum(here, 1) + before[0];
                    Tile at = columnsOf(k, j);
                    Tile inside = less(at, k.splat(columns, i32, {1, kChunk}));
                    Tile below = select(inside, cast(lessEqual(running, limit), i32), 0);
                    Tile drawable = select(less(0, here), at, 0);
                    return std::vector{before[0] + sum(here, 1, Keep::Yes),
                                       before[1] + sum(below, 1, Keep::Yes),
                                       maximum(before[2], maximumOf(drawable, 1, Keep::Yes))};
                  });
  piece.store(reshape(minimum(s[1], s[2]), {1}));
}

} // namespace imbrex::kernels
