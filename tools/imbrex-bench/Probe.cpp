#include "tools/imbrex-bench/Probe.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <sys/mman.h>
#include <thread>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace imbrex::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds(Clock::time_point from) {
  return std::chrono::duration<double>(Clock::now() - from).count();
}

#if defined(__x86_64__)
// 12 independent sums keep both pipelines of the machine busy.
__attribute__((target("avx2,fma"), noinline)) float spin256(int64_t rounds) {
  __m256 sums[12], scale = _mm256_set1_ps(0.999f), more = _mm256_set1_ps(0.001f);
  for (__m256 &s : sums)
    s = more;
  for (int64_t r = 0; r < rounds; ++r)
    for (__m256 &s : sums)
      s = _mm256_fmadd_ps(s, scale, more);
  __m256 total = more;
  for (__m256 &s : sums)
    total = _mm256_add_ps(total, s);
  return _mm256_cvtss_f32(total);
}

__attribute__((target("avx512f"), noinline)) float spin512(int64_t rounds) {
  __m512 sums[12], scale = _mm512_set1_ps(0.999f), more = _mm512_set1_ps(0.001f);
  for (__m512 &s : sums)
    s = more;
  for (int64_t r = 0; r < rounds; ++r)
    for (__m512 &s : sums)
      s = _mm512_fmadd_ps(s, scale, more);
  __m512 total = more;
  for (__m512 &s : sums)
    total = _mm512_add_ps(total, s);
  return _mm512_cvtss_f32(total);
}
#endif

/// Operations a second of one thread.
double registerPeak() {
#if defined(__x86_64__)
  const bool wide = __builtin_cpu_supports("avx512f");
  if (!wide && !__builtin_cpu_supports("fma"))
    return 0;
  // volatile: equal calls are not one, and the sums are made.
  volatile int64_t asked = 400000;
  volatile float sink = 0;
  double best = 0;
  for (int i = 0; i < 8; ++i) {
    const int64_t rounds = asked;
    const auto start = Clock::now();
    sink = wide ? spin512(rounds) : spin256(rounds);
    best =
        std::max(best, 12.0 * 2 * (wide ? 16 : 8) * static_cast<double>(rounds) / seconds(start));
  }
  (void)sink;
  return best;
#else
  return 0;
#endif
}

/// Bytes read and written a second of one thread.
double copyPeak() {
  constexpr size_t size = size_t{32} << 20;
  void *memory =
      mmap(nullptr, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return 0;
  madvise(memory, 2 * size, MADV_HUGEPAGE);
  auto *from = static_cast<char *>(memory), *to = from + size;
  std::memset(memory, 1, 2 * size);
  double best = 0;
  for (int i = 0; i < 8; ++i) {
    const auto start = Clock::now();
    std::memcpy(to, from, size);
    best = std::max(best, 2.0 * size / seconds(start));
  }
  munmap(memory, 2 * size);
  return best;
}

/// The sum of what `threads` threads reach at once.
double together(int threads, const std::function<double()> &one) {
  std::vector<double> each(static_cast<size_t>(threads));
  std::vector<std::thread> others;
  for (size_t t = 1; t < each.size(); ++t)
    others.emplace_back([&, t] { each[t] = one(); });
  each[0] = one();
  for (std::thread &t : others)
    t.join();
  double sum = 0;
  for (double e : each)
    sum += e;
  return sum;
}

} // namespace

Ceilings probe(int threads) {
  return {together(threads, registerPeak), together(threads, copyPeak)};
}

} // namespace imbrex::bench
