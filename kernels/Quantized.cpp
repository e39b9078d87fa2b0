// Products with weights of 4, 5, 6 and 8 bits, whose values are scale * q + least by blocks along
// k.
//
// Weights lie in panels of 32 columns, as a target's products want them: a word is 4 neighbours in
// k of one column, a block of 32 in k is 8 words, and a word of each column makes a line of 128
// numbers: [.., words, 32 columns x 4]. They are unsigned: q of a format with a sign is moved up,
// and `least` says by how much. Activations are quantized to signed bytes by block, so the sums
// within a block are whole numbers and exact; blocks are added in ascending k.
//
//   c[m, n] = sum(b) sa[m, b] * scale[b, n] * sum(k in b) qa[m, k] (q[k, n] - offset)
//           + least[b, n] * sa[m, b] * sum(k in b) qa[m, k]
//
// A format has an offset, which the whole numbers begin with, or least values.
#include "kernels/Library.h"

#include <optional>

namespace imbrex::kernels {

using namespace edsl;

constexpr DType f32 = DType::F32, f16 = DType::F16, u8 = DType::U8, i8 = DType::I8,
                i32 = DType::I32;
constexpr int64_t kBlock = 32, kPanel = 32, kWord = 4, kLine = kPanel * kWord, kWords = 8;
constexpr int64_t kMost = 1 << 24;

/// qa[b, m, k], sa[b, m], and sums of each block's qa and of its first half: qa is x * (1 / sa),
/// rounded, sa such that the block's greatest magnitude is 127. Blocks first, so that the rows of a
/// block lie side by side.
void quantizeRows(Kernel &k) {
  constexpr int64_t kBlocks = 8;
  Size m = k.size("m"), blocks = k.size("blocks", {.most = kMost});
  Input x = k.input("x", f32, {m, blocks, kBlock});
  Output bytes = k.output("bytes", i8, {blocks, m, kBlock}),
         scales = k.output("scales", f32, {blocks, m, 1}),
         totals = k.output("totals", i32, {blocks, m, 1}),
         firsts = k.output("firsts", i32, {blocks, m, 1});
  const Shape one{kBlocks, 1, 1};
  Piece p = k.own(bytes, {kBlocks, 1, kBlock}), s = k.own(scales, one), t = k.own(totals, one),
        f = k.own(firsts, one);
  Tile v = reshape(x.load({p[1], p[0], 0}, {1, kBlocks, kBlock}), {kBlocks, kBlock});
  Tile most = maximumOf(abs(v), 1, Keep::Yes);
  Tile inverse = select(less(1e-36, most), 127 / most, 0); // of less, it would be infinite
  Tile q = cast(roundEven(v * inverse), i32);
  p.store(reshape(cast(q, i8), {kBlocks, 1, kBlock}));
  s.store(reshape(most / 127, one));
  Tile halves = sum(reshape(q, {kBlocks, 2, kBlock / 2}), 2);
  Tile first = slice(halves, {0, 0}, {kBlocks, 1}), second = slice(halves, {0, 1}, {kBlocks, 1});
  t.store(reshape(first + second, one));
  f.store(reshape(first, one));
}

namespace {

/// What a block of the kernel computes: for prompts, and for one token at a time. Weights that are
/// used as they lie stream from memory better in several panels side by side.
struct Part {
  int64_t rows, panels;
};
constexpr Part kMany{128, 1}, kOne{1, 1}, kOneWide{1, 4};

/// Sums of the activations' bytes over a block, or one of its halves.
enum class Over : uint8_t { Block, First, Second };

/// Whether a load asks for what comes next.
enum class Fetch : uint8_t { Here, Ahead };

/// What all kinds of weights share: the activations, and the sum over the blocks.
struct Quantized {
  Kernel &k;
  Part part;
  Size m, panels, blocks;
  Input bytes, scales, totals, firsts; // firsts: for kinds whose halves have a scale each
  Output c;

  Quantized(Kernel &k, Part part)
      : k(k), part(part), m(k.size("m")), panels(k.size("panels", {.most = kMost})),
        blocks(k.size("blocks", {.most = kMost})), bytes(k.input("bytes", i8, {blocks, m, kBlock})),
        scales(k.input("scales", f32, {blocks, m, 1})),
        totals(k.input("totals", i32, {blocks, m, 1})), firsts(totals),
        c(k.output("c", f32, {m, panels, kPanel})) {}

