// Products with weights of 4, 5, 6 and 8 bits, whose values are scale * q + least by blocks along
// k.
//
// Weights lie in panels of 32 columns, as a target's products want them: a word is 4 neighbours in
// k of one column, a block of 32 in k is 8 words, and a word of each column makes a line of 128
// numbers: [.., words, 32 columns x 4]. They are unsigned: q of a format with a sign is moved up,
// and `least` says by how much. Activations are quantized to signed bytes by block, so the sums
// within a block are whole numbers and exact; blocks are added in ascending k.
//
//   c[m, n] = sum(b) scale[b, n] * (sa[m, b] * sum(k in b) qa[m, k] q[k, n]) + least[b, n] *
//   total[m, b] total[m, b] = sa[m, b] * sum(k in b) qa[m, k]
#include "kernels/Library.h"

#include <optional>

namespace imbrex::kernels {

using namespace edsl;

constexpr DType f32 = DType::F32, f16 = DType::F16, u8 = DType::U8, i8 = DType::I8,
                i32 = DType::I32;
constexpr int64_t kBlock = 32, kPanel = 32, kWord = 4, kLine = kPanel * kWord, kWords = 8;
constexpr int64_t kMost = 1 << 24;

/// qa[m, k], sa[m, b], and the totals of both halves of each block: qa is nearest to x / sa, sa
/// such that the block's greatest magnitude is 127
void quantizeRows(Kernel &k) {
  Size m = k.size("m"), blocks = k.size("blocks", {.most = kMost});
  Input x = k.input("x", f32, {m, blocks, kBlock});
  Output bytes = k.output("bytes", i8, {m, blocks, kBlock});
  Output scales = k.output("scales", f32, {m, blocks, 1}),
         totals = k.output("totals", f32, {m, blocks, 2});
  Piece p = k.own(bytes, {1, 1, kBlock}), s = k.own(scales, {1, 1, 1}),
        t = k.own(totals, {1, 1, 2});
  Tile v = reshape(x.load(p), {1, kBlock});
  Tile scale = maximumOf(abs(v), 1, Keep::Yes) / 127;
  Tile whole = roundEven(v / select(less(0, scale), scale, 1));
  Tile q = cast(minimum(maximum(whole, -127), 127), i32);
  p.store(reshape(cast(q, i8), {1, 1, kBlock}));
  s.store(reshape(scale, {1, 1, 1}));
  Tile halves = cast(sum(reshape(q, {2, kBlock / 2}), 1), f32);
  t.store(reshape(halves, {1, 1, 2}) * reshape(scale, {1, 1, 1}));
}

namespace {

/// Rows that a block of the kernel computes: for prompts, and for one token at a time.
enum class Rows : int64_t { Many = 16, One = 1 };

/// What all kinds of weights share: the activations, and the sum over the blocks.
struct Quantized {
  Kernel &k;
  int64_t rows;
  Size m, panels, blocks;
  Input bytes, scales, totals;
  Output c;

  Quantized(Kernel &k, Rows rows)
      : k(k), rows(static_cast<int64_t>(rows)), m(k.size("m")),
        panels(k.size("panels", {.most = kMost})), blocks(k.size("blocks", {.most = kMost})),
        bytes(k.input("bytes", i8, {m, blocks, kBlock})),
        scales(k.input("scales", f32, {m, blocks, 1})),
        totals(k.input("totals", f32, {m, blocks, 2})), c(k.output("c", f32, {m, panels, kPanel})) {
  }

