#include "compiler/passes/lower/TileSizes.h"

#include "compiler/passes/lower/Winograd.h"

#include <algorithm>

namespace imbrex::lower {

using namespace opmeaning;

namespace {

/// So many blocks keep a few threads busy.
constexpr int64_t kBlocks = 4;
/// Rows and columns of sums stay in the cache beside the operands.
constexpr int64_t kMostRows = 128, kMostColumns = 256, kMostWindow = 640;
constexpr int64_t kMostSums = 48 * 1024;

int64_t ceilOf(int64_t n, int64_t by) { return (n + by - 1) / by; }
int64_t panelsOf(int64_t n) { return ceilOf(n, kPanel); }

/// Rows of a block: a divisor of all rows where there is one, since whole tiles need no limits.
int64_t chooseRows(int64_t rows, int64_t most) {
  if (rows <= most)
    return rows;
  for (int64_t m = most; m >= std::max<int64_t>(most / 2 - 8, 1); --m)
    if (rows % m == 0)
      return m;
  return ceilOf(rows, ceilOf(rows, most));
}

/// Columns in whole panels, so that the last block wastes little.
int64_t chooseColumns(int64_t columns, int64_t most) {
  const int64_t panels = panelsOf(columns);
  if (panels * kPanel <= most)
    return panels * kPanel;
  const int64_t largest = std::max<int64_t>(most / kPanel, 1);
  int64_t best = largest;
  for (int64_t each = largest; each >= std::max<int64_t>(largest / 2, 1); --each)
    if (ceilOf(panels, each) * each < ceilOf(panels, best) * best)
      best = each;
  return best * kPanel;
}

/// Steps of k: a divisor where there is one.
int64_t chooseDepth(int64_t depth, int64_t most) {
  if (depth <= most + most / 4)
    return std::max<int64_t>(depth, 1);
  for (int64_t k = most + most / 4; k >= most / 2; --k)
    if (depth % k == 0 && k % 16 == 0)
      return k;
  return ceilOf(ceilOf(depth, ceilOf(depth, most)), 16) * 16;
}

} // namespace

/// Half as many rows of the result in a block, while there are few blocks.
static void halveForBlocks(TileSizes &t, const TileProduct &x, const Def &out, int64_t blocks) {
  for (size_t i = 0; i < x.outer; ++i)
    blocks *= out.type.dims[i].constant().value_or(1);
  while (t.m > 128 && blocks * ceilOf(*x.m.constant(), t.m) < kBlocks)
    t.m = chooseColumns(*x.m.constant(), t.m / 2);
}

/// Places are rows of register tiles, rows of the result are columns.
static TileSizes withChangedRoles(const TileProduct &x, const Def &out) {
  TileSizes t;
  t.m = chooseColumns(*x.m.constant(), kMostColumns);
  t.k = chooseDepth(*x.k.constant(), 512);
  if (x.right != TileProduct::Right::Windows) {
    t.n = chooseRows(*x.n.constant(), kMostRows);
    halveForBlocks(t, x, out, ceilOf(*x.n.constant(), t.n));
    return t;
  }
  const int64_t rows = *out.type.dims[out.vars.size() - 2].constant();
  t.windowColumns = *out.type.dims.back().constant();
  t.windowRows = chooseRows(rows, std::max<int64_t>(1, kMostRows / t.windowColumns));
  t.n = t.windowRows * t.windowColumns;
  halveForBlocks(t, x, out, ceilOf(rows, t.windowRows));
  return t;
}

TileSizes chooseTileSizes(const TileProduct &x, const Def &out) {
  if (x.kind != TileProduct::Kind::Product) {
    TileSizes t;
    t.k = 1;
    if (x.kind != TileProduct::Kind::Forward && x.kind != TileProduct::Kind::Inverse) {
      t.m = 1;
      t.windowRows = *out.type.dims[2].constant();
      t.windowColumns = *out.type.dims[3].constant();
      t.n = t.windowRows * t.windowColumns;
      return t;
    }
    t.m = winogradChannels(x.m);
    t.windowRows = 4;
    t.windowColumns = 4 * x.piecesAcross;
    t.n = t.windowRows * t.windowColumns;
    return t;
  }
  if (x.changedRoles)
    return withChangedRoles(x, out);
  TileSizes t;
  const bool windows = x.right == TileProduct::Right::Windows;
  int64_t blocks = 1;
  for (size_t i = 0; i < x.outer; ++i)
    blocks *= out.type.dims[i].constant().value_or(1);
  if (windows) {
    const int64_t rows = *out.type.dims[out.vars.size() - 2].constant();
    const int64_t columns = *out.type.dims.back().constant();
    const int64_t width =
        columns + (x.window[1].taps - 1) * x.window[1].dilation / x.window[1].stride;
    t.windowRows = 1;
    t.windowColumns = columns <= kMostColumns ? columns : chooseColumns(columns, kMostColumns);
    t.n = panelsOf(t.windowColumns) * kPanel;
    // As many rows as waste least, of those that fit.
    double least = double(t.n) / double(t.windowColumns);
    for (int64_t r = 2; columns <= kMostColumns && r <= rows; ++r) {
      const int64_t n = panelsOf(r * width) * kPanel;
      if (n > kMostWindow)
        break;
      const double waste = double(n) * double(ceilOf(rows, r)) / double(rows * columns);
      if (waste <= least * 1.01) {
        least = std::min(least, waste);
        t.windowRows = r;
        t.n = n;
      }
    }
    blocks *= ceilOf(rows, t.windowRows) * ceilOf(columns, t.windowColumns);
    t.k = chooseDepth(x.k.constant().value_or(256), 256);
  } else {
    const bool packs = x.right == TileProduct::Right::Rows;
    const int64_t most = packs ? kMostColumns - 32 : kMostColumns;
    t.n = x.n.constant() ? chooseColumns(std::max<int64_t>(*x.n.constant(), 1), most)
                         : most / 64 * 64;
    t.k = x.k.constant() ? chooseDepth(*x.k.constant(), packs ? 256 : 512) : packs ? 256 : 512;
    blocks *= ceilOf(x.n.constant().value_or(t.n), t.n);
  }
  auto rows = x.m.constant();
  if (!rows)
    return t;
  t.m = chooseRows(std::max<int64_t>(*rows, 1), std::min(kMostRows, kMostSums / t.n));
  while (t.m > 28 && blocks * ceilOf(*rows, t.m) < kBlocks)
    t.m = chooseRows(*rows, std::min(t.m - 1, t.m / 2 + 8));
  return t;
}

} // namespace imbrex::lower
