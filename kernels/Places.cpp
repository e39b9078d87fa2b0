// Kernels that move elements.
#include "kernels/Library.h"

namespace imbrex::kernels {

using namespace edsl;

constexpr DType f32 = DType::F32;

/// y[j, i] = x[i, j]
void transpose(Kernel &k) {
  Size m = k.size("m"), n = k.size("n");
  Input x = k.input("x", f32, {m, n});
  Output y = k.output("y", f32, {n, m});
  // Four lines of each row, and the next four of the same rows behind them.
  constexpr int64_t side = 64;
  Piece p = k.own(y, {side, side}, grouped(1 << 20));
  p.store(edsl::transpose(x.loadAhead({p[1], p[0]}, {side, side}, 1), {1, 0}));
}

/// y[t, :] = table[ids[t], :]; a number outside the table gives zeros
void embedding(Kernel &k) {
  Size tokens = k.size("tokens"), words = k.size("words"), width = k.size("width");
  Input ids = k.input("ids", DType::I32, {tokens}), table = k.input("table", f32, {words, width});
  Output y = k.output("y", f32, {tokens, width});
  Piece p = k.own(y, {8, 256});
  p.store(table.gather(ids.load({p[0]}, {8}), {p[1]}, {8, 256}));
}

/// y[t, h, :] = x rotated by the angles of position t: pairs are (i, i + 64) of heads of 128
void rotaryEmbedding(Kernel &k) {
  Size tokens = k.size("tokens"), heads = k.size("heads");
  Input x = k.input("x", f32, {tokens, heads, 128});
  Input cosine = k.input("cosine", f32, {tokens, 64}), sine = k.input("sine", f32, {tokens, 64});
  Output y = k.output("y", f32, {tokens, heads, 128});
  Piece p = k.own(y, {1, 1, 128});
  Tile t = reshape(x.load(p), {1, 128});
  Tile low = slice(t, {0, 0}, {1, 64}), high = slice(t, {0, 64}, {1, 64});
  Tile c = cosine.load({p[0], 0}, {1, 64}), s = sine.load({p[0], 0}, {1, 64});
  p.store(reshape(concat({low * c - high * s, high * c + low * s}, 1), {1, 1, 128}));
}

/// cache[h, t, :] = x[t, h, :] for the new tokens t: the view of the cache begins at the first of
/// them, and a head's tokens lie `capacity` apart from the next head's
void appendToCache(Kernel &k) {
  constexpr int64_t width = 128;
  Size tokens = k.size("tokens"), heads = k.size("heads"),
       capacity = k.size("capacity", {.least = 1});
  k.assumeAtLeast(capacity, tokens);
  Input x = k.input("x", f32, {tokens, heads, width});
  Output cache = k.output("cache", f32, {heads, tokens, width}, {capacity * Size(width), width, 1});
  Piece p = k.own(cache, {1, 8, width});
  Tile t = x.load({p[1], p[0], 0}, {8, 1, width});
  p.store(edsl::transpose(t, {1, 0, 2}));
}

} // namespace imbrex::kernels
