#include "bench/micro/kernels/Probes.h"

#include <immintrin.h>

namespace imbrex::bench {

__attribute__((target("avx2"))) double readStream(const char *from, size_t bytes) {
  const size_t quarter = bytes / 4 / 256 * 256;
  __m256 sums[8] = {};
  for (size_t at = 0; at < quarter; at += 64)
    for (size_t s = 0; s < 4; ++s) {
      const auto *p = reinterpret_cast<const float *>(from + s * quarter + at);
      sums[2 * s] = _mm256_add_ps(sums[2 * s], _mm256_load_ps(p));
      sums[2 * s + 1] = _mm256_add_ps(sums[2 * s + 1], _mm256_load_ps(p + 8));
    }
  double total = 0;
  for (const __m256 &s : sums) {
    alignas(32) float lanes[8];
    _mm256_store_ps(lanes, s);
    for (float lane : lanes)
      total += double(lane);
  }
  return total;
}

__attribute__((target("avx2"))) void copyStream(char *to, const char *from, size_t bytes) {
  for (size_t at = 0; at + 64 <= bytes; at += 64) {
    const auto *in = reinterpret_cast<const __m256i *>(from + at);
    auto *out = reinterpret_cast<__m256i *>(to + at);
    _mm256_stream_si256(out, _mm256_load_si256(in));
    _mm256_stream_si256(out + 1, _mm256_load_si256(in + 1));
  }
  _mm_sfence();
}

} // namespace imbrex::bench
