// Memory and threads as a benchmark needs them.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <sys/mman.h>
#include <thread>
#include <vector>

namespace imbrex::bench {

/// Memory in huge pages: a first touch of a small page costs more than what is measured here.
class Arena {
public:
  explicit Arena(size_t bytes) : size((bytes + kPage) / kPage * kPage + kPage) {
    base = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED)
      throw std::runtime_error("no memory");
    madvise(base, size, MADV_HUGEPAGE);
    start =
        reinterpret_cast<char *>((reinterpret_cast<uintptr_t>(base) + kPage - 1) / kPage * kPage);
    memset(start, 0, bytes);
  }
  ~Arena() { munmap(base, size); }
  Arena(const Arena &) = delete;
  template <class T> T *as() { return reinterpret_cast<T *>(start); }

private:
  static constexpr size_t kPage = 2 << 20;
  size_t size;
  void *base;
  char *start;
};

/// Threads that spin between launches for a while, so that a launch costs little.
class Team {
public:
  explicit Team(int threads) {
    for (int t = 1; t < threads; ++t)
      workers.emplace_back([this, t] { work(t); });
  }
  ~Team() {
    stop = true;
    round.fetch_add(1);
    for (std::thread &w : workers)
      w.join();
  }
  template <class F> void each(F body) {
    current = [&](int t) { body(t); };
    left = int(workers.size());
    round.fetch_add(1);
    body(0);
    while (left.load(std::memory_order_acquire) > 0)
      __builtin_ia32_pause();
  }

private:
  void work(int t) {
    for (uint64_t seen = 0;;) {
      while (round.load(std::memory_order_acquire) == seen)
        __builtin_ia32_pause();
      seen = round.load();
      if (stop)
        return;
      current(t);
      left.fetch_sub(1, std::memory_order_release);
    }
  }
  std::atomic<uint64_t> round{0};
  std::atomic<int> left{0};
  std::atomic<bool> stop{false};
  std::function<void(int)> current;
  std::vector<std::thread> workers;
};

} // namespace imbrex::bench
