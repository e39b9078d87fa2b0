// Attention in one pass over the keys, with a running maximum and sum.
//
// Keys are taken in blocks of a fixed size, so what a token sees decides the order of its
// additions; which other tokens or sequences run beside it does not.
#include "kernels/Library.h"

namespace imbrex::kernels {

using namespace edsl;

constexpr DType f32 = DType::F32, i32 = DType::I32;
constexpr double kFar = -1e30; // a score that no key has, and whose differences are finite
constexpr int64_t kMost = 1 << 28;

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

/// o[h, i, :] = softmax(q[h, i, :] . k[h / group, j, :] * scale) . v[h / group, j, :] over the keys
/// past + i - window < j <= past + i: new tokens i behind `past` that are in the cache already,
/// several heads sharing one head of keys, each token seeing `window` keys at most.
template <int64_t width> static void prefill(Kernel &k) {
  constexpr int64_t rows = 32, keys = 64;
  Size kvHeads = k.size("kv_heads", {.most = 1 << 16}),
       group = k.size("group", {.least = 1, .most = 1 << 10}),
       tokens = k.size("tokens", {.most = kMost}), past = k.size("past", {.most = kMost}),
       window = k.size("window", {.least = 1, .most = kMost});
  Size heads = kvHeads * group, total = past + tokens;
  Input q = k.input("q", f32, {heads, tokens, width}),
        key = k.input("k", f32, {kvHeads, total, width}),
        v = k.input("v", f32, {kvHeads, total, width}), scale = k.input("scale", f32, {1});
  Output o = k.output("o", f32, {heads, tokens, width});
  Piece p = k.own(o, {1, rows, width});
  Index shared = p[0] / group;
  Tile query = reshape(q.load(p), {rows, width}) * scale.load({0}, {1});
  Tile mine = k.iota(i32, {rows, keys}, 0) + k.splat(p[1] * rows + past, i32, {rows, keys});
  Tile oldest = mine - k.splat(window, i32, {rows, keys});
  // Blocks of keys that none of this block's rows sees are left out.
  Index behind = minimum((p[1] * rows + past + (rows + keys - 1)) / keys, tiles(total, keys));
  auto state = k.loop(
      behind, {k.zeros(f32, {rows, width}), k.full(f32, {rows, 1}, kFar), k.zeros(f32, {rows, 1})},
      [&](Index j, std::vector<Tile> s) {
        Tile block = reshape(key.load({shared, j, 0}, {1, keys, width}), {keys, width});
        Tile scores = mma(query, edsl::transpose(block, {1, 0}), k.zeros(f32, {rows, keys}));
        Tile theirs = k.iota(i32, {rows, keys}, 1) + k.splat(j * keys, i32, {rows, keys});
        Tile seen = select(lessEqual(theirs, mine), less(oldest, theirs), less(theirs, 0));
        scores = select(seen, scores, kFar);
        Tile top = maximum(s[1], maximumOf(scores, 1, Keep::Yes));
        Tile weights = select(seen, exp(scores - top), 0), fade = exp(s[1] - top);
        Tile values = reshape(v.load({shared, j, 0}, {1, keys, width}), {keys, width});
        return std::vector{mma(weights, values, s[0] * fade), top,
                           s[2] * fade + sum(weights, 1, Keep::Yes)};
      });
  p.store(reshape(state[0] / state[2], {1, rows, width}));
}
void attentionPrefill64(Kernel &k) { prefill<64>(k); }
void attentionPrefill128(Kernel &k) { prefill<128>(k); }

/// One token a sequence over many keys, in splits of 256 that run beside each other: of each split
/// the greatest score, the sum of the weights and the weighted values, for decodeCombine.
template <int64_t width> static void decode(Kernel &k) {
  constexpr int64_t heads = 8, keys = 256;
  Size kvHeads = k.size("kv_heads", {.most = 1 << 16}),
       group = k.size("group", {.least = 1, .most = 1 << 10}),
       total = k.size("keys", {.least = 1, .most = kMost}), splits = tiles(total, keys);
  Input q = k.input("q", f32, {kvHeads, group, width}),
        key = k.input("k", f32, {kvHeads, total, width}),
        v = k.input("v", f32, {kvHeads, total, width}), scale = k.input("scale", f32, {1});
  Output o = k.output("o", f32, {kvHeads, splits, group, width}),
         top = k.output("top", f32, {kvHeads, splits, group, 1}),
         weight = k.output("weight", f32, {kvHeads, splits, group, 1});
  Piece p = k.own(o, {1, 1, heads, width}), pTop = k.own(top, {1, 1, heads, 1}),
        pWeight = k.own(weight, {1, 1, heads, 1});
  Tile query =
      reshape(q.load({p[0], p[2], 0}, {1, heads, width}), {heads, width}) * scale.load({0}, {1});
  Tile block = reshape(key.load({p[0], p[1], 0}, {1, keys, width}), {keys, width});
  Tile scores = mma(query, edsl::transpose(block, {1, 0}), k.zeros(f32, {heads, keys}));
  Tile place = k.iota(i32, {heads, keys}, 1) + k.splat(p[1] * keys, i32, {heads, keys});
  Tile seen = less(place, k.splat(total, i32, {heads, keys}));
  scores = select(seen, scores, kFar);
  Tile most = maximumOf(scores, 1, Keep::Yes);
  Tile weights = select(seen, exp(scores - most), 0);
  Tile values = reshape(v.load({p[0], p[1], 0}, {1, keys, width}), {keys, width});
  p.store(reshape(mma(weights, values, k.zeros(f32, {heads, width})), {1, 1, heads, width}));
  pTop.store(reshape(most, {1, 1, heads, 1}));
  pWeight.store(reshape(sum(weights, 1, Keep::Yes), {1, 1, heads, 1}));
}
void attentionDecode64(Kernel &k) { decode<64>(k); }
void attentionDecode128(Kernel &k) { decode<128>(k); }

/// o[h, g, :] = the splits of a decode joined, in their order
template <int64_t width> static void combine(Kernel &k) {
  Size kvHeads = k.size("kv_heads", {.most = 1 << 16}), group = k.size("group", {.most = 1 << 10}),
       splits = k.size("splits", {.least = 1, .most = kMost});
  Input parts = k.input("parts", f32, {kvHeads, splits, group, width}),
        top = k.input("top", f32, {kvHeads, splits, group, 1}),
        weight = k.input("weight", f32, {kvHeads, splits, group, 1});
  Output o = k.output("o", f32, {kvHeads, group, width});
  Piece p = k.own(o, {1, 1, width});
  const auto one = [&](const Input &of, const Index &s) {
    return reshape(of.load({p[0], s, p[1], 0}, {1, 1, 1, 1}), {1, 1});
  };
  Tile most = k.loop(splits, k.full(f32, {1, 1}, kFar),
                     [&](Index s, Tile m) { return maximum(m, one(top, s)); });
  auto sums = k.loop(
      splits, {k.zeros(f32, {1, width}), k.zeros(f32, {1, 1})}, [&](Index s, std::vector<Tile> t) {
        Tile fade = exp(one(top, s) - most);
        Tile part = parts.load({p[0], s, p[1], 0}, {1, 1, 1, width});
        return std::vector{t[0] + reshape(part, {1, width}) * fade, t[1] + one(weight, s) * fade};
      });
  p.store(reshape(sums[0] / sums[1], {1, 1, width}));
}
void attentionCombine64(Kernel &k) { combine<64>(k); }
void attentionCombine128(Kernel &k) { combine<128>(k); }

} // namespace imbrex::kernels
