#include "runtime/device/cpu/ThreadPool.h"

#include <algorithm>
#include <pthread.h>
#include <signal.h>
#include <system_error>

namespace imbrex::runtime {
namespace {

constexpr int chunksPerShare = 4;
// About 20 µs of waiting: longer than the VM needs between two launches, shorter than anyone
// notices.
constexpr int spins = 1000;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  __asm__ volatile("yield");
#endif
}

template <class T> void waitWhile(const std::atomic<T> &atomic, T old) {
  for (int i = 0; i < spins; ++i) {
    if (atomic.load(std::memory_order_acquire) != old)
      return;
    pause();
  }
  atomic.wait(old, std::memory_order_acquire);
}

/// Workers take no signals: handlers of the host program run on its own threads.
class BlockSignals {
public:
  BlockSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
  }
  ~BlockSignals() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }

private:
  sigset_t before;
};

} // namespace

ThreadPool::ThreadPool(int threads) {
  threads = std::clamp(threads, 1, 1024);
  shares = std::make_unique<Share[]>(static_cast<size_t>(threads));
  BlockSignals guard;
  workers.reserve(static_cast<size_t>(threads - 1));
  for (int i = 1; i < threads; ++i) {
    try {
      workers.emplace_back([this, i] { workerLoop(i); });
    } catch (const std::system_error &) {
      break; // a limit on threads: run with fewer
    }
  }
}

ThreadPool::~ThreadPool() {
  stopping.store(true, std::memory_order_relaxed);
  signal.fetch_add(1, std::memory_order_release);
  signal.notify_all();
  for (std::thread &t : workers)
    t.join();
}

bool ThreadPool::enter() {
  uint64_t s = state.load(std::memory_order_relaxed);
  while (s & open)
    if (state.compare_exchange_weak(s, s + 1, std::memory_order_acquire, std::memory_order_relaxed))
      return true;
  return false;
}

void ThreadPool::leave() {
  uint64_t before = state.fetch_sub(1, std::memory_order_acq_rel);
  if (!(before & open) && (before & insideMask) == 1)
    state.notify_all();
}

void ThreadPool::workerLoop(int thread) {
  uint32_t seen = 0;
  while (true) {
    waitWhile(signal, seen);
    seen = signal.load(std::memory_order_acquire);
    if (stopping.load(std::memory_order_relaxed))
      return;
    // Late: the grid may be closed already, or the next one be open. Both are fine.
    if (!enter())
      continue;
    work(thread);
    leave();
  }
}

void ThreadPool::work(int thread) {
  int count = threads();
  for (int i = 0; i < count; ++i) {
    Share &share = shares[static_cast<size_t>((thread + i) % count)];
    while (failure.load(std::memory_order_relaxed) == 0) {
      int64_t begin = share.next.fetch_add(chunk, std::memory_order_relaxed);
      if (begin >= share.end)
        break;
      int32_t code = fn(context, thread, begin, std::min(begin + chunk, share.end));
      int32_t none = 0;
      if (code)
        failure.compare_exchange_strong(none, code, std::memory_order_relaxed);
    }
  }
}

void ThreadPool::waitForWorkers() {
  uint64_t s = state.fetch_and(~open, std::memory_order_acq_rel) & ~open;
  while (s & insideMask) {
    waitWhile(state, s);
    s = state.load(std::memory_order_acquire);
  }
}

int32_t ThreadPool::run(int64_t grid, RangeFn rangeFn, void *rangeContext) {
  if (grid <= 0)
    return 0;
  if (grid == 1 || workers.empty())
    return rangeFn(rangeContext, 0, 0, grid);
  fn = rangeFn;
  context = rangeContext;
  failure.store(0, std::memory_order_relaxed);
  int64_t count = threads();
  int64_t base = grid / count, extra = grid % count;
  chunk = std::max<int64_t>(1, (base + chunksPerShare - 1) / chunksPerShare);
  int64_t at = 0;
  for (int64_t i = 0; i < count; ++i) {
    shares[static_cast<size_t>(i)].next.store(at, std::memory_order_relaxed);
    at += base + (i < extra);
    shares[static_cast<size_t>(i)].end = at;
  }
  // Nobody is inside: the last grid waited for that. The count in the upper bits makes states
  // distinct.
  uint64_t grids = (state.load(std::memory_order_relaxed) >> 17) + 1;
  state.store(grids << 17 | open, std::memory_order_release);
  signal.fetch_add(1, std::memory_order_release);
  signal.notify_all();
  work(0);
  waitForWorkers();
  return failure.load(std::memory_order_relaxed);
}

} // namespace imbrex::runtime
