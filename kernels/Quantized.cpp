// Products with weights of 4, 5, 6 and 8 bits, whose values are scale * q + least by blocks along
// k.
//
// Weights lie in panels of 32 columns, as a target's products want them: a word is 4 neighbours in
// k of one column, a block of 32 in k is 8 words. Activations are quantized to bytes by block, so
// the sums within a block are whole numbers and exact; blocks are added in ascending k.
//
//   c[m, n] = sum(b) sa[m, b] * (scale[b, n] * (sum(k in b) qa[m, k] q[k, n]) + least[b, n] * sum(k
//   in b) qa[m, k])
//
// Activation bytes are stored as qa + 128, without sign. `sums` has what that adds: sum(k in b) q.
#include "kernels/Library.h"

namespace imbrex::kernels {

using namespace edsl;

constexpr DType f32 = DType::F32, u8 = DType::U8, i8 = DType::I8, i16 = DType::I16,
                i32 = DType::I32;
constexpr int64_t kBlock = 32, kPanel = 32, kWord = 4, kRows = 16;
constexpr int64_t kMost = 1 << 24;

/// qa[m, k] + 128, sa[m, b] and sum(k in b) qa * sa: the bytes nearest to x / sa, sa such that the
/// block's greatest magnitude is 127
void quantizeRows(Kernel &k) {
  Size m = k.size("m"), blocks = k.size("blocks", {.most = kMost});
  Input x = k.input("x", f32, {m, blocks, kBlock});
  Output bytes = k.output("bytes", u8, {m, blocks, kBlock});
  Output scales = k.output("scales", f32, {m, blocks, 1}),
         sums = k.output("sums", f32, {m, blocks, 1});
  Piece p = k.own(bytes, {1, 1, kBlock}), s = k.own(scales, {1, 1, 1}), t = k.own(sums, {1, 1, 1});
  Tile v = reshape(x.load(p), {1, kBlock});
  Tile scale = maximumOf(abs(v), 1, Keep::Yes) / 127;
  Tile whole = roundEven(v / select(less(0, scale), scale, 1));
  Tile q = cast(minimum(maximum(whole, -127), 127), i32);
  p.store(reshape(cast(q + 128, u8), {1, 1, kBlock}));
  s.store(reshape(scale, {1, 1, 1}));
  t.store(reshape(cast(sum(q, 1, Keep::Yes), f32) * scale, {1, 1, 1}));
}

namespace {

/// What all kinds of weights share: the activations, and the sum over the blocks.
struct Quantized {
  Kernel &k;
  Size m, panels, blocks;
  Input bytes, scales;
  Output c;

  explicit Quantized(Kernel &k)
      : k(k), m(k.size("m")), panels(k.size("panels", {.most = kMost})),
        blocks(k.size("blocks", {.most = kMost})), bytes(k.input("bytes", u8, {m, blocks, kBlock})),
        scales(k.input("scales", f32, {m, blocks, 1})), c(k.output("c", f32, {m, panels, kPanel})) {
  }

