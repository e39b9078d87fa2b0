// Blocks of quantized weights as GGUF files have them, and the same numbers in the layout of the
// library's kernels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace imbrex::bench {

/// A format, by the names that both sides have for it.
struct Format {
  const char *name;     // in GGUF
  int type;             // its number in ggml
  const char *kernel;   // of the library: matvec_ and matmul_ of this
  int64_t elems, bytes; // of a block of the file
  int64_t perScale;     // elements of k that share a scale in the kernel's layout
};

const std::vector<Format> &formats();
/// Not quantized; its kernels take activations as they are.
const Format &bf16();

/// Rows [n, k] of bf16 as a kernel's view: [panels, k / 2, 32, 2].
std::vector<uint16_t> bf16Panels(int64_t n, int64_t k, const uint8_t *rows);

/// Weights of n columns (n a multiple of 32), each of k numbers, as whole numbers q with
/// value = scale * q + least.
struct Weights {
  const Format *format;
  int64_t n, k;
  std::vector<uint8_t> q;          // [n, k]
  std::vector<float> scale, least; // [n, k / perScale]

  /// From n rows of blocks.
  Weights(const Format &format, int64_t n, int64_t k, const uint8_t *blocks);
  /// The kernel's views: [panels, k / 32, lines, 32, 4] of bytes, [panels, k / perScale, 32] of
  /// f16.
  std::vector<uint8_t> quants() const;
  std::vector<uint8_t> high() const; // empty where the format has none
  std::vector<uint16_t> scales() const { return byPanel(scale); }
  std::vector<uint16_t> leasts() const { return byPanel(least); }

private:
  uint8_t at(int64_t column, int64_t block, int64_t word, int64_t byte) const {
    return q[static_cast<size_t>(column * k + block * 32 + word * 4 + byte)];
  }
  template <class Of> std::vector<uint8_t> lines(int64_t count, Of of) const;
  std::vector<uint16_t> byPanel(const std::vector<float> &numbers) const;
};

} // namespace imbrex::bench