  /// Stores the sum over the blocks b of what `of` makes of the rows and the panel.
  void sum(const std::function<Tile(Index row, Index panel, Index b)> &of) {
    Piece p = k.own(c, {rows, 1, kPanel});
    Tile total = k.loop(blocks, k.zeros(f32, {rows, kPanel}),
                        [&](Index b, Tile sum) { return sum + of(p[0], p[1], b); });
    p.store(reshape(total, {rows, 1, kPanel}));
  }
  Tile scaleOf(const Index &row, const Index &b) {
    return reshape(scales.load({row, b, 0}, {rows, 1, 1}), {rows, 1});
  }
  Tile totalOf(const Index &row, const Index &b) {
    Tile halves = reshape(totals.load({row, b, 0}, {rows, 1, 2}), {rows, 2});
    return slice(halves, {0, 0}, {rows, 1}) + slice(halves, {0, 1}, {rows, 1});
  }
  Tile totalOf(const Index &row, const Index &b, int64_t half) {
    return slice(reshape(totals.load({row, b, 0}, {rows, 1, 2}), {rows, 2}), {0, half}, {rows, 1});
  }
  /// Exact sums of products over a part of a block: words from word `first` on, of weights
  /// [words, line].
  Tile product(const Index &row, const Index &b, const Tile &weights, int64_t first = 0) {
    const int64_t words = weights.shape()[0], inner = words * kWord;
    Tile a = slice(reshape(bytes.load({row, b, 0}, {rows, 1, kBlock}), {rows, kBlock}),
                   {0, first * kWord}, {rows, inner});
    Tile right = edsl::transpose(reshape(weights, {words, kPanel, kWord}), {0, 2, 1});
    return cast(mma(a, reshape(right, {inner, kPanel}), k.zeros(i32, {rows, kPanel})), f32);
  }
  /// Lines of a view, and the panel's numbers of a block.
  static Tile lines(const Input &of, const Index &panel, const Index &b, int64_t count) {
    return reshape(of.load({panel, b, 0, 0}, {1, 1, count, kLine}), {count, kLine});
  }
  static Tile row(const Input &of, const Index &panel, const Index &b) {
    return cast(reshape(of.load({panel, b, 0}, {1, 1, kPanel}), {1, kPanel}), f32);
  }
};

/// Where the least value of a block's weights comes from: a view, or the format: -offset * scale.
struct Least {
  std::optional<double> offset;
};

} // namespace

/// Bits `from`, … of a byte as bits `to`, …; others are to be cut off with &.
static Tile moved(const Tile &bytes, int64_t from, int64_t to) {
  return from > to ? bytes >> (from - to) : from < to ? bytes << (to - from) : bytes;
}

/// Word w of a block by its four low bits: line w of 4 has word w's in its low halves and word
/// w + 4's in its high ones.
static Tile nibbles(const Tile &packed, int64_t w) {
  Tile line = slice(packed, {w % 4, 0}, {1, kLine});
  return w < 4 ? line & 15 : line >> 4;
}

/// Terms of one block, or half of one.
static Tile terms(const Tile &exact, const Tile &activationScale, const Tile &total,
                  const Tile &scale, const Tile &least) {
  return scale * (activationScale * exact) + least * total;
}

/// q from 0 to 15, or to 31 with `high`, whose bit w of a byte belongs to word w.
static void fewBits(Kernel &k, Rows rows, bool fifthBit, Least format) {
  Quantized g(k, rows);
  Input q = k.input("q", u8, {g.panels, g.blocks, 4, kLine});
  Input high = fifthBit ? k.input("high", u8, {g.panels, g.blocks, 1, kLine}) : q;
  Input scale = k.input("scale", f16, {g.panels, g.blocks, kPanel});
  Input least = format.offset ? scale : k.input("least", f16, {g.panels, g.blocks, kPanel});
  g.sum([&](const Index &row, const Index &panel, const Index &b) {
    Tile packed = g.lines(q, panel, b, 4);
    std::vector<Tile> words;
    for (int64_t w = 0; w < kWords; ++w) {
      words.push_back(nibbles(packed, w));
      if (fifthBit)
        words.back() = words.back() | (moved(g.lines(high, panel, b, 1), w, 4) & 16);
    }
    Tile s = g.row(scale, panel, b);
    Tile low = format.offset ? s * -*format.offset : g.row(least, panel, b);
    return terms(g.product(row, b, concat(words, 0)), g.scaleOf(row, b), g.totalOf(row, b), s, low);
  });
}

/// Q8_0: q from 1 to 255, moved up by 128
static void eightBits(Kernel &k, Rows rows) {
  Quantized g(k, rows);
  Input q = k.input("q", u8, {g.panels, g.blocks, kWords, kLine}),
        scale = k.input("scale", f16, {g.panels, g.blocks, kPanel});
  g.sum([&](const Index &row, const Index &panel, const Index &b) {
    Tile s = g.row(scale, panel, b);
    return terms(g.product(row, b, g.lines(q, panel, b, kWords)), g.scaleOf(row, b),
                 g.totalOf(row, b), s, s * -128);
  });
}

/// Q6_K: q from 0 to 63, moved up by 32; a scale for each half of a block. Line i of `high` has two
/// bits each of words i, i + 2, i + 4 and i + 6, the lowest first.
static void sixBits(Kernel &k, Rows rows) {
  Quantized g(k, rows);
  Input q = k.input("q", u8, {g.panels, g.blocks, 4, kLine}),
        high = k.input("high", u8, {g.panels, g.blocks, 2, kLine}),
        scale = k.input("scale", f16, {g.panels, g.blocks * Size(2), kPanel});
  g.sum([&](const Index &row, const Index &panel, const Index &b) {
    Tile packed = g.lines(q, panel, b, 4), bits = g.lines(high, panel, b, 2);
    const auto half = [&](int64_t which) {
      std::vector<Tile> words;
      for (int64_t w = which * 4; w < which * 4 + 4; ++w)
        words.push_back(nibbles(packed, w) |
                        (moved(slice(bits, {w % 2, 0}, {1, kLine}), w / 2 * 2, 4) & 48));
      Tile s = g.row(scale, panel, b * 2 + which);
      return terms(g.product(row, b, concat(words, 0), which * 4), g.scaleOf(row, b),
                   g.totalOf(row, b, which), s, s * -32);
    };
    return half(0) + half(1);
  });
}

// Q4_0 and Q5_0 have a sign; Q4_1, Q5_1, Q4_K and Q5_K have least values.
void matmulQ4(Kernel &k) { fewBits(k, Rows::Many, false, {8}); }
void matmulQ4Least(Kernel &k) { fewBits(k, Rows::Many, false, {}); }
void matmulQ5(Kernel &k) { fewBits(k, Rows::Many, true, {16}); }
void matmulQ5Least(Kernel &k) { fewBits(k, Rows::Many, true, {}); }
void matmulQ6(Kernel &k) { sixBits(k, Rows::Many); }
void matmulQ8(Kernel &k) { eightBits(k, Rows::Many); }
void matvecQ4(Kernel &k) { fewBits(k, Rows::One, false, {8}); }
void matvecQ4Least(Kernel &k) { fewBits(k, Rows::One, false, {}); }
void matvecQ5(Kernel &k) { fewBits(k, Rows::One, true, {16}); }
void matvecQ5Least(Kernel &k) { fewBits(k, Rows::One, true, {}); }
void matvecQ6(Kernel &k) { sixBits(k, Rows::One); }
void matvecQ8(Kernel &k) { eightBits(k, Rows::One); }

} // namespace imbrex::kernels
