// Matrix products.
#include "kernels/Library.h"

namespace imbrex::kernels {

using namespace edsl;

constexpr DType f32 = DType::F32;

/// c[m, n] = sum(d) a[m, d] * b[d, n]
void matmul(Kernel &k) {
  Size m = k.size("m"), n = k.size("n"), d = k.size("d");
  Input a = k.input("a", f32, {m, d}), b = k.input("b", f32, {d, n});
  Output c = k.output("c", f32, {m, n});
  Piece p = k.own(c, {64, 128}, grouped(8));
  p.store(k.loop(tiles(d, 256), k.zeros(f32, {64, 128}), [&](Index q, Tile sum) {
    return mma(a.load({p[0], q}, {64, 256}), b.load({q, p[1]}, {256, 128}), sum);
  }));
}

/// c[g, m, n] = sum(d) a[g, m, d] * b[g, d, n]
void batchedMatmul(Kernel &k) {
  Size g = k.size("g"), m = k.size("m"), n = k.size("n"), d = k.size("d");
  Input a = k.input("a", f32, {g, m, d}), b = k.input("b", f32, {g, d, n});
  Output c = k.output("c", f32, {g, m, n});
  Piece p = k.own(c, {1, 64, 64});
  Tile product = k.loop(tiles(d, 128), k.zeros(f32, {64, 64}), [&](Index q, Tile sum) {
    Tile x = reshape(a.load({p[0], p[1], q}, {1, 64, 128}), {64, 128});
    Tile y = reshape(b.load({p[0], q, p[2]}, {1, 128, 64}), {128, 64});
    return mma(x, y, sum);
  });
  p.store(reshape(product, {1, 64, 64}));
}

/// c[m, n] = sum(d) a[m, d] * b[d, n], summed in f32 and rounded once
template <DType type> static void shortMatmul(Kernel &k) {
  Size m = k.size("m"), n = k.size("n"), d = k.size("d");
  Input a = k.input("a", type, {m, d}), b = k.input("b", type, {d, n});
  Output c = k.output("c", type, {m, n});
  Piece p = k.own(c, {64, 128}, grouped(8));
  Tile product = k.loop(tiles(d, 256), k.zeros(f32, {64, 128}), [&](Index q, Tile sum) {
    return mma(a.load({p[0], q}, {64, 256}), b.load({q, p[1]}, {256, 128}), sum);
  });
  p.store(cast(product, type));
}
void matmulBf16(Kernel &k) { shortMatmul<DType::BF16>(k); }
void matmulF16(Kernel &k) { shortMatmul<DType::F16>(k); }

/// c[m, p, n] = sum(i, j) x[m, 2 * i + j] * w[p, i, n, j]: weights in panels of 32 columns, as a
/// target's products want them; x is rounded to bf16. For prompts, and for one token at a time,
/// when several panels stream from memory side by side.
static void bf16Weights(Kernel &k, int64_t rows, int64_t together) {
  constexpr int64_t kPanel = 32, kPairs = 512;
  Size m = k.size("m"), panels = k.size("panels", {.most = 1 << 24}),
       pairs = k.size("pairs", {.most = 1 << 24});
  Input x = k.input("x", f32, {m, pairs * 2});
  Input w = k.input("w", DType::BF16, {panels, pairs, kPanel, 2});
  Output c = k.output("c", f32, {m, panels, kPanel});
  Piece p = k.own(c, {rows, together, kPanel});
  const int64_t columns = together * kPanel;
  Tile product =
      k.loop(tiles(pairs, kPairs), k.zeros(f32, {rows, columns}), [&](Index q, Tile sum) {
        Tile left = cast(x.load({p[0], q}, {rows, 2 * kPairs}), DType::BF16);
        Tile right =
            edsl::transpose(w.load({p[1], q, 0, 0}, {together, kPairs, kPanel, 2}), {1, 3, 0, 2});
        return mma(left, reshape(right, {2 * kPairs, columns}), sum);
      });
  p.store(reshape(product, {rows, together, kPanel}));
}
void matmulBf16Weights(Kernel &k) { bf16Weights(k, 84, 8); }
void matvecBf16Weights(Kernel &k) { bf16Weights(k, 1, 4); }

/// c[m, n] = sum(d) a[m, d] * b[d, n] of unsigned and signed bytes; sums wrap at 32 bits
void matmulU8S8(Kernel &k) {
  Size m = k.size("m"), n = k.size("n"), d = k.size("d");
  Input a = k.input("a", DType::U8, {m, d}), b = k.input("b", DType::I8, {d, n});
  Output c = k.output("c", DType::I32, {m, n});
  Piece p = k.own(c, {64, 128}, grouped(8));
  p.store(k.loop(tiles(d, 256), k.zeros(DType::I32, {64, 128}), [&](Index q, Tile sum) {
    return mma(a.load({p[0], q}, {64, 256}), b.load({q, p[1]}, {256, 128}), sum);
  }));
}

} // namespace imbrex::kernels
