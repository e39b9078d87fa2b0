#include "runtime/module/format/Crc32c.h"

#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace imbrex::artifact {
namespace {

// tables[k][b]: the remainder of byte b followed by k zero bytes.
constexpr auto tables = [] {
  std::array<std::array<uint32_t, 256>, 8> t{};
  for (uint32_t b = 0; b < 256; ++b) {
    uint32_t r = b;
    for (int i = 0; i < 8; ++i)
      r = (r >> 1) ^ (r & 1 ? 0x82f63b78u : 0);
    t[0][b] = r;
  }
  for (size_t k = 1; k < 8; ++k)
    for (uint32_t b = 0; b < 256; ++b)
      t[k][b] = (t[k - 1][b] >> 8) ^ t[0][t[k - 1][b] & 255];
  return t;
}();

uint32_t byTable(uint32_t state, const std::byte *p, size_t n) {
  for (; n >= 8; p += 8, n -= 8) {
    uint64_t w;
    std::memcpy(&w, p, 8);
    w ^= state;
    state = 0;
    for (size_t k = 0; k < 8; ++k)
      state ^= tables[7 - k][(w >> (8 * k)) & 255];
  }
  for (; n; ++p, --n)
    state = (state >> 8) ^ tables[0][(state ^ static_cast<uint32_t>(*p)) & 255];
  return state;
}

#if defined(__x86_64__)
// One stream reaches 8 bytes in 3 cycles; enough for metadata and code, which is all that loading
// checks.
__attribute__((target("sse4.2"))) uint32_t byInstruction(uint32_t state, const std::byte *p,
                                                         size_t n) {
  uint64_t wide = state;
  for (; n >= 8; p += 8, n -= 8) {
    uint64_t w;
    std::memcpy(&w, p, 8);
    wide = _mm_crc32_u64(wide, w);
  }
  state = static_cast<uint32_t>(wide);
  for (; n; ++p, --n)
    state = _mm_crc32_u8(state, static_cast<unsigned char>(*p));
  return state;
}
#endif

} // namespace

uint32_t crc32cPortable(uint32_t crc, std::span<const std::byte> bytes) {
  return ~byTable(~crc, bytes.data(), bytes.size());
}

uint32_t crc32c(uint32_t crc, std::span<const std::byte> bytes) {
#if defined(__x86_64__)
  static const bool fast = __builtin_cpu_supports("sse4.2");
  if (fast)
    return ~byInstruction(~crc, bytes.data(), bytes.size());
#endif
  return crc32cPortable(crc, bytes);
}

} // namespace imbrex::artifact
