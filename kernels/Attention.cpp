// Attention over the keys of a cache.
//
// Keys are taken in splits of a fixed size, and splits are joined in their order, with a running
// maximum and sum. What a token sees decides the order of its additions; which other tokens or
// sequences run beside it, and whether it is one of many new tokens or the only one, does not.
#include "kernels/Library.h"

namespace imbrex::kernels {

using namespace edsl;

constexpr DType f32 = DType::F32, i32 = DType::I32;
constexpr double kFar = -1e30; // a score that no key has, and whose differences are finite
constexpr int64_t kMost = 1 << 28;

constexpr int64_t kSplit = 256;

namespace {

/// What is known of some queries after some keys: weighted values, the greatest score, the sum of
/// the weights relative to it.
struct Attended {
  Tile values, top, weight;

  static Attended none(Kernel &k, int64_t rows, int64_t width) {
    return {k.zeros(f32, {rows, width}), k.full(f32, {rows, 1}, kFar), k.zeros(f32, {rows, 1})};
  }
  /// The queries [rows, width], scaled, over one split of keys and values [kSplit, width].
  static Attended split(Kernel &k, const Tile &query, const Tile &keys, const Tile &values,
                        const Tile &seen) {
    const int64_t rows = query.shape()[0], width = query.shape()[1];
    Tile scores = mma(query, edsl::transpose(keys, {1, 0}), k.zeros(f32, {rows, kSplit}));
    scores = select(seen, scores, kFar);
    Tile top = maximumOf(scores, 1, Keep::Yes);
    Tile weights = select(seen, exp(scores - top), 0);
    return {mma(weights, values, k.zeros(f32, {rows, width})), top, sum(weights, 1, Keep::Yes)};
  }
  Attended with(const Attended &next) const {
    Tile most = maximum(top, next.top);
    Tile fade = exp(top - most), nextFade = exp(next.top - most);
    return {values * fade + next.values * nextFade, most, weight * fade + next.weight * nextFade};
  }
  std::vector<Tile> tiles() const { return {values, top, weight}; }
  explicit Attended(const std::vector<Tile> &t) : Attended(t[0], t[1], t[2]) {}
  Attended(Tile values, Tile top, Tile weight) : values(values), top(top), weight(weight) {}
};

} // namespace

/// o[h, i, :] = softmax(q[h, i, :] . k[h / group, j, :] * scale) . v[h / group, j, :] over the keys
/// past + i - window < j <= past + i: new tokens i behind `past` that are in the cache already,
/// several heads sharing one head of keys, each token seeing `window` keys at most.
template <int64_t width> static void prefill(Kernel &k) {
  constexpr int64_t rows = 32;
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
  Tile mine = k.iota(i32, {rows, kSplit}, 0) + k.splat(p[1] * rows + past, i32, {rows, kSplit});
  Tile oldest = mine - k.splat(window, i32, {rows, kSplit});
  const auto load = [&](const Input &of, const Index &j) {
    return reshape(of.load({shared, j, 0}, {1, kSplit, width}), {kSplit, width});
  };
  // Splits behind all that this block's rows see are left out.
  Index count = minimum((p[1] * rows + past + (rows + kSplit - 1)) / kSplit, tiles(total, kSplit));
  Attended all(
      k.loop(count, Attended::none(k, rows, width).tiles(), [&](Index j, std::vector<Tile> before) {
        Tile theirs = k.iota(i32, {rows, kSplit}, 1) + k.splat(j * kSplit, i32, {rows, kSplit});
        Tile seen = select(lessEqual(theirs, mine), less(oldest, theirs), less(theirs, 0));
        return Attended(before)
            .with(Attended::split(k, query, load(key, j), load(v, j), seen))
            .tiles();
      }));
  p.store(reshape(all.values / all.weight, {1, rows, width}));
}
void attentionPrefill64(Kernel &k) { prefill<64>(k); }
void attentionPrefill128(Kernel &k) { prefill<128>(k); }

/// One token a sequence over many keys, whose splits run beside each other: what is known of each
/// split, for attentionCombine.
template <int64_t width> static void decode(Kernel &k) {
  constexpr int64_t heads = 4;
  Size kvHeads = k.size("kv_heads", {.most = 1 << 16}),
       group = k.size("group", {.least = 1, .most = 1 << 10}),
       total = k.size("keys", {.least = 1, .most = kMost}), splits = tiles(total, kSplit);
  Input q = k.input("q", f32, {kvHeads, group, width}),
        key = k.input("k", f32, {kvHeads, total, width}),
        v = k.input("v", f32, {kvHeads, total, width}), scale = k.input("scale", f32, {1});
  Output values = k.output("values", f32, {kvHeads, splits, group, width}),
         top = k.output("top", f32, {kvHeads, splits, group, 1}),
         weight = k.output("weight", f32, {kvHeads, splits, group, 1});
  Piece p = k.own(values, {1, 1, heads, width}), pTop = k.own(top, {1, 1, heads, 1}),
        pWeight = k.own(weight, {1, 1, heads, 1});
  Tile query =
      reshape(q.load({p[0], p[2], 0}, {1, heads, width}), {heads, width}) * scale.load({0}, {1});
  // The next split is fetched while this one is computed: keys and values are what takes time.
  const auto load = [&](const Input &of) {
    return reshape(of.loadAhead({p[0], p[1], 0}, {1, kSplit, width}, 1), {kSplit, width});
  };
  Tile place = k.iota(i32, {heads, kSplit}, 1) + k.splat(p[1] * kSplit, i32, {heads, kSplit});
  Tile seen = less(place, k.splat(total, i32, {heads, kSplit}));
  Attended split = Attended::split(k, query, load(key), load(v), seen);
  p.store(reshape(split.values, {1, 1, heads, width}));
  pTop.store(reshape(split.top, {1, 1, heads, 1}));
  pWeight.store(reshape(split.weight, {1, 1, heads, 1}));
}
void attentionDecode64(Kernel &k) { decode<64>(k); }
void attentionDecode128(Kernel &k) { decode<128>(k); }

/// o[h, g, :] = the splits of a decode joined, as attentionPrefill joins them
template <int64_t width> static void combine(Kernel &k) {
  Size kvHeads = k.size("kv_heads", {.most = 1 << 16}), group = k.size("group", {.most = 1 << 10}),
       splits = k.size("splits", {.least = 1, .most = kMost});
  Input values = k.input("values", f32, {kvHeads, splits, group, width}),
        top = k.input("top", f32, {kvHeads, splits, group, 1}),
        weight = k.input("weight", f32, {kvHeads, splits, group, 1});
  Output o = k.output("o", f32, {kvHeads, group, width});
  Piece p = k.own(o, {1, 1, width});
  const auto load = [&](const Input &of, const Index &s, int64_t count) {
    return reshape(of.load({p[0], s, p[1], 0}, {1, 1, 1, count}), {1, count});
  };
  Attended all(
      k.loop(splits, Attended::none(k, 1, width).tiles(), [&](Index s, std::vector<Tile> before) {
        return Attended(before)
            .with({load(values, s, width), load(top, s, 1), load(weight, s, 1)})
            .tiles();
      }));
  p.store(reshape(all.values / all.weight, {1, 1, width}));
}
void attentionCombine64(Kernel &k) { combine<64>(k); }
void attentionCombine128(Kernel &k) { combine<128>(k); }

} // namespace imbrex::kernels