  int64_t columns() const { return part.panels * kPanel; }

  /// Stores the sum over the blocks b, to which `add` adds a block's terms.
  void sum(const std::function<Tile(const Tile &sum, Index row, Index panel, Index b)> &add) {
    Piece p = k.own(c, {part.rows, part.panels, kPanel});
    Tile total = k.loop(blocks, k.zeros(f32, {part.rows, columns()}),
                        [&](Index b, Tile sum) { return add(sum, p[0], p[1], b); });
    p.store(reshape(total, {part.rows, part.panels, kPanel}));
  }
  Tile column(const Input &of, const Index &row, const Index &b) {
    return reshape(of.load({b, row, 0}, {1, part.rows, 1}), {part.rows, 1});
  }
  Tile scaleOf(const Index &row, const Index &b) { return column(scales, row, b); }
  Tile totalOf(const Index &row, const Index &b, Over over) {
    Tile first = column(over == Over::Block ? totals : firsts, row, b);
    return over == Over::Second ? column(totals, row, b) - first : first;
  }
  /// Exact sums of products over a block or a half of it, with what is subtracted from each weight.
  Tile product(const Index &row, const Index &b, const Tile &weights, Over over, int64_t offset) {
    const int64_t words = weights.shape()[1], inner = words * kWord;
    Tile a = slice(reshape(bytes.load({b, row, 0}, {1, part.rows, kBlock}), {part.rows, kBlock}),
                   {0, over == Over::Second ? inner : 0}, {part.rows, inner});
    Tile right =
        edsl::transpose(reshape(weights, {part.panels, words, kPanel, kWord}), {1, 3, 0, 2});
    const Shape shape{part.rows, columns()};
    Tile start = offset ? broadcast(totalOf(row, b, over) * -offset, shape) : k.zeros(i32, shape);
    return cast(mma(a, reshape(right, {inner, columns()}), start), f32);
  }
  /// A tile of the weights' views, of block b. The first time it asks for that of blocks to come.
  Tile weights(const Input &of, const Place &place, const Shape &shape, Fetch fetch) const {
    return fetch == Fetch::Ahead ? of.loadAhead(place, shape, 1) : of.load(place, shape);
  }
  /// Lines of a view, and the panels' numbers of a block.
  Tile lines(const Input &of, const Index &panel, const Index &b, int64_t count,
             Fetch fetch) const {
    return reshape(weights(of, {panel, b, 0, 0}, {part.panels, 1, count, kLine}, fetch),
                   {part.panels, count, kLine});
  }
  Tile line(const Tile &of, int64_t at) const {
    return slice(of, {0, at, 0}, {part.panels, 1, kLine});
  }
  Tile row(const Input &of, const Index &panel, const Index &b, Fetch fetch) const {
    return cast(
        reshape(weights(of, {panel, b, 0}, {part.panels, 1, kPanel}, fetch), {1, columns()}), f32);
  }
  /// Word w of a block by its four low bits: line w of 4 has word w's in its low halves and word
  /// w + 4's in its high ones.
  Tile nibbles(const Tile &packed, int64_t w) const {
    return w < 4 ? line(packed, w) & 15 : line(packed, w - 4) >> 4;
  }
};

} // namespace

/// Bits `from`, … of a byte as bits `to`, …; others are to be cut off with &.
static Tile moved(const Tile &bytes, int64_t from, int64_t to) {
  return from > to ? bytes >> (from - to) : from < to ? bytes << (to - from) : bytes;
}

/// q from 0 to 15, or to 31 with `high`, whose bit w of a byte belongs to word w. Without an offset
/// there are least values.
static void fewBits(Kernel &k, Part part, bool fifthBit, std::optional<int64_t> offset) {
  Quantized g(k, part);
  Input q = k.input("q", u8, {g.panels, g.blocks, 4, kLine});
  Input high = fifthBit ? k.input("high", u8, {g.panels, g.blocks, 1, kLine}) : q;
  Input scale = k.input("scale", f16, {g.panels, g.blocks, kPanel});
  Input least = offset ? scale : k.input("least", f16, {g.panels, g.blocks, kPanel});
  g.sum([&](const Tile &sum, const Index &row, const Index &panel, const Index &b) {
    Tile first = g.lines(q, panel, b, 4, Fetch::Ahead),
         again = g.lines(q, panel, b, 4, Fetch::Here);
    std::vector<Tile> words;
    for (int64_t w = 0; w < kWords; ++w) {
      words.push_back(g.nibbles(w < 4 ? first : again, w));
      if (fifthBit) {
        Tile bits = g.lines(high, panel, b, 1, w ? Fetch::Here : Fetch::Ahead);
        words.back() = words.back() | (moved(bits, w, 4) & 16);
      }
    }
    Tile sa = g.scaleOf(row, b), s = g.row(scale, panel, b, Fetch::Ahead);
    Tile exact = g.product(row, b, concat(words, 1), Over::Block, offset.value_or(0));
    if (offset)
      return fma(sa * exact, s, sum);
    Tile total = sa * cast(g.totalOf(row, b, Over::Block), f32);
    return fma(sa * exact, s, fma(total, g.row(least, panel, b, Fetch::Ahead), sum));
  });
}

/// Q8_0: q from 1 to 255, moved up by 128
static void eightBits(Kernel &k, Part part) {
  Quantized g(k, part);
  Input q = k.input("q", u8, {g.panels, g.blocks, kWords, kLine}),
        scale = k.input("scale", f16, {g.panels, g.blocks, kPanel});
  g.sum([&](const Tile &sum, const Index &row, const Index &panel, const Index &b) {
    Tile exact = g.product(row, b, g.lines(q, panel, b, kWords, Fetch::Ahead), Over::Block, 128);
    return fma(g.scaleOf(row, b) * exact, g.row(scale, panel, b, Fetch::Ahead), sum);
  });
}

/// Q6_K: q from 0 to 63, moved up by 32; a scale for each half of a block. Line i of `high` has two
/// bits each of words i, i + 2, i + 4 and i + 6, the lowest first.
static void sixBits(Kernel &k, Part part) {
  Quantized g(k, part);
  g.firsts = k.input("firsts", i32, {g.blocks, g.m, 1});
  Input q = k.input("q", u8, {g.panels, g.blocks, 4, kLine}),
        high = k.input("high", u8, {g.panels, g.blocks, 2, kLine}),
        scale = k.input("scale", f16, {g.panels, g.blocks * Size(2), kPanel});
  g.sum([&](const Tile &sum, const Index &row, const Index &panel, const Index &b) {
    Tile packed = g.lines(q, panel, b, 4, Fetch::Here),
         bits = g.lines(high, panel, b, 2, Fetch::Here);
    const auto half = [&](const Tile &sum, int64_t which) {
      std::vector<Tile> words;
      for (int64_t w = which * 4; w < which * 4 + 4; ++w)
        words.push_back(g.nibbles(packed, w) | (moved(g.line(bits, w % 2), w / 2 * 2, 4) & 48));
      Tile exact = g.product(row, b, concat(words, 1), which ? Over::Second : Over::First, 32);
      return fma(g.scaleOf(row, b) * exact, g.row(scale, panel, b * 2 + which, Fetch::Here), sum);
    };
    return half(half(sum, 0), 1);
  });
}

// Q4_0 and Q5_0 have a sign; Q4_1, Q5_1, Q4_K and Q5_K have least values.
void matmulQ4(Kernel &k) { fewBits(k, kMany, false, 8); }
void matmulQ4Least(Kernel &k) { fewBits(k, kMany, false, {}); }
void matmulQ5(Kernel &k) { fewBits(k, kMany, true, 16); }
void matmulQ5Least(Kernel &k) { fewBits(k, kMany, true, {}); }
void matmulQ6(Kernel &k) { sixBits(k, kMany); }
void matmulQ8(Kernel &k) { eightBits(k, kMany); }
void matvecQ4(Kernel &k) { fewBits(k, kOne, false, 8); }
void matvecQ4Least(Kernel &k) { fewBits(k, kOne, false, {}); }
void matvecQ5(Kernel &k) { fewBits(k, kOne, true, 16); }
void matvecQ5Least(Kernel &k) { fewBits(k, kOne, true, {}); }
void matvecQ6(Kernel &k) { sixBits(k, kOne); }
void matvecQ8(Kernel &k) { eightBits(k, kOneWide); }

} // namespace imbrex::kernels
