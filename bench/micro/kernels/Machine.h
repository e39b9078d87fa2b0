// Memory and threads as a benchmark needs them.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <functional>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/resource.h>
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

/// Now, by the clock that suits: at one thread processor time, which other work on the machine
/// disturbs less.
inline double seconds(int threads) {
  timespec t;
  clock_gettime(threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

inline double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v.empty() ? 0 : v[v.size() / 2];
}

/// Waits until threads of whoever ran last have gone to sleep: they would take a core from whoever
/// comes next.
inline void settle(int threads) {
  if (threads > 1)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

/// Values of `rounds` rounds. With several threads the clock counts, and other work on the machine
/// with it: rounds in which threads of this process were displaced give way to others, up to a
/// number of tries.
template <class F> auto leastDisturbed(int rounds, int threads, F round) {
  constexpr int kTries = 3;
  using Value = decltype(round());
  const auto displaced = [] {
    rusage r;
    getrusage(RUSAGE_SELF, &r);
    return r.ru_nivcsw;
  };
  std::vector<std::pair<long, Value>> all;
  const int tries = threads == 1 ? rounds : rounds * kTries;
  for (int quiet = 0, i = 0; quiet < rounds && i < tries; ++i) {
    const long before = displaced();
    Value value = round();
    all.push_back({threads == 1 ? 0 : displaced() - before, std::move(value)});
    quiet += all.back().first == 0;
  }
  std::ranges::sort(all, {}, &std::pair<long, Value>::first);
  std::vector<Value> kept;
  for (int i = 0; i < rounds; ++i)
    kept.push_back(std::move(all[static_cast<size_t>(i)].second));
  return kept;
}

/// Threads that spin between launches for a fraction of a millisecond, so that a launch costs
/// little, and then sleep.
class Team {
public:
  explicit Team(int threads) {
    for (int t = 1; t < threads; ++t)
      workers.emplace_back([this, t] { work(t); });
  }
  ~Team() {
    stop = true;
    round.fetch_add(1);
    round.notify_all();
    for (std::thread &w : workers)
      w.join();
  }
  template <class F> void each(F body) {
    current = [&](int t) { body(t); };
    left = int(workers.size());
    round.fetch_add(1);
    round.notify_all();
    body(0);
    while (left.load(std::memory_order_acquire) > 0)
      __builtin_ia32_pause();
  }

private:
  void work(int t) {
    for (uint64_t seen = 0;;) {
      for (int spins = 0; round.load(std::memory_order_acquire) == seen; ++spins) {
        __builtin_ia32_pause();
        if (spins >= kSpins)
          round.wait(seen);
      }
      seen = round.load();
      if (stop)
        return;
      current(t);
      left.fetch_sub(1, std::memory_order_release);
    }
  }
  static constexpr int kSpins = 10000;
  std::atomic<uint64_t> round{0};
  std::atomic<int> left{0};
  std::atomic<bool> stop{false};
  std::function<void(int)> current;
  std::vector<std::thread> workers;
};

} // namespace imbrex::bench
