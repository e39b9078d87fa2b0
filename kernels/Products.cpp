// Matrix products and attention.
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

/// o[h, i, :] = softmax(q[h, i, :] . k[h, j, :] * scale for j <= i) . v[h, j, :], heads of 64: one
/// pass over the keys with a running maximum and sum, in blocks of a fixed size.
void attention(Kernel &k) {
  constexpr int64_t rows = 32, keys = 32, width = 64;
  Size heads = k.size("heads"), tokens = k.size("tokens");
  Input q = k.input("q", f32, {heads, tokens, width}),
        key = k.input("k", f32, {heads, tokens, width}),
        v = k.input("v", f32, {heads, tokens, width}), scale = k.input("scale", f32, {1});
  Output o = k.output("o", f32, {heads, tokens, width});
  Piece p = k.own(o, {1, rows, width});
  Tile query = reshape(q.load(p), {rows, width}) * scale.load({0}, {1});
  constexpr double far = -1e30;
  Tile mine = k.iota(DType::I64, {rows, keys}, 0) + k.splat(p[1] * rows, DType::I64, {rows, keys});
  // Blocks of keys behind the last of this block's rows see nothing of it.
  auto state = k.loop(
      p[1] + 1, {k.zeros(f32, {rows, width}), k.full(f32, {rows, 1}, far), k.zeros(f32, {rows, 1})},
      [&](Index j, std::vector<Tile> s) {
        Tile block = reshape(key.load({p[0], j, 0}, {1, keys, width}), {keys, width});
        Tile scores = mma(query, edsl::transpose(block, {1, 0}), k.zeros(f32, {rows, keys}));
        Tile theirs =
            k.iota(DType::I64, {rows, keys}, 1) + k.splat(j * keys, DType::I64, {rows, keys});
        scores = select(lessEqual(theirs, mine), scores, far);
        Tile top = maximum(s[1], maximumOf(scores, 1, Keep::Yes));
        Tile weights = exp(scores - top), fade = exp(s[1] - top);
        Tile values = reshape(v.load({p[0], j, 0}, {1, keys, width}), {keys, width});
        return std::vector{mma(weights, values, s[0] * fade), top,
                           s[2] * fade + sum(weights, 1, Keep::Yes)};
      });
  p.store(reshape(state[0] / state[2], {1, rows, width}));
}

} // namespace imbrex::kernels