  /// Stores the sum over the blocks b of what `of` makes of the rows and the panel.
  void sum(const std::function<Tile(Index row, Index panel, Index b)> &of) {
    Piece p = k.own(c, {kRows, 1, kPanel});
    Tile total = k.loop(blocks, k.zeros(f32, {kRows, kPanel}),
                        [&](Index b, Tile sum) { return sum + of(p[0], p[1], b); });
    p.store(reshape(total, {kRows, 1, kPanel}));
  }
  Tile scaleOf(const Index &row, const Index &b) {
    return reshape(scales.load({row, b, 0}, {kRows, 1, 1}), {kRows, 1});
  }
  /// Exact sums of products over a part of a block: `words` from word `first` on, of weights
  /// [words, 32, 4].
  Tile product(const Index &row, const Index &b, const Tile &weights, const Tile &offsets,
               int64_t first = 0) {
    const int64_t words = weights.shape()[0], inner = words * kWord;
    Tile a = slice(reshape(bytes.load({row, b, 0}, {kRows, 1, kBlock}), {kRows, kBlock}),
                   {0, first * kWord}, {kRows, inner});
    Tile right = reshape(edsl::transpose(weights, {0, 2, 1}), {inner, kPanel});
    Tile start = broadcast(cast(offsets, i32) * -128, {kRows, kPanel});
    return cast(mma(a, right, start), f32);
  }
  /// The panel's numbers of block b.
  static Tile row(const Input &of, const Index &panel, const Index &b) {
    return reshape(of.load({panel, b, 0}, {1, 1, kPanel}), {1, kPanel});
  }
};

} // namespace

/// Eight bits: q signed, least 0 (Q8_0)
void matmulQ8(Kernel &k) {
  Quantized g(k);
  Input q = k.input("q", i8, {g.panels, g.blocks, 8, kPanel, kWord}),
        scale = k.input("scale", DType::F16, {g.panels, g.blocks, kPanel}),
        sums = k.input("sums", i16, {g.panels, g.blocks, kPanel});
  g.sum([&](const Index &row, const Index &panel, const Index &b) {
    Tile weights =
        reshape(q.load({panel, b, 0, 0, 0}, {1, 1, 8, kPanel, kWord}), {8, kPanel, kWord});
    Tile exact = g.product(row, b, weights, g.row(sums, panel, b));
    return exact * (g.scaleOf(row, b) * cast(g.row(scale, panel, b), f32));
  });
}

/// The words of a block from their four low bits: byte [w, n, i] has word w's in its low half and
/// word w + 4's in its high half.
static Tile nibbles(const Input &q, const Index &panel, const Index &b) {
  Tile packed = reshape(q.load({panel, b, 0, 0, 0}, {1, 1, 4, kPanel, kWord}), {4, kPanel, kWord});
  return concat({packed & 15, packed >> 4}, 0);
}

/// The terms of kinds with a least value: the activations' sums times it.
static Tile affine(Quantized &g, const Tile &exact, const Tile &scale, const Tile &least,
                   const Tile &activationSums, const Index &row, const Index &b) {
  return exact * (g.scaleOf(row, b) * scale) + activationSums * least;
}

template <bool fifthBit> static void matmulFewBits(Kernel &k) {
  Quantized g(k);
  Input totals = k.input("totals", f32, {g.m, g.blocks, 1});
  Input q = k.input("q", u8, {g.panels, g.blocks, 4, kPanel, kWord});
  Input high = fifthBit ? k.input("high", u8, {g.panels, g.blocks, 1, kPanel, kWord}) : q;
  Input scale = k.input("scale", f32, {g.panels, g.blocks, kPanel}),
        least = k.input("least", f32, {g.panels, g.blocks, kPanel}),
        sums = k.input("sums", i16, {g.panels, g.blocks, kPanel});
  g.sum([&](const Index &row, const Index &panel, const Index &b) {
    Tile weights = nibbles(q, panel, b);
    if (fifthBit) {
      // Bit w of byte [n, i] belongs to word w.
      Tile bits =
          reshape(high.load({panel, b, 0, 0, 0}, {1, 1, 1, kPanel, kWord}), {1, kPanel, kWord});
      std::vector<Tile> words;
      for (int64_t w = 0; w < 8; ++w)
        words.push_back(((bits >> w) & 1) << 4);
      weights = weights | concat(words, 0);
    }
    Tile exact = g.product(row, b, cast(weights, i8), g.row(sums, panel, b));
    Tile total = reshape(totals.load({row, b, 0}, {kRows, 1, 1}), {kRows, 1});
    return affine(g, exact, g.row(scale, panel, b), g.row(least, panel, b), total, row, b);
  });
}

/// Four bits: q from 0 to 15 (Q4_0, Q4_1, Q4_K)
void matmulQ4(Kernel &k) { matmulFewBits<false>(k); }
/// Five bits: q from 0 to 31 (Q5_0, Q5_1, Q5_K)
void matmulQ5(Kernel &k) { matmulFewBits<true>(k); }

/// Six bits: q from -32 to 31, least 0, two scales a block (Q6_K)
void matmulQ6(Kernel &k) {
  Quantized g(k);
  Input q = k.input("q", u8, {g.panels, g.blocks, 4, kPanel, kWord}),
        high = k.input("high", u8, {g.panels, g.blocks, 2, kPanel, kWord});
  Input scale = k.input("scale", f32, {g.panels, g.blocks * Size(2), kPanel}),
        sums = k.input("sums", i16, {g.panels, g.blocks * Size(2), kPanel});
  g.sum([&](const Index &row, const Index &panel, const Index &b) {
    // Two bits each: byte [i, n, j] has those of words i, i + 2, i + 4 and i + 6, the lowest first.
    Tile bits =
        reshape(high.load({panel, b, 0, 0, 0}, {1, 1, 2, kPanel, kWord}), {2, kPanel, kWord});
    std::vector<Tile> words;
    for (int64_t w = 0; w < 4; ++w)
      words.push_back(((bits >> (2 * w)) & 3) << 4);
    Tile weights = cast(nibbles(q, panel, b) | concat(words, 0), i8) - 32;
    std::optional<Tile> total;
    for (int64_t half = 0; half < 2; ++half) {
      Index at = b * 2 + half;
      Tile part = slice(weights, {half * 4, 0, 0}, {4, kPanel, kWord});
      Tile exact = g.product(row, b, part, g.row(sums, panel, at), half * 4);
      Tile value = exact * (g.scaleOf(row, b) * g.row(scale, panel, at));
      total = total ? *total + value : value;
    }
    return *total;
  });
}

} // namespace imbrex::kernels
