#include "bench/micro/kernels/Blocks.h"

#include "support/DType.h"

#include <cstring>

namespace imbrex::bench {

const std::vector<Format> &formats() {
  static const std::vector<Format> all{
      {"Q8_0", 8, "q8", 32, 34, 32}, {"Q6_K", 14, "q6", 256, 210, 16},
      {"Q5_0", 6, "q5", 32, 22, 32}, {"Q5_K", 13, "q5_least", 256, 176, 32},
      {"Q4_0", 2, "q4", 32, 18, 32}, {"Q4_K", 12, "q4_least", 256, 144, 32}};
  return all;
}

const Format &bf16() {
  static const Format format{"BF16", 30, "bf16_weights", 1, 2, 1};
  return format;
}

std::vector<uint16_t> bf16Panels(int64_t n, int64_t k, const uint8_t *rows) {
  std::vector<uint16_t> out(static_cast<size_t>(n * k));
  for (int64_t column = 0; column < n; ++column)
    for (int64_t i = 0; i < k; ++i)
      std::memcpy(
          &out[static_cast<size_t>(((column / 32 * k + i / 2 * 2) * 32 + column % 32 * 2) + i % 2)],
          rows + (column * k + i) * 2, 2);
  return out;
}

namespace {

float half(const uint8_t *at) {
  uint16_t bits;
  std::memcpy(&bits, at, 2);
  return halfToFloat(bits);
}

/// Where the numbers of one block go.
struct Out {
  uint8_t *q;
  float *scale, *least;
};

void eightBits(const uint8_t *b, const Out &o) {
  *o.scale = half(b);
  *o.least = -128 * *o.scale;
  for (int i = 0; i < 32; ++i)
    o.q[i] = static_cast<uint8_t>(static_cast<int8_t>(b[2 + i]) + 128);
}

/// Low halves of the bytes first; with `fifth` the four bytes before them hold one bit more each.
void fewBits(const uint8_t *b, const Out &o, bool fifth) {
  *o.scale = half(b);
  *o.least = (fifth ? -16 : -8) * *o.scale;
  uint32_t high = 0;
  if (fifth)
    std::memcpy(&high, b + 2, 4);
  const uint8_t *low = b + (fifth ? 6 : 2);
  for (int i = 0; i < 32; ++i)
    o.q[i] = static_cast<uint8_t>((i < 16 ? low[i] & 15 : low[i - 16] >> 4) | (high >> i & 1) << 4);
}

/// 256 numbers in 8 parts, whose scales and least values have six bits each.
void parts(const uint8_t *b, const Out &o, bool fifth) {
  const uint8_t *six = b + 4, *bits = b + 16, *low = b + (fifth ? 48 : 16);
  for (int p = 0; p < 8; ++p) {
    const int scale = p < 4 ? six[p] & 63 : (six[p + 4] & 15) | six[p - 4] >> 6 << 4;
    const int least = p < 4 ? six[p + 4] & 63 : six[p + 4] >> 4 | six[p] >> 6 << 4;
    o.scale[p] = half(b) * static_cast<float>(scale);
    o.least[p] = -half(b + 2) * static_cast<float>(least);
    for (int i = 0; i < 32; ++i) {
      const uint8_t byte = low[p / 2 * 32 + i];
      const int more = fifth ? (bits[i] >> p & 1) << 4 : 0;
      o.q[p * 32 + i] = static_cast<uint8_t>((p % 2 ? byte >> 4 : byte & 15) | more);
    }
  }
}

/// 256 numbers, a scale of eight bits for each 16.
void sixBits(const uint8_t *b, const Out &o) {
  for (int i = 0; i < 256; ++i) {
    const int half = i / 128, quarter = i % 128 / 32, at = i % 32;
    const uint8_t low = b[half * 64 + quarter % 2 * 32 + at], high = b[128 + half * 32 + at];
    o.q[i] = static_cast<uint8_t>((quarter < 2 ? low & 15 : low >> 4) | (high >> (2 * quarter) & 3)
                                                                            << 4);
  }
  for (int s = 0; s < 16; ++s) {
    o.scale[s] = half(b + 208) * static_cast<float>(static_cast<int8_t>(b[192 + s]));
    o.least[s] = -32 * o.scale[s];
  }
}

void decode(const Format &f, const uint8_t *b, const Out &o) {
  switch (f.type) {
  case 8:
    return eightBits(b, o);
  case 14:
    return sixBits(b, o);
  case 6:
    return fewBits(b, o, true);
  case 2:
    return fewBits(b, o, false);
  case 13:
    return parts(b, o, true);
  default:
    return parts(b, o, false);
  }
}

} // namespace

Weights::Weights(const Format &format, int64_t n, int64_t k, const uint8_t *blocks)
    : format(&format), n(n), k(k), q(static_cast<size_t>(n * k)),
      scale(static_cast<size_t>(n * k / format.perScale)), least(scale.size()) {
  for (int64_t i = 0; i < n * k / format.elems; ++i) {
    const auto first = static_cast<size_t>(i * format.elems),
               part = static_cast<size_t>(i * format.elems / format.perScale);
    decode(format, blocks + i * format.bytes, {&q[first], &scale[part], &least[part]});
  }
}

template <class Of> std::vector<uint8_t> Weights::lines(int64_t count, Of of) const {
  std::vector<uint8_t> out;
  out.reserve(static_cast<size_t>(n * k / 32 * count * 4));
  for (int64_t p = 0; p < n / 32; ++p)
    for (int64_t b = 0; b < k / 32; ++b)
      for (int64_t line = 0; line < count; ++line)
        for (int64_t column = p * 32; column < p * 32 + 32; ++column)
          for (int64_t byte = 0; byte < 4; ++byte)
            out.push_back(static_cast<uint8_t>(
                of(line, [&](int64_t word) { return at(column, b, word, byte); })));
  return out;
}

std::vector<uint8_t> Weights::quants() const {
  if (format->type == 8)
    return lines(8, [](int64_t line, auto word) { return word(line); });
  return lines(
      4, [](int64_t line, auto word) { return (word(line) & 15) | (word(line + 4) & 15) << 4; });
}

std::vector<uint8_t> Weights::high() const {
  if (format->type == 14)
    return lines(2, [](int64_t line, auto word) {
      int bits = 0;
      for (int64_t i = 0; i < 4; ++i)
        bits |= (word(line + 2 * i) >> 4 & 3) << (2 * i);
      return bits;
    });
  if (format->type != 6 && format->type != 13)
    return {};
  return lines(1, [](int64_t, auto word) {
    int bits = 0;
    for (int64_t w = 0; w < 8; ++w)
      bits |= (word(w) >> 4 & 1) << w;
    return bits;
  });
}

std::vector<uint16_t> Weights::byPanel(const std::vector<float> &numbers) const {
  std::vector<uint16_t> out;
  const int64_t each = k / format->perScale;
  for (int64_t p = 0; p < n / 32; ++p)
    for (int64_t s = 0; s < each; ++s)
      for (int64_t column = p * 32; column < p * 32 + 32; ++column)
        out.push_back(floatToHalf(numbers[static_cast<size_t>(column * each + s)]));
  return out;
}

} // namespace imbrex::bench
