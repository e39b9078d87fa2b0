// Runs ranges of a grid on N threads, the caller being one of them.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace imbrex::runtime {

/// N-1 workers, started by the constructor. One grid at a time; different pools run concurrently.
/// Between grids workers spin for some microseconds (kernels follow each other closely), then
/// sleep.
class ThreadPool {
public:
  /// Runs points [begin, end) as thread number `thread`; 0, or a code that stops the grid.
  using RangeFn = int32_t (*)(void *context, int thread, int64_t begin, int64_t end);

  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  /// Threads that really run; fewer than asked for when the system refused some.
  int threads() const { return static_cast<int>(workers.size()) + 1; }

  /// Runs all points in [0, grid): each thread has a contiguous share, cut into a few chunks, and
  /// helps others when its own is done. Returns 0 or one of the non-zero codes; then some points
  /// may not have run.
  int32_t run(int64_t grid, RangeFn fn, void *context);

private:
  struct alignas(64) Share {
    std::atomic<int64_t> next{0};
    int64_t end = 0;
  };
  void workerLoop(int thread);
  void work(int thread);
  bool enter();
  void leave();
  void waitForWorkers();

  // Low 16 bits: workers inside the grid. `open`: workers may enter. The rest counts grids.
  static constexpr uint64_t open = 1u << 16;
  static constexpr uint64_t insideMask = open - 1;

  std::unique_ptr<Share[]> shares;
  std::vector<std::thread> workers;
  RangeFn fn = nullptr;
  void *context = nullptr;
  int64_t chunk = 1;
  alignas(64) std::atomic<uint64_t> state{0};
  alignas(64) std::atomic<uint32_t> signal{0};
  alignas(64) std::atomic<int32_t> failure{0};
  std::atomic<bool> stopping{false};
};

} // namespace imbrex::runtime
